/** A cluster from a kind file, or from manifests applied to an empty one. */
import { type ChangeEvent, type FormEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "../../app/messages.en";
import { navigate } from "../../app/routes";
import { type Action, useAction } from "../../app/use_action";
import { applyYaml, createCluster } from "../../transport/api";
import type { ApplyResult } from "../../transport/api_types";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
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
  const take = async (file: File) => {
    const text = await file.text();
    setYaml(text);
    setName(freeName(nameOf(nameInKindFile(text) ?? file.name), taken));
    show();
  };
  const dropping = useFileDrop((file) => void take(file));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` only reads the form
  useEffect(() => {
    if (dropping) show();
  }, [dropping]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMade(undefined);
    const created = await makeCluster(action, name || freeName(nameOf(nameInKindFile(yaml) ?? ""), taken), yaml);
    if (created && created.problems.length === 0) navigate({ page: "cluster", cluster: created.id });
    else setMade(created);
  };
  return (
    <section aria-label={t.start.fromFile}>
      <h2>{t.start.fromFile}</h2>
      <p className={styles.quiet}>{t.start.fromFileHint}</p>
      <form ref={form} className={styles.file} data-dropping={dropping} onSubmit={(event) => void submit(event)}>
        {dropping && <div className={styles.dropNow}>{t.start.dropNow}</div>}
        <YamlField value={yaml} onChange={setYaml} />
        <div className={styles.fileActions}>
          <NameField value={name} onChange={setName} />
          <FileButton onFile={(file) => void take(file)} />
          <Button
            type="submit"
            look="primary"
            disabled={action.busy || yaml.trim() === ""}
            data-testid="create-from-file"
          >
            {action.busy ? t.start.creating : t.start.create}
          </Button>
        </div>
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
            {error?.path && <code>{error.path}</code>} {error?.message}
          </li>
        ))}
      </ul>
      <Button onClick={() => navigate({ page: "cluster", cluster: made.id })}>{t.start.openAnyway}</Button>
    </div>
  );
}

/** True while a file is held over the page; a drop anywhere gives it to `onFile`. */
function useFileDrop(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  // The listeners stay, what they call is always of the last rendering: it knows the names taken by now.
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const holdsFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const hover = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      latest.current(file);
    };
    document.addEventListener("dragover", hover);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", hover);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return over;
}
