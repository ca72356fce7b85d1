/** What the pods of a lane are grouped by: those that no node takes by their reason, those held at Permit by their PodGroup. */
import { useCallback } from "react";
import { useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { QueuedPodCard } from "../../model/messages.generated";
import { podGroupOf } from "../../model/pod_group";
import type { QueueName } from "../../model/selectors";
import { shortReason } from "./reason";

export function useGroupOf(lane: QueueName): ((card: QueuedPodCard) => string) | undefined {
  const store = useClusterStore();
  const byPodGroup = useCallback(
    ({ pod }: QueuedPodCard) => {
      const group = podGroupOf(store.get()?.pods.get(pod.uid));
      return group ? t.lane.podGroup(group) : t.lane.noPodGroup;
    },
    [store],
  );
  if (lane === "unschedulablePods") return byReason;
  return lane === "waiting" ? byPodGroup : undefined;
}

/** Many pods share few messages. */
const reasons = new Map<string, string>();
const MOST_REASONS = 500;

/** Some reasons name the pod itself: it is left out, so that those it shares the reason with stand together. */
function withoutName(message: string, name: string): string {
  if (!message.includes(name)) return message;
  const whole = name.replaceAll(".", "\\.");
  return message.replace(new RegExp(`(?<![\\w.-])${whole}(?![\\w.-])`, "g"), "…");
}

function byReason({ message: said, pod }: QueuedPodCard): string {
  const message = withoutName(said, pod.name);
  const known = reasons.get(message);
  if (known !== undefined) return known;
  if (reasons.size >= MOST_REASONS) reasons.clear();
  const reason = shortReason(message) || t.lane.noReason;
  reasons.set(message, reason);
  return reason;
}
