/** One attempt: the answer in a sentence, then every step that led to it. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { decisionQuery } from "../../app/decision_query";
import { t } from "../../app/messages";
import { formatTimeOfDay } from "../../model/clock";
import type { CycleReport, DecisionSummary } from "../../model/messages.generated";
import { selectSeveralSchedulers } from "../../model/selectors";
import { asApiError } from "../../transport/errors";
import { ErrorNote } from "../../ui/error_note";
import { Meaning, type MeaningName } from "../../ui/meaning";
import { PlayButton } from "../film/film_slot";
import { ExtenderCalls } from "./extender_calls";
import { FilterTable } from "./filter_table";
import styles from "./inspector.module.css";
import { PreemptionView } from "./preemption_view";
import { explainPlugin, PluginWord } from "./scheduler_word";
import { ScoreTable } from "./score_table";
import { searchInWords } from "./search_in_words";
import { Steps } from "./steps";

interface DecisionViewProps {
  readonly summary: DecisionSummary;
  /** What stands between the answer and the steps. */
  readonly children?: ReactNode;
}

export function DecisionView({ summary, children }: DecisionViewProps) {
  const slug = useClusterSlug();
  const { data, error } = useQuery(decisionQuery(slug, summary.sequence));
  return (
    <div className={styles.decision} data-testid="decision" data-outcome={summary.outcome}>
      <Answer summary={summary} />
      {children}
      {error && <ErrorNote error={asApiError(error)} />}
      {!data && !error && <p className={styles.plain}>{t.loading}</p>}
      {data && <Report key={summary.sequence} report={data} scheduler={summary.scheduler} />}
    </div>
  );
}

function Report({ report, scheduler }: { readonly report: CycleReport; readonly scheduler: string }) {
  return (
    <>
      {report.preemption && <PreemptionView preemption={report.preemption} />}
      {report.score && <ScoreTable score={report.score} scheduler={scheduler} schedulerName={report.scheduler_name} />}
      {report.filter && report.filter.evaluated > 0 && (
        <FilterTable filter={report.filter} plugins={filterPlugins(report)} />
      )}
      <ExtenderCalls calls={report.extender_calls ?? []} />
      <Steps points={report.points} />
    </>
  );
}

const filterPlugins = ({ points }: CycleReport): readonly string[] =>
  points.find(({ point }) => point === "filter")?.plugins.map(({ name }) => name) ?? [];

const OUTCOMES: Readonly<Record<DecisionSummary["outcome"], MeaningName>> = {
  scheduled: "chosen",
  unschedulable: "rejected",
  error: "victim",
  waiting: "waiting",
  skipped: "unresolvable",
};

function Answer({ summary }: { readonly summary: DecisionSummary }) {
  const several = useCluster(selectSeveralSchedulers);
  return (
    <div className={styles.answer}>
      <p>
        <Meaning name={OUTCOMES[summary.outcome]} word={t.inspector.outcomes[summary.outcome]} badge />{" "}
        {summary.node && <b>{summary.node}</b>}
        <PlayButton sequence={summary.sequence} label={t.film.openOf(summary.attempt)} />
        <span className={styles.when}>
          {several && `${summary.scheduler} · `}
          {formatTimeOfDay(summary.at)} · {t.inspector.took(summary.duration_us)}
        </span>
      </p>
      <p className={styles.plain} data-testid="in-words">
        {inWords(summary)}
      </p>
      {summary.message && (
        <blockquote className={styles.message} data-testid="message">
          {summary.message}
        </blockquote>
      )}
      {summary.rejected.length > 0 && summary.outcome !== "scheduled" && <Explained summary={summary} />}
    </div>
  );
}

function inWords(summary: DecisionSummary): string {
  const { outcome, feasible, evaluated, total_nodes: total, tied, top, nominated_node_name: nominated } = summary;
  const say = t.inspector.words;
  if (outcome === "error") return total === 0 ? say.noNodes : say.error;
  if (outcome === "skipped") return say.skipped;
  if (outcome === "unschedulable") {
    return say.unschedulable(evaluated, total) + (nominated ? say.makesRoom(nominated, summary.victims.length) : "");
  }
  const search = searchInWords(evaluated, total);
  if (feasible === 1) return say.onlyOne(total) + search;
  return say.best(feasible, top[0]?.total ?? 0) + (tied > 1 ? say.tied(tied) : "") + search;
}

/** Each plugin that rejected nodes: what it asks, in plain words. */
function Explained({ summary }: { readonly summary: DecisionSummary }) {
  const plugins = [...new Set(summary.rejected.map(({ plugin }) => plugin))];
  return (
    <ul className={styles.explained}>
      {plugins.map((plugin) => (
        <li key={plugin}>
          <b>
            <PluginWord name={plugin} />
          </b>{" "}
          {explainPlugin(plugin)}
        </li>
      ))}
    </ul>
  );
}
