/** A cluster from a kind file, or from manifests applied to an empty one. */
import { type ChangeEvent, type FormEvent, useId, useRef, useState } from "react";
import { t } from "../../app/messages";
import { navigate } from "../../app/routes";
import { type Action, useAction } from "../../app/use_action";
import { applyYaml, createCluster } from "../../transport/api";
import type { ApplyResult } from "../../transport/api_types";
import { ApiError } from "../../transport/errors";
import { Button } from "../../ui/button";
import { DropOverlay } from "../../ui/drop_overlay";
import { ErrorNote } from "../../ui/error_note";
import { readFile, streamOf } from "../../ui/read_files";
import { useFileDrop } from "../../ui/use_file_drop";
import { problemText } from "../editor/file_problem";
import { freeName, isKindFile, nameInKindFile, nameOf } from "./cluster_name";
import styles from "./start_page.module.css";

interface Made {
  readonly id: string;
  /** Documents that could not be applied. */
  readonly problems: readonly ApplyResult[];
}

export function FileCluster({ taken }: { readonly taken: ReadonlySet<string> }) {
  const [name, setName] = useState("");
  const [yaml, setYaml] = useState("");
  const [made, setMade] = useState<Made>();
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  // A drop is taken anywhere on the page; what became of it must not stay below the fold.
  const show = () => form.current?.scrollIntoView({ block: "center" });
  const [unread, setUnread] = useState<string>();
  const take = async (files: readonly File[]) => {
    const read = await Promise.all(files.map(readFile));
    const failed = read.find((file) => "problem" in file);
    setUnread(failed && problemText(failed));
    if (failed) return show();
    const texts = read.filter((file): file is { name: string; text: string } => "text" in file);
    const text = streamOf(texts);
    setYaml(text);
    setName(freeName(nameOf(nameInKindFile(text) ?? texts[0]?.name ?? ""), taken));
    show();
  };
  const dropping = useFileDrop((files) => void take(files));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMade(undefined);
    const created = await makeCluster(action, name || freeName(nameOf(nameInKindFile(yaml) ?? ""), taken), yaml);
    if (created && created.problems.length === 0) navigate({ page: "cluster", cluster: created.id });
    else setMade(created);
  };
  return (
    <section aria-label={t.start.fromFile}>
      {dropping && <DropOverlay title={t.drop.newCluster} hint={t.drop.hint} />}
      <h2>{t.start.fromFile}</h2>
      <p className={styles.quiet}>{t.start.fromFileHint}</p>
      <form ref={form} className={styles.file} onSubmit={(event) => void submit(event)}>
        <YamlField value={yaml} onChange={setYaml} />
        <div className={styles.fileActions}>
          <NameField value={name} onChange={setName} />
          <FileButton onFile={(file) => void take([file])} />
          <Button
            type="submit"
            look="primary"
            disabled={action.busy || yaml.trim() === ""}
            data-testid="create-from-file"
          >
            {action.busy ? t.start.creating : t.start.create}
          </Button>
        </div>
        {unread && <ErrorNote error={new ApiError(0, "file", unread)} onDismiss={() => setUnread(undefined)} />}
        {action.error && <ErrorNote error={action.error} onDismiss={action.clear} />}
        {made && <Problems made={made} />}
      </form>
    </section>
  );
}

async function makeCluster(action: Action, name: string, yaml: string): Promise<Made | undefined> {
  const ofKind = isKindFile(yaml);
  const cluster = await action.run(createCluster(ofKind ? { name, kind_config: yaml } : { name, preset: "empty" }));
  if (!cluster) return undefined;
  if (ofKind) return { id: cluster.id, problems: [] };
  const applied = await action.run(applyYaml(cluster.id, yaml));
  return applied && { id: cluster.id, problems: applied.results.filter(({ result }) => result === "error") };
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function YamlField({ value, onChange }: FieldProps) {
  return (
    <textarea
      className={styles.yaml}
      aria-label={t.start.yamlLabel}
      placeholder={"kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: control-plane\n- role: worker"}
      rows={7}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      data-testid="kind-file"
    />
  );
}

function NameField({ value, onChange }: FieldProps) {
  const id = useId();
  return (
    <span className={styles.name}>
      <label htmlFor={id}>{t.start.name}</label>
      <input
        id={id}
        value={value}
        maxLength={63}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        data-testid="cluster-name"
      />
    </span>
  );
}

function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // Emptied, so that choosing the same file again is a change too.
    event.target.value = "";
    if (file) onFile(file);
  };
  return (
    <label className={styles.choose}>
      {t.start.chooseFile}
      <input type="file" className="visually-hidden" accept=".yaml,.yml,.json,text/yaml" onChange={choose} />
    </label>
  );
}

function Problems({ made }: { readonly made: Made }) {
  return (
    <div className={styles.problem} role="alert">
      <p>{t.start.applyProblems(made.id)}</p>
      <ul>
        {made.problems.map(({ document, kind, name, error }) => (
          <li key={`${document} ${kind} ${name}`}>
            <b>
              #{document} {kind} {name}
            </b>{" "}
            {error?.line && <span>{t.drop.line(error.line)} </span>}
            {error?.path && <code>{error.path}</code>} {error?.message}
          </li>
        ))}
      </ul>
      <Button onClick={() => navigate({ page: "cluster", cluster: made.id })}>{t.start.openAnyway}</Button>
    </div>
  );
}
