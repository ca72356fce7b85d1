/** What the colours mean, and what the filter found. A kind of pods is a button: it finds its pods. */
import type { CSSProperties } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { MOST_CATEGORIES } from "../../model/colouring";
import type { Problem } from "../../model/filter_language";
import type { Matches } from "../../model/matches";
import { Icon } from "../../ui/icons";
import { Meaning } from "../../ui/meaning";
import { filterText, useQuery } from "./board_filter";
import styles from "./board_legend.module.css";
import { colourWord } from "./node_text";
import { categoryCss, levelCss } from "./paint_colours";
import type { ShownColouring } from "./use_colouring";
import { useThrottled } from "./use_throttled";

interface BoardLegendProps {
  readonly colouring: ShownColouring;
  readonly matches: Matches | undefined;
}

export function BoardLegend({ colouring, matches }: BoardLegendProps) {
  return (
    <div className={styles.legend} data-testid="board-legend">
      <Found matches={matches} />
      <Colours colouring={colouring} />
    </div>
  );
}

function Colours({ colouring: { context, decision } }: { readonly colouring: ShownColouring }) {
  const { by } = context;
  const word = <b>{colourWord(by)}</b>;
  switch (by.kind) {
    case "utilisation":
      return (
        <>
          {word}
          <Scale from="0%" to="100%" />
          <span className={styles.entry}>
            <i data-over />
            {t.boardView.overcommit}
          </span>
        </>
      );
    case "score":
      return (
        <>
          {word}
          <Scale from={t.boardView.lowest} to={t.boardView.highest} />
          <Decision decision={decision} />
        </>
      );
    case "filter":
      return (
        <>
          {word}
          <Meaning name="fits" /> <Meaning name="rejected" /> <Meaning name="unresolvable" />
          <Decision decision={decision} />
        </>
      );
    default:
      return (
        <>
          {word}
          <Kinds colouring={{ context, decision }} />
        </>
      );
  }
}

function Scale({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <span className={styles.scale}>
      {from}
      {STEPS.map((level) => (
        <i key={level} style={{ background: levelCss(level) }} />
      ))}
      {to}
    </span>
  );
}

const STEPS = [0, 0.2, 0.4, 0.6, 0.8, 1];

function Decision({ decision }: Pick<ShownColouring, "decision">) {
  if (!decision) return <span>{t.boardView.noDecision}</span>;
  return <span className={styles.of}>{t.boardView.ofDecision(decision.pod.name, decision.attempt)}</span>;
}

const WORDS = { namespace: "ns:", owner: "owner:", priority: "priority:" } as const;

function Kinds({ colouring: { context } }: { readonly colouring: ShownColouring }) {
  const { by, categories } = context;
  if (!categories || (by.kind !== "namespace" && by.kind !== "owner" && by.kind !== "priority")) return null;
  const prefix = WORDS[by.kind];
  return (
    <>
      {categories.shown.map(({ name, pods }, index) => (
        <button
          key={name}
          type="button"
          className={styles.entry}
          disabled={name === ""}
          data-tip={`${name || t.boardView.noOwner}\t${t.pods(pods)}`}
          onClick={() => filterText.set(`${prefix}${name}`)}
        >
          <i style={{ background: categoryCss(index) } as CSSProperties} />
          {name || t.boardView.noOwner}
        </button>
      ))}
      {categories.others > 0 && (
        <span className={styles.entry}>
          <i data-others style={{ background: categoryCss(MOST_CATEGORIES) }} />
          {t.boardView.others}
        </span>
      )}
    </>
  );
}

/** Counting goes over every pod: on a cluster that changes all the time, not with every change. */
const COUNT_MS = 500;

function Found({ matches }: Pick<BoardLegendProps, "matches">) {
  const { problems, text } = useQuery();
  if (text.trim() === "") return null;
  return (
    <span className={styles.found} data-testid="filter-found">
      {matches && <Count matches={matches} />}
      {problems.map((problem) => (
        <span key={problem.kind + problem.word} className={styles.problem} data-tip={problemTip(problem)}>
          <Icon name="warning" size={11} />
          {t.boardView.problems[problem.kind](problem.word)}
        </span>
      ))}
      <button type="button" aria-label={t.boardView.clearFilter} onClick={() => filterText.set("")}>
        <Icon name="close" size={11} />
      </button>
    </span>
  );
}

const problemTip = (problem: Problem): string | undefined =>
  "known" in problem ? `${t.boardView.known}\n${problem.known.join("\n")}` : undefined;

function Count({ matches }: { readonly matches: Matches }) {
  const state = useThrottled(
    useCluster((current) => current),
    COUNT_MS,
  );
  const { nodes, pods } = matches.count(state);
  return (
    <output>
      {matches.query.text}: {t.boardView.found(nodes, pods)}
    </output>
  );
}
