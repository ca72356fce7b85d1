/** Manifests, several of them, applied to the cluster; each document's result is shown, an error at its line. */
import { type ChangeEvent, useEffect, useMemo, useRef, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { applyYaml } from "../../transport/api";
import type { ApplyResult } from "../../transport/api_types";
import type { ApiError } from "../../transport/errors";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Menu } from "../../ui/menu";
import { useTemplates } from "../palette/use_templates";
import { DEPLOYMENT_SKELETON } from "../workloads/deployment_skeleton";
import { ApplyResults } from "./apply_results";
import { readStream } from "./documents";
import styles from "./editor.module.css";
import { errorsAtLines } from "./error_lines";
import { yamlOf } from "./to_yaml";
import { manifestHelp } from "./yaml_help";
import { type LineProblem, YamlView } from "./yaml_view";

interface Applied {
  readonly text: string;
  readonly results: readonly ApplyResult[];
}

interface ApplyEditorProps {
  readonly initial: string;
  /** Send it at once. */
  readonly applied?: boolean | undefined;
}

export function ApplyEditor({ initial, applied: atOnce = false }: ApplyEditorProps) {
  const slug = useClusterSlug();
  const { busy, error, run, clear } = useAction();
  const [text, setText] = useState(initial);
  const [applied, setApplied] = useState<Applied>();
  const problems = useMemo(() => problemsOf(text, applied, error), [text, applied, error]);
  const apply = async () => {
    if (text.trim() === "") return;
    setApplied(undefined);
    const answer = await run(applyYaml(slug, text));
    if (answer) setApplied({ text, results: answer.results });
  };
  useOnce(atOnce, () => void apply());
  return (
    <section className={styles.panel} aria-label={t.editor.title} data-testid="editor">
      <div className={styles.bar}>
        <Button
          small
          look="primary"
          disabled={busy || text.trim() === ""}
          onClick={() => void apply()}
          data-testid="apply"
        >
          {busy ? t.editor.applying : t.editor.apply}
        </Button>
        <TemplateMenu onChoose={setText} />
        <FileButton onText={setText} />
      </div>
      {error && <ErrorNote error={error} onDismiss={clear} />}
      {applied && <ApplyResults results={applied.results} />}
      {text === "" && <p className={styles.hint}>{t.editor.empty}</p>}
      <YamlView
        text={text}
        label={t.editor.yaml}
        problems={problems}
        help={manifestHelp}
        onChange={setText}
        onSubmit={() => void apply()}
      />
    </section>
  );
}

/** What is done when the editor opens is done once, however often React mounts it. */
function useOnce(wanted: boolean, act: () => void): void {
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => {
    if (!wanted || isDone.current) return;
    isDone.current = true;
    act();
  }, []);
}

const NO_PROBLEMS: readonly LineProblem[] = [];

/** Errors of documents, and of the whole stream, at their lines; none once the text has changed. */
function problemsOf(text: string, applied: Applied | undefined, error: ApiError | undefined): readonly LineProblem[] {
  if (error) return errorsAtLines(text, error);
  if (applied?.text !== text) return NO_PROBLEMS;
  const stream = readStream(text);
  return applied.results.flatMap(({ document, error: problem }) =>
    problem
      ? [{ line: problem.line ?? stream.lineOf(document, problem.path), message: `${problem.path} ${problem.message}` }]
      : [],
  );
}

function TemplateMenu({ onChoose }: { readonly onChoose: (yaml: string) => void }) {
  const { data = [] } = useTemplates();
  const items = [
    { id: "deployment", label: "Deployment", run: () => onChoose(DEPLOYMENT_SKELETON) },
    ...data.map(({ id, kind, title, manifest }) => ({
      id,
      label: `${kind}: ${title}`,
      run: () => onChoose(yamlOf(manifest)),
    })),
  ];
  return (
    <Menu items={items} label={t.editor.templateLabel} buttonClassName={styles.template}>
      {t.editor.template} ▾
    </Menu>
  );
}

function FileButton({ onText }: { readonly onText: (text: string) => void }) {
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const field = event.target;
    const file = field.files?.[0];
    if (file) onText(await file.text());
    field.value = "";
  };
  return (
    <label className={styles.template}>
      {t.editor.open}
      <input
        type="file"
        className="visually-hidden"
        accept=".yaml,.yml,.json,text/yaml"
        onChange={(event) => void choose(event)}
        data-testid="open-file"
      />
    </label>
  );
}
