/**
 * What the board is coloured by, with what that needs: the kinds of pods there are, or a decision.
 *
 * The decision is the selected pod's last one (or the attempt that is looked at), else the cluster's last. On a busy
 * cluster decisions come by the hundred: the board follows every second, not every one.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { decisionQuery } from "../../app/decision_query";
import { preferences } from "../../app/preferences";
import { useSelected, useStore } from "../../app/use_store";
import { workbench } from "../../app/workbench";
import {
  type Categories,
  type ColourBy,
  type ColourContext,
  categoriesOf,
  colourByOf,
  decisionColumns,
} from "../../model/colouring";
import type { CycleReport, PodRef } from "../../model/messages.generated";
import { useThrottled } from "./use_throttled";

const FOLLOW_MS = 1000;

export interface ShownColouring {
  readonly context: ColourContext;
  /** Of the decision shown, if the colours are a decision's. */
  readonly decision:
    | { readonly pod: PodRef; readonly attempt: number; readonly plugins: readonly string[] }
    | undefined;
}

export function useColouring(): ShownColouring {
  const { colourBy } = useStore(preferences);
  const by = useMemo(() => colourByOf(colourBy), [colourBy]);
  const categories = useCategories(by);
  const report = useDecision(by);
  return useMemo(
    () => ({
      context: { by, categories, decision: report && decisionColumns(report) },
      decision: report && {
        pod: report.pod,
        attempt: report.attempt,
        plugins: report.score?.plugins.map(({ plugin }) => plugin) ?? [],
      },
    }),
    [by, categories, report],
  );
}

const KINDS: ReadonlySet<ColourBy["kind"]> = new Set(["namespace", "owner", "priority"]);

function useCategories(by: ColourBy): Categories | undefined {
  const asked = KINDS.has(by.kind);
  const loads = useThrottledLoads(asked);
  return useMemo(() => {
    if (by.kind !== "namespace" && by.kind !== "owner" && by.kind !== "priority") return undefined;
    return loads && categoriesOf(by.kind, loads);
  }, [by, loads]);
}

function useThrottledLoads(asked: boolean) {
  const loads = useCluster((state) => (asked ? state.loads : undefined));
  return useThrottled(loads, FOLLOW_MS);
}

function useDecision(by: ColourBy): CycleReport | undefined {
  const slug = useClusterSlug();
  const asked = by.kind === "score" || by.kind === "filter";
  const sequence = useThrottled(useSequence(asked), FOLLOW_MS);
  const { data } = useQuery({
    ...decisionQuery(slug, sequence ?? 0),
    enabled: asked && sequence !== undefined,
    placeholderData: keepPreviousData,
  });
  return asked ? data : undefined;
}

/** The number of the decision to show. */
function useSequence(asked: boolean): number | undefined {
  const selection = useSelected(workbench, (bench) => (asked ? bench.selection : undefined));
  return useCluster((state) => {
    if (!asked) return undefined;
    if (selection?.kind !== "pod") return state.decisions.at(-1)?.sequence;
    const own = state.decisions.findLast(({ pod }) => pod.uid === selection.uid)?.sequence;
    return selection.sequence ?? own ?? state.decisions.at(-1)?.sequence;
  });
}
