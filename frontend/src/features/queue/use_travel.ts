/**
 * After each change of the queue: shows the journeys of few pods, or counts for many.
 *
 * Where a ticket was is measured when the change arrives, before the page is drawn anew, and only
 * for the pods that will travel: measuring every ticket after every frame would cost more than
 * drawing them.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useCluster, useClusterStore, usePast } from "../../app/cluster_context";
import type { ClusterState, Uid } from "../../model/state";
import { fly } from "./flight";
import { type Journey, travelSince } from "./journey";

export interface LaneCount {
  readonly id: number;
  readonly count: number;
}

interface Departure {
  readonly journey: Journey;
  readonly before: DOMRect | undefined;
}

const NO_COUNTS: ReadonlyMap<string, LaneCount> = new Map();

export function useTravel(strip: RefObject<HTMLElement | null>, ghostClass: string): ReadonlyMap<string, LaneCount> {
  const store = useClusterStore();
  const moves = useCluster((state) => state.moves);
  const departures = useRef<Departure[]>([]);
  const [counts, setCounts] = useState(NO_COUNTS);
  const { standing } = usePast();

  useEffect(() => {
    const isRewound = () => standing.get().past !== undefined;
    let seen = store.get()?.moves.at(-1)?.id ?? 0;
    let wasRewound = isRewound();
    return store.subscribe(() => {
      const state = store.get();
      const last = state?.moves.at(-1)?.id ?? 0;
      if (!state || last === seen || !strip.current) return;
      // From live to the past and back nobody travels.
      if (wasRewound !== isRewound()) {
        wasRewound = isRewound();
        seen = last;
        return;
      }
      const travel = travelSince(state.moves, seen);
      seen = last;
      if (document.visibilityState !== "visible") return;
      for (const journey of travel.journeys) departures.current.push(departure(strip.current, journey));
      if (travel.counts.size > 0) setCounts(countsOf(travel.counts, last));
    });
  }, [store, strip, standing]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the lanes were drawn with new moves
  useLayoutEffect(() => {
    const [root, state] = [strip.current, store.get()];
    const leaving = departures.current.splice(0);
    if (!root || !state) return;
    for (const one of leaving) arrive(root, one, state, ghostClass);
  }, [moves]);
  return counts;
}

const countsOf = (counts: ReadonlyMap<string, number>, id: number) =>
  new Map([...counts].map(([lane, count]) => [lane, { id, count }]));

const ticketOf = (root: HTMLElement, uid: Uid) => root.querySelector(`[data-ticket="${CSS.escape(uid)}"]`);

function departure(root: HTMLElement, journey: Journey): Departure {
  return { journey, before: ticketOf(root, journey.uid)?.getBoundingClientRect() };
}

function arrive(root: HTMLElement, { journey, before }: Departure, state: ClusterState, ghostClass: string): void {
  const node = state.pods.get(journey.uid)?.node_name || state.bindings.get(journey.uid)?.node;
  fly(
    journey,
    {
      before,
      lane: (name) => root.querySelector(`[data-lane="${CSS.escape(name)}"]`),
      ticket: ticketOf(root, journey.uid),
      node: node ? document.querySelector(`[data-node="${CSS.escape(node)}"]`) : null,
    },
    ghostClass,
  );
}
