/** After each change of the queue: shows the journeys of few pods, or counts for many. */
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useCluster, useClusterStore } from "../../app/cluster_context";
import type { Uid } from "../../model/state";
import { fly } from "./flight";
import { type Journey, travelSince } from "./journey";

export interface LaneCount {
  readonly id: number;
  readonly count: number;
}

export function useTravel(strip: RefObject<HTMLElement | null>, ghostClass: string): ReadonlyMap<string, LaneCount> {
  const moves = useCluster((state) => state.moves);
  const store = useClusterStore();
  const seen = useRef(moves.at(-1)?.id ?? 0);
  const rects = useRef<ReadonlyMap<Uid, DOMRect>>(new Map());
  const [counts, setCounts] = useState<ReadonlyMap<string, LaneCount>>(new Map());

  useLayoutEffect(() => {
    const root = strip.current;
    const last = moves.at(-1)?.id ?? 0;
    if (!root) return;
    if (last !== seen.current && document.visibilityState === "visible") {
      const travel = travelSince(moves, seen.current);
      for (const journey of travel.journeys) flyIn(root, journey, rects.current.get(journey.uid), ghostClass, nodeOf);
      if (travel.counts.size > 0) {
        setCounts(new Map([...travel.counts].map(([lane, count]) => [lane, { id: last, count }])));
      }
    }
    seen.current = last;
    rects.current = measure(root);

    function nodeOf(uid: Uid): string {
      const state = store.get();
      return state?.pods.get(uid)?.node_name || state?.bindings.get(uid)?.node || "";
    }
  }, [moves, strip, store, ghostClass]);
  return counts;
}

function measure(root: HTMLElement): ReadonlyMap<Uid, DOMRect> {
  const tickets = root.querySelectorAll<HTMLElement>("[data-ticket]");
  return new Map([...tickets].map((ticket) => [ticket.dataset.ticket ?? "", ticket.getBoundingClientRect()]));
}

function flyIn(
  root: HTMLElement,
  journey: Journey,
  before: DOMRect | undefined,
  ghostClass: string,
  nodeOf: (uid: Uid) => string,
): void {
  const node = nodeOf(journey.uid);
  fly(
    journey,
    {
      before,
      lane: (name) => root.querySelector(`[data-lane="${CSS.escape(name)}"]`),
      ticket: root.querySelector(`[data-ticket="${CSS.escape(journey.uid)}"]`),
      node: node ? document.querySelector(`[data-node="${CSS.escape(node)}"]`) : null,
    },
    ghostClass,
  );
}
