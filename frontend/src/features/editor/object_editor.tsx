/**
 * One object, read, edited and saved as a whole.
 *
 * It is saved with the resourceVersion it was read with: where somebody changed it meanwhile the
 * server refuses, the text is kept, and the newer one is a click away.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { type EditorTarget, openEditor } from "../../app/workbench";
import { getObject, replaceYaml } from "../../transport/api";
import { asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import styles from "./editor.module.css";
import { errorsAtLines } from "./error_lines";
import { yamlOf } from "./to_yaml";
import { manifestHelp } from "./yaml_help";
import { YamlView } from "./yaml_view";

const KIND_LINE = /^kind: (\w+)$/m;

type ObjectTarget = Extract<EditorTarget, { kind: "object" }>;

export function ObjectEditor({ target }: { readonly target: ObjectTarget }) {
  const slug = useClusterSlug();
  const { resource, namespace, name } = target;
  const read = useQuery({
    queryKey: ["manifest", slug, resource.plural, namespace, name],
    queryFn: async ({ signal }) => yamlOf(await send(getObject(slug, resource, namespace, name), signal)),
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  if (read.error) return <Failed error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined) return <p className={styles.hint}>{t.loading}</p>;
  return <Editor key={read.dataUpdatedAt} target={target} initial={read.data} onReload={() => void read.refetch()} />;
}

function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div className={styles.panel}>
      <ErrorNote error={asApiError(error)} />
      <div className={styles.bar}>
        <Button small onClick={onRetry}>
          {t.retry}
        </Button>
        <NewButton />
      </div>
    </div>
  );
}

interface EditorProps {
  readonly target: ObjectTarget;
  readonly initial: string;
  readonly onReload: () => void;
}

function Editor({ target, initial, onReload }: EditorProps) {
  const slug = useClusterSlug();
  const { busy, error, run, clear } = useAction();
  const [text, setText] = useState(initial);
  // The text the server has, once something was saved.
  const [saved, setSaved] = useState<string>();
  const { resource, namespace, name } = target;
  const title = t.editor.editing(KIND_LINE.exec(initial)?.[1] ?? resource.plural, name);
  const save = async () => {
    setSaved(undefined);
    const answer = await run(replaceYaml(slug, resource, namespace, name, text));
    if (!answer) return;
    const stored = yamlOf(answer);
    setText(stored);
    setSaved(stored);
  };
  return (
    <section className={styles.panel} aria-label={t.editor.title} data-testid="object-editor">
      <div className={styles.bar}>
        <b className={styles.name}>{title}</b>
        <Button
          small
          look="primary"
          disabled={busy || text === (saved ?? initial)}
          onClick={() => void save()}
          data-testid="save"
        >
          {busy ? t.editor.saving : t.editor.save}
        </Button>
        <Button small icon="refresh" onClick={onReload}>
          {t.editor.reload}
        </Button>
        <NewButton />
      </div>
      {error && <ErrorNote error={error} onDismiss={clear} />}
      {error?.isConflict && <p className={styles.hint}>{t.editor.conflict}</p>}
      {saved === text && (
        <p className={styles.hint} role="status">
          {t.editor.saved}
        </p>
      )}
      <YamlView
        text={text}
        label={title}
        problems={error ? errorsAtLines(text, error) : NONE}
        help={manifestHelp}
        onChange={setText}
        onSubmit={() => void save()}
      />
    </section>
  );
}

const NONE: readonly never[] = [];

const NewButton = () => (
  <Button small icon="plus" onClick={() => openEditor({ kind: "new", yaml: "" })}>
    {t.editor.newDocument}
  </Button>
);
