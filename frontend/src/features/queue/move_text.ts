/** A queue move and its cause in one line. */
import { t } from "../../app/messages";
import type { QueueMove } from "../../model/messages.generated";

export function laneName(queue: string, missing: string): string {
  if (queue === "") return missing;
  const lanes: Readonly<Record<string, { readonly name: string }>> = t.queue.lanes;
  return lanes[queue]?.name ?? queue;
}

/** `activeQ → unschedulablePods` */
export function moveWay({ source, target }: QueueMove): string {
  return `${laneName(source, t.queue.newPod)} → ${laneName(target, t.queue.deleted)}`;
}

/** `NodeAdd, Node/n7, NodeResourcesFit: Queue` */
export function moveCause({ event, object, plugin, hint }: QueueMove): string {
  const said = plugin && (hint ? `${plugin}: ${hint}` : plugin);
  return [event, object, said].filter(Boolean).join(", ");
}

export const moveText = (move: QueueMove): string => `${moveWay(move)} (${moveCause(move)})`;
