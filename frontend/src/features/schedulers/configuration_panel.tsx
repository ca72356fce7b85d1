/**
 * A scheduler's KubeSchedulerConfiguration as YAML.
 *
 * While a person writes, the cluster is asked what would become different (a dry run), so that
 * mistakes stand at their lines and the effective change is seen before anything is applied.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import type { ProfilesAnswer } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { getConfiguration, putConfiguration } from "../../transport/extension_api";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { errorsAtLines } from "../editor/error_lines";
import { yamlOf } from "../editor/to_yaml";
import { configurationHelp } from "../editor/yaml_help";
import { type LineProblem, YamlView } from "../editor/yaml_view";
import { ChangesTable } from "./changes_table";
import { EffectiveProfiles } from "./effective_profiles";
import { configurationQuery, schedulersQuery } from "./queries";
import styles from "./schedulers.module.css";
import { openConfiguration } from "./schedulers_view";
import { type DryRun, useDryRun } from "./use_dry_run";

export function ConfigurationPanel({ scheduler: wanted }: { readonly scheduler: string | undefined }) {
  const slug = useClusterSlug();
  const { data: schedulers, error } = useQuery(schedulersQuery(slug));
  const names = schedulers?.map(({ name }) => name) ?? [];
  const scheduler = wanted && names.includes(wanted) ? wanted : names[0];
  if (!scheduler)
    return <div className={styles.part}>{error ? <ErrorNote error={asApiError(error)} /> : t.loading}</div>;
  return (
    <>
      {names.length > 1 && (
        <label className={styles.choose}>
          {t.configuration.scheduler}
          <select value={scheduler} onChange={(event) => openConfiguration(event.target.value)}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <Configuration key={scheduler} scheduler={scheduler} />
    </>
  );
}

function Configuration({ scheduler }: { readonly scheduler: string }) {
  const slug = useClusterSlug();
  const { data, error, dataUpdatedAt, refetch } = useQuery(configurationQuery(slug, scheduler));
  const [applied, setApplied] = useState<number>();
  const read = (revision?: number) => {
    setApplied(revision);
    void refetch();
  };
  if (error)
    return (
      <div className={styles.part}>
        <ErrorNote error={asApiError(error)} />
        <Button onClick={() => read()}>{t.retry}</Button>
      </div>
    );
  if (!data) return <p className={styles.part}>{t.loading}</p>;
  return <Editor key={dataUpdatedAt} scheduler={scheduler} read={data} applied={applied} onRead={read} />;
}

interface EditorProps {
  readonly scheduler: string;
  readonly read: ProfilesAnswer;
  /** The revision that was just applied from here. */
  readonly applied: number | undefined;
  readonly onRead: (applied?: number) => void;
}

function Editor({ scheduler, read, applied, onRead }: EditorProps) {
  const slug = useClusterSlug();
  const { busy, error: refused, run, clear } = useAction();
  const initial = useMemo(() => yamlOf(read.document), [read]);
  const [text, setText] = useState(initial);
  const [isOld, setIsOld] = useState(false);
  const help = useMemo(() => configurationHelp(slug), [slug]);
  const dryRun = useDryRun(scheduler, text);
  const problems = useMemo(() => problemsOf(text, dryRun), [text, dryRun]);
  const isFresh = dryRun?.text === text;
  const canApply = isFresh && dryRun.answer !== undefined && text !== initial;
  const apply = async () => {
    if (!canApply) return;
    const now = await run(getConfiguration(slug, scheduler));
    if (!now) return;
    if (now.revision !== read.revision) return setIsOld(true);
    const answer = await run(putConfiguration(slug, scheduler, text, false));
    if (answer) onRead(answer.revision);
  };
  return (
    <section className={styles.editor} aria-label={t.configuration.label(scheduler)} data-testid="configuration">
      <div className={styles.bar}>
        <Button
          small
          look="primary"
          disabled={busy || !canApply}
          onClick={() => void apply()}
          data-testid="apply-configuration"
        >
          {busy ? t.configuration.applying : t.configuration.apply}
        </Button>
        <Button small icon="refresh" onClick={() => onRead()}>
          {t.configuration.revert}
        </Button>
        <span className={styles.revision}>{t.configuration.revision(read.revision)}</span>
      </div>
      {refused && <ErrorNote error={refused} onDismiss={clear} />}
      {hasComment(text) && <p className={styles.hint}>{t.configuration.comments}</p>}
      {isOld && <p className={styles.standing}>{t.configuration.newer}</p>}
      {applied !== undefined && text === initial && (
        <p className={styles.hint} role="status">
          {t.configuration.applied(applied)}
        </p>
      )}
      <YamlView
        text={text}
        label={t.configuration.label(scheduler)}
        problems={problems}
        help={help}
        onChange={setText}
        onSubmit={() => void apply()}
        testId="configuration-yaml"
      />
      <Outcome dryRun={dryRun} isFresh={isFresh} isChanged={text !== initial} />
    </section>
  );
}

/** What is applied is kept as data, and read again without them. */
const hasComment = (text: string): boolean => /(^|\s)#(\s|$)/m.test(text);

const NONE: readonly LineProblem[] = [];

function problemsOf(text: string, dryRun: DryRun | undefined): readonly LineProblem[] {
  return dryRun?.error && dryRun.text === text ? errorsAtLines(text, dryRun.error) : NONE;
}

interface OutcomeProps {
  readonly dryRun: DryRun | undefined;
  readonly isFresh: boolean;
  readonly isChanged: boolean;
}

function Outcome({ dryRun, isFresh, isChanged }: OutcomeProps) {
  const changes = dryRun?.answer?.changes ?? [];
  return (
    <div className={styles.outcome} data-testid="dry-run" data-fresh={isFresh}>
      <p role="status">{outcomeWords(dryRun, isFresh, isChanged)}</p>
      {dryRun?.error && <ErrorNote error={dryRun.error} />}
      {changes.length > 0 && <ChangesTable changes={changes} />}
      {dryRun?.answer && <EffectiveProfiles profiles={dryRun.answer.profiles} />}
    </div>
  );
}

function outcomeWords(dryRun: DryRun | undefined, isFresh: boolean, isChanged: boolean): string {
  if (!isChanged) return t.configuration.hint;
  if (!dryRun || !isFresh) return t.configuration.checking;
  if (dryRun.error) return t.configuration.refused(Math.max(1, dryRun.error.details.length));
  const count = dryRun.answer?.changes.length ?? 0;
  return count === 0 ? t.configuration.noChange : t.configuration.changes(count);
}
