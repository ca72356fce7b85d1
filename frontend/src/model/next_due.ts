/**
 * What happens next by itself while the clock stands: it is what a step goes to when no pod can be tried.
 *
 * kube-scheduler looks at backoffQ once a second and at unschedulablePods every 30 s, so a pod leaves at the first look
 * after its time is over.
 */
import type { QueuedPodCard } from "./messages.generated";
import type { ClusterState } from "./state";

export interface NextDue {
  readonly what: "backoff" | "leftover" | "permit" | "binding";
  readonly pod: string;
  readonly uid: string;
  /** Cluster time. */
  readonly at: number;
  /** How many others are due at the same time. */
  readonly others: number;
}

const LEFTOVER_SECONDS = 300;
const LEFTOVER_LOOK_SECONDS = 30;

export function nextDue(state: ClusterState): NextDue | undefined {
  let first: NextDue | undefined;
  let others = 0;
  for (const card of state.queue.values()) {
    const due = dueOf(card, state);
    if (!due || (first && due.at > first.at)) continue;
    others = first && due.at === first.at ? others + 1 : 0;
    if (others === 0) first = { ...due, pod: card.pod.name, uid: card.pod.uid, others: 0 };
  }
  return first && { ...first, others };
}

/** Whether a step tries a pod now. */
export const hasReadyPod = (state: ClusterState): boolean => {
  for (const { queue } of state.queue.values()) if (queue === "activeQ") return true;
  return false;
};

function dueOf(card: QueuedPodCard, { bindings }: ClusterState): Pick<NextDue, "what" | "at"> | undefined {
  switch (card.queue) {
    case "backoffQ":
      return card.backoff_until === null ? undefined : { what: "backoff", at: Math.floor(card.backoff_until) + 1 };
    case "unschedulablePods":
      return { what: "leftover", at: nextLook(card.since + LEFTOVER_SECONDS) };
    case "waiting":
      return card.waits_until === null ? undefined : { what: "permit", at: card.waits_until };
    case "binding": {
      const at = bindings.get(card.pod.uid)?.due_at ?? null;
      return at === null ? undefined : { what: "binding", at };
    }
    default:
      return undefined;
  }
}

const nextLook = (over: number): number => (Math.floor(over / LEFTOVER_LOOK_SECONDS) + 1) * LEFTOVER_LOOK_SECONDS;
