/** Nodes and pods in words: for tooltips, and for whoever hears the board instead of seeing it. */
import { t } from "../../app/messages";
import { type ColourBy, type ColourContext, type Paint, paintOfNode, TOTAL } from "../../model/colouring";
import type { NodeCard, PodCard } from "../../model/messages.generated";
import { barsOf, taintText } from "../../model/node_view";
import { statusText } from "../../model/phase";
import { formatQuantity, shortResource } from "../../model/quantity";
import type { NodeLoad } from "../../model/state";

/** What the board is coloured by, in a word. */
export function colourWord(by: ColourBy): string {
  if (by.kind === "utilisation") return t.boardView.utilisationOf(shortResource(by.resource));
  if (by.kind === "score") return by.plugin === TOTAL ? t.boardView.totalScore : t.boardView.scoreOf(by.plugin);
  return t.boardView.colours[by.kind];
}

export function paintWord(paint: Paint): string {
  if (paint.kind === "verdict") {
    const verdict = t.meaning[paint.verdict].word;
    return paint.word ? `${verdict}: ${paint.word}` : verdict;
  }
  if (paint.kind === "none") return t.boardView.nothing;
  return paint.word === "" ? t.boardView.noOwner : paint.word;
}

const statesOf = (node: NodeCard): readonly string[] => [
  ...(node.ready === "True" ? [] : [node.ready === "Unknown" ? t.board.unknown : t.board.notReady]),
  ...(node.unschedulable ? [t.board.cordoned] : []),
];

export function nodeTip(node: NodeCard, load: NodeLoad, context: ColourContext): string {
  const bars = barsOf(node, load.usage).map(
    ({ resource, requested, allocatable }) =>
      `${shortResource(resource)}\t${formatQuantity(resource, requested)} / ${formatQuantity(resource, allocatable)}`,
  );
  const zone = node.zone ? [`${t.board.zone}\t${node.zone}`] : [];
  const taints = node.taints.map((taint) => `taint\t${taintText(taint)}`);
  return [node.name, ...statesOf(node), ...zone, ...bars, ...taints, ...colourLine(node, load, context)].join("\n");
}

/** Utilisation stands in the bars already. */
function colourLine(node: NodeCard, load: NodeLoad, context: ColourContext): readonly string[] {
  if (context.by.kind === "utilisation") return [];
  return [`${colourWord(context.by)}\t${paintWord(paintOfNode(context, node, load))}`];
}

export function nodeText(node: NodeCard, load: NodeLoad, context: ColourContext): string {
  const colour = `${colourWord(context.by)} ${paintWord(paintOfNode(context, node, load))}`;
  const zone = node.zone ? [`${t.board.zone} ${node.zone}`] : [];
  return [node.name, ...statesOf(node), ...zone, t.pods(load.pods.length), colour].join(", ");
}

export function podTip(pod: PodCard): string {
  const requests = Object.entries(pod.requests).map(([name, amount]) => `${name}\t${formatQuantity(name, amount)}`);
  const priority = pod.priority === 0 ? [] : [t.board.priority(pod.priority)];
  return [`${pod.namespace}/${pod.name}`, statusText(pod), ...priority, ...requests].join("\n");
}
