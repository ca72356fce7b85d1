/**
 * A plugin as two expressions. It is checked while it is written: what the compiler has against it
 * stands at its place, and with a pod chosen the table says what the plugin answers about each node.
 */
import { EditorView } from "@codemirror/view";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import {
  type CelCheck,
  type CelPluginDefinition,
  createCelPlugin,
  deleteCelPlugin,
  type PodName,
  replaceCelPlugin,
} from "../../transport/extension_api";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { CodeView, type LineProblem } from "../editor/code_view";
import { Examples, UsedIn } from "./cel_plugins";
import { CelPreview } from "./cel_preview";
import { EnableDialog } from "./enable_dialog";
import { celExamplesQuery, celPluginsQuery, profilesQuery } from "./queries";
import styles from "./schedulers.module.css";
import { useCelCheck } from "./use_cel_check";

interface CelEditorProps {
  readonly initial: CelPluginDefinition;
  readonly isNew: boolean;
  /** It was stored from here, a moment ago. */
  readonly isStored: boolean;
  /** Which it is tried with. */
  readonly pod: PodName | undefined;
  readonly onPod: (pod: PodName | undefined) => void;
  readonly onStored: (plugin: CelPluginDefinition) => void;
  readonly onClose: () => void;
}

export function CelEditor({ initial, isNew, isStored, pod, onPod, onStored, onClose }: CelEditorProps) {
  const [plugin, setPlugin] = useState(initial);
  const [enabling, setEnabling] = useState(false);
  const check = useCelCheck(plugin, pod);
  const { store, action } = useStoring(plugin, isNew, onStored, onClose);
  const change = (part: Partial<CelPluginDefinition>) => setPlugin({ ...plugin, ...part });
  const name = useId();
  const message = useId();
  return (
    <section className={styles.scroll} aria-label={plugin.name || t.cel.create} data-testid="cel-editor">
      <div className={styles.bar}>
        <Button small icon="chevron_left" onClick={onClose}>
          {t.cel.back}
        </Button>
        <Examples onChoose={(example) => setPlugin(isNew ? example : { ...example, name: plugin.name })} />
        <Button
          small
          look="primary"
          disabled={action.busy || plugin.name === "" || (!isNew && plugin === initial)}
          onClick={() => void store.save()}
          data-testid="save-cel-plugin"
        >
          {action.busy ? t.cel.saving : t.cel.save}
        </Button>
        {!isNew && (
          <>
            <Button small disabled={plugin !== initial} onClick={() => setEnabling(true)} data-testid="enable-plugin">
              {t.cel.enable}
            </Button>
            <IconButton icon="trash" small label={t.cel.delete(plugin.name)} onClick={() => void store.remove()} />
          </>
        )}
      </div>
      {action.error && <ErrorNote error={action.error} onDismiss={action.clear} />}
      <div className={styles.form}>
        <label htmlFor={name}>{t.cel.name}</label>
        <input
          id={name}
          value={plugin.name}
          readOnly={!isNew}
          maxLength={63}
          autoComplete="off"
          placeholder={t.cel.nameHint}
          onChange={(event) => change({ name: event.target.value })}
          data-testid="cel-name"
        />
        {!isNew && <UsedIn plugin={plugin.name} />}
      </div>
      <Expression field="filter" plugin={plugin} check={check} onChange={change} onSubmit={() => void store.save()} />
      <Expression field="score" plugin={plugin} check={check} onChange={change} onSubmit={() => void store.save()} />
      <div className={styles.form}>
        <label htmlFor={message}>{t.cel.message}</label>
        <input
          id={message}
          value={plugin.message}
          maxLength={256}
          placeholder={t.cel.messageHint}
          onChange={(event) => change({ message: event.target.value })}
        />
        <Elsewhere check={check} isEmpty={plugin.name === ""} />
        {isStored && plugin === initial && (
          <p className={styles.quiet} role="status">
            {t.cel.saved}
          </p>
        )}
      </div>
      <CelPreview check={check} plugin={plugin} pod={pod} onPod={onPod} />
      <Variables />
      {enabling && <EnableDialog plugin={plugin.name} onClose={() => setEnabling(false)} />}
    </section>
  );
}

function useStoring(
  plugin: CelPluginDefinition,
  isNew: boolean,
  onStored: (plugin: CelPluginDefinition) => void,
  onClose: () => void,
) {
  const slug = useClusterSlug();
  const queries = useQueryClient();
  const action = useAction();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: celPluginsQuery(slug).queryKey }),
      queries.invalidateQueries({ queryKey: profilesQuery(slug).queryKey }),
    ]);
  const save = async () => {
    const stored = await action.run(isNew ? createCelPlugin(slug, plugin) : replaceCelPlugin(slug, plugin));
    if (!stored) return;
    await refresh();
    onStored(stored);
  };
  const remove = async () => {
    await action.run(deleteCelPlugin(slug, plugin.name));
    const left = await queries.fetchQuery(celPluginsQuery(slug));
    if (!left.some(({ name }) => name === plugin.name)) onClose();
  };
  return { store: { save, remove }, action };
}

interface ExpressionProps {
  readonly field: "filter" | "score";
  readonly plugin: CelPluginDefinition;
  readonly check: CelCheck | undefined;
  readonly onChange: (part: Partial<CelPluginDefinition>) => void;
  readonly onSubmit: () => void;
}

function Expression({ field, plugin, check, onChange, onSubmit }: ExpressionProps) {
  const problems = useMemo(() => problemsOf(check, field), [check, field]);
  return (
    <div className={styles.expression}>
      <b>{t.cel[field]}</b>
      <CodeView
        text={plugin[field]}
        label={t.cel[field]}
        problems={NONE}
        hints={problems}
        onChange={(text) => onChange({ [field]: text })}
        onSubmit={onSubmit}
        extensions={EditorView.lineWrapping}
        testId={`cel-${field}`}
      />
      {problems.map(({ line, column, message }) => (
        <p key={`${line} ${column} ${message}`} className={styles.problem} role="status">
          {line}:{column ?? 1} {message}
        </p>
      ))}
    </div>
  );
}

const NONE: readonly LineProblem[] = [];

/** An empty field lacks nothing as long as the other one says something. */
function problemsOf(check: CelCheck | undefined, field: string): readonly LineProblem[] {
  const found = check?.problems.filter((problem) => problem.field === field && problem.line > 0) ?? [];
  return found.length === 0 ? NONE : found.map(({ line, column, message }) => ({ line, column, message }));
}

interface ElsewhereProps {
  readonly check: CelCheck | undefined;
  readonly isEmpty: boolean;
}

/** What speaks against the definition and is in neither expression. */
function Elsewhere({ check, isEmpty }: ElsewhereProps) {
  if (!check) return null;
  if (check.problems.length === 0) return <p className={styles.quiet}>{t.cel.checked}</p>;
  const others = check.problems.filter(({ line, field }) => line === 0 && !(isEmpty && field === "name"));
  return others.map(({ field, message }) => (
    <p key={`${field} ${message}`} className={styles.problem} role="status">
      <code>{field}</code> {message}
    </p>
  ));
}

function Variables() {
  const { data } = useQuery(celExamplesQuery);
  if (!data) return null;
  return (
    <details className={styles.effective}>
      <summary>{t.cel.variables}</summary>
      <table className={styles.changes}>
        <tbody>
          {data.variables.map(({ name, type }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <code>{type}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
