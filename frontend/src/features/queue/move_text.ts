/** A queue move and its cause in one line. */
import { t } from "../../app/messages";
import type { QueueMove } from "../../model/messages.generated";
import { own } from "../../model/own";

export function laneName(queue: string, missing: string): string {
  if (queue === "") return missing;
  const lanes: Readonly<Record<string, { readonly name: string }>> = t.queue.lanes;
  return own(lanes, queue)?.name ?? queue;
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

/** `node n7 added → NodeResourcesFit: Queue`: the same for people. */
export function moveWhy({ event, object, plugin, hint }: QueueMove): string {
  const answer = plugin && ` → ${plugin}${hint && `: ${hint}`}`;
  return whatHappened(event, object) + answer;
}

function whatHappened(event: string, object: string): string {
  const [, resource = "", end = ""] = /^(.*?)(Add|Delete|Update.*|Placed|Bound)$/.exec(event) ?? [];
  // A pod's own creation; that of another has its name.
  const happened = own(t.happened, event);
  if (object === "" && happened) return happened;
  return own(t.done, end)?.(objectText(object, resource)) ?? happened ?? event;
}

/** `Node/n7` is node n7; without a name it is the pod itself, or any of the resource. */
function objectText(object: string, resource: string): string {
  const [, kind, name] = /^([^/]+)\/(.+)$/.exec(object) ?? [];
  if (kind && name) return `${kind === "Node" || kind === "Pod" ? kind.toLowerCase() : kind} ${name}`;
  return resource === "Pod" || resource === "" ? t.itself : resource;
}

export const moveText = (move: QueueMove): string => `${moveWay(move)} (${moveCause(move)})`;
