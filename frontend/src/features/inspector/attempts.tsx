/**
 * The attempts to schedule a pod, a tab each, the newest open.
 *
 * Summaries of new attempts arrive over the WebSocket; those from before the page was opened are
 * read over REST. Both are merged by sequence.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useCluster, useClusterSlug, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { workbench } from "../../app/workbench";
import type { DecisionSummary, PodCard } from "../../model/messages.generated";
import { listDecisions } from "../../transport/api";
import { asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { ErrorNote } from "../../ui/error_note";
import { Tabs } from "../../ui/tabs";
import { DecisionView } from "./decision_view";
import styles from "./inspector.module.css";
import { Section } from "./section";
import { useAskedOfNodes, WhyNot } from "./why_not";

/** Tabs for at most this many of the newest attempts. */
const MOST = 12;

export function Attempts({ pod }: { readonly pod: PodCard }) {
  const { attempts, error, loading } = useAttempts(pod);
  const [chosen, setChosen] = useState<string>();
  const shown = attempts.slice(-MOST);
  const newest = shown.at(-1);
  const named = useNamedAttempt(pod.uid);
  const open = shown.find(({ sequence }) => String(sequence) === (chosen ?? named)) ?? newest;
  const asked = useAskedOfNodes();
  const questions = <WhyNot pod={pod} sequence={open?.sequence} asked={asked} />;
  // A pod that waits: what would help is read right below the message that says why it does.
  const bound = pod.node_name !== "";
  return (
    <>
      <Section title={t.inspector.attempts} note={attempts.length || undefined} testId="attempts">
        {error && <ErrorNote error={error} />}
        {!open && !error && <p className={styles.plain}>{loading ? t.loading : t.inspector.noAttempts}</p>}
        {open && (
          <>
            <Tabs
              label={t.inspector.attempts}
              tabs={shown.map((attempt) => ({
                id: String(attempt.sequence),
                label: t.inspector.attempt(attempt.attempt),
              }))}
              selected={String(open.sequence)}
              onSelect={setChosen}
            />
            <DecisionView summary={open}>{!bound && questions}</DecisionView>
          </>
        )}
      </Section>
      {(bound || !open) && questions}
    </>
  );
}

/** The attempt that the pod was selected for, by a film for instance. */
function useNamedAttempt(uid: string): string | undefined {
  const sequence = useSelected(workbench, ({ selection }) =>
    selection?.kind === "pod" && selection.uid === uid ? selection.sequence : undefined,
  );
  return sequence === undefined ? undefined : String(sequence);
}

function useAttempts({ uid, namespace, name }: PodCard) {
  const slug = useClusterSlug();
  const decisions = useCluster((state) => state.decisions);
  // While the past is shown, what came later is left out.
  const rewound = useIsRewound();
  const last = rewound ? (decisions.at(-1)?.sequence ?? 0) : Number.POSITIVE_INFINITY;
  const streamed = useMemo(() => decisions.filter(({ pod }) => pod.uid === uid), [decisions, uid]);
  const { data, error, isLoading } = useQuery({
    queryKey: ["decisions", slug, uid],
    queryFn: ({ signal }) => send(listDecisions(slug, { namespace, pod: name }), signal),
  });
  const attempts = useMemo(
    () =>
      merge(
        data?.results.filter(({ pod, sequence }) => pod.uid === uid && sequence <= last),
        streamed,
      ),
    [data, streamed, uid, last],
  );
  return { attempts, loading: isLoading, error: error && attempts.length === 0 ? asApiError(error) : undefined };
}

/** Oldest first, each sequence once. */
function merge(
  read: readonly DecisionSummary[] = [],
  streamed: readonly DecisionSummary[],
): readonly DecisionSummary[] {
  const all = new Map([...read, ...streamed].map((decision) => [decision.sequence, decision]));
  return [...all.values()].sort((a, b) => a.sequence - b.sequence);
}
