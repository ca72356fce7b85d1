/** What a hand holds, in a word or two. */
import { t } from "../../app/messages";
import type { DragSource } from "../../interaction/drag";
import { markText } from "../../interaction/marks";
import type { IconName } from "../../ui/icons";

export function sourceText(source: DragSource): string {
  switch (source.kind) {
    case "template":
      return source.template.title;
    case "mark":
      return markText(source.mark);
    case "nodes":
      return t.drag.nodes(source.names);
    default:
      return t.drag.pods(source.pods.map(({ name }) => name));
  }
}

export function sourceIcon(source: DragSource): IconName {
  if (source.kind === "mark") return source.mark.kind;
  const isNode = source.kind === "nodes" || (source.kind === "template" && source.template.kind === "Node");
  return isNode ? "node" : "pod";
}
