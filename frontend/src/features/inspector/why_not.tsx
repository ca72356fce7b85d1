/**
 * "Why not that node?" and "what would make it schedulable?".
 *
 * Two answers to the first: what the attempt that is shown said of the node, and what the scheduler says
 * now, with every plugin that rejects it and what would have to change. The second is the same answer over
 * all nodes, nearest first.
 */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { decisionQuery } from "../../app/decision_query";
import { t } from "../../app/messages";
import type { PodCard } from "../../model/messages.generated";
import type { Rejection } from "../../model/nearest";
import { selectNodesByName } from "../../model/selectors";
import { verdictThen } from "../../model/verdict_then";
import { ErrorNote } from "../../ui/error_note";
import { Meaning } from "../../ui/meaning";
import styles from "./inspector.module.css";
import { NodeLink } from "./links";
import { PluginWord } from "./scheduler_word";
import { Section } from "./section";
import { StatusWord } from "./status_word";
import { useWouldFit, type WouldFitNow } from "./use_would_fit";
import { WhatWould } from "./what_would";
import own from "./why_not.module.css";

interface WhyNotProps {
  readonly pod: PodCard;
  /** Of the attempt that is shown, if there was one. */
  readonly sequence: number | undefined;
  readonly asked: AskedOfNodes;
}

/** What somebody asked; kept by the owner, so that the questions may move on the page. */
export function useAskedOfNodes() {
  const [node, setNode] = useState("");
  const [everywhere, setEverywhere] = useState(false);
  return { node, setNode, everywhere, setEverywhere };
}

type AskedOfNodes = ReturnType<typeof useAskedOfNodes>;

export function WhyNot({ pod, sequence, asked: { node, setNode, everywhere, setEverywhere } }: WhyNotProps) {
  const exists = useCluster((state) => selectNodesByName(state).has(node));
  const now = useWouldFit(pod, everywhere || exists);
  return (
    <>
      <Section title={t.whyNot.wouldTitle} testId="what-would">
        <WhatWould
          now={now}
          onAsk={() => (everywhere ? now.ask() : setEverywhere(true))}
          asked={everywhere || exists}
        />
      </Section>
      <Section title={t.whyNot.title} testId="why-not">
        <NodePicker value={node} onPick={setNode} />
        {exists && (
          <>
            {sequence !== undefined && <Then sequence={sequence} node={node} />}
            <Now pod={pod} node={node} now={now} />
          </>
        )}
      </Section>
    </>
  );
}

/** Suggestions shown at a time: a list of thousands helps nobody. */
const MOST_SUGGESTED = 50;

function NodePicker({ value, onPick }: { readonly value: string; readonly onPick: (node: string) => void }) {
  const id = useId();
  const nodes = useCluster(selectNodesByName);
  const matching = [...nodes.keys()].filter((name) => name.includes(value)).slice(0, MOST_SUGGESTED);
  return (
    <div className={own.picker}>
      <input
        type="search"
        className={styles.search}
        list={id}
        aria-label={t.whyNot.choose}
        placeholder={t.whyNot.choose}
        value={value}
        onChange={(event) => onPick(event.target.value)}
        data-testid="why-not-node"
      />
      <datalist id={id}>
        {matching.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

function Then({ sequence, node }: { readonly sequence: number; readonly node: string }) {
  const slug = useClusterSlug();
  const { data } = useQuery(decisionQuery(slug, sequence));
  if (!data) return null;
  const found = verdictThen(data, node);
  return (
    <div className={own.answer} data-testid="why-not-then" data-kind={found.kind}>
      <h4>{t.whyNot.atAttempt}</h4>
      {found.kind === "chosen" && <p>{t.whyNot.isThere}</p>}
      {found.kind === "passed" && <p>{t.whyNot.passedThen}</p>}
      {found.kind === "not_asked" && <p>{t.whyNot.notAsked}</p>}
      {found.kind === "unknown" && <p>{t.whyNot.unknownThen}</p>}
      {found.kind === "tied" && <p>{t.whyNot.tiedThen(found.chosen)}</p>}
      {found.kind === "rejected" && (
        <p>
          {t.whyNot.rejectedThen(found.status.plugin || "PreFilter")} <StatusWord status={found.status} />
        </p>
      )}
      {found.kind === "lost" && (
        <>
          <p>
            {found.behind > 0
              ? t.whyNot.lostBy(found.behind, found.chosen)
              : t.whyNot.ahead(-found.behind, found.chosen)}
          </p>
          <ul className={own.differences}>
            {found.by.map(({ plugin, points }) => (
              <li key={plugin}>
                <PluginWord name={plugin} /> <b>{t.whyNot.difference(points)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface NowProps {
  readonly pod: PodCard;
  readonly node: string;
  readonly now: WouldFitNow;
}

function Now({ pod, node, now: { verdicts, asking, error } }: NowProps) {
  const verdict = verdicts?.get(node);
  return (
    <div className={own.answer} data-testid="why-not-now" data-fits={verdict?.fits}>
      <h4>{t.whyNot.now}</h4>
      {error && <ErrorNote error={error} />}
      {!verdict && asking && <p className={styles.plain}>{t.whyNot.asking}</p>}
      {pod.node_name === node && <p>{t.whyNot.isThere}</p>}
      {verdict?.fits && pod.node_name !== node && (
        <p>
          <Meaning name="fits" /> {t.whyNot.fitsNow(verdict.score)}
        </p>
      )}
      {verdict && !verdict.fits && <Rejections rejections={verdict.rejections} />}
    </div>
  );
}

/** Every plugin that rejects, in the scheduler's own words, and what would have to change in ours. */
export function Rejections({
  rejections,
}: {
  readonly rejections: readonly (Rejection & { readonly code?: string })[];
}) {
  return (
    <ul className={own.rejections}>
      {rejections.map(({ plugin, reasons, remedies, code = "Unschedulable" }) => (
        <li key={`${plugin} ${reasons}`} data-plugin={plugin}>
          <p>
            <b>
              <PluginWord name={plugin || "PreFilter"} />
            </b>{" "}
            <StatusWord status={{ code, plugin, reasons }} />
          </p>
          <p className={own.remedies}>
            {t.whyNot.change} <b>{remedies.length > 0 ? remedies.join(", ") : t.whyNot.noRemedy}</b>
          </p>
        </li>
      ))}
    </ul>
  );
}

export const NodeNames = ({ nodes }: { readonly nodes: readonly string[] }) => (
  <>
    <NodeLink name={nodes[0] ?? ""} />
    {nodes.length > 1 && <span data-tip={nodes.slice(1, 12).join("\n")}>{t.whyNot.others(nodes.length - 1)}</span>}
  </>
);
