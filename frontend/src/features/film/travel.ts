/** The pod goes from the film to its node's card; with reduced motion the card lights up instead. */
import { fly } from "../queue/flight";

export function travelTo(pod: string, node: string, ghostClass: string): void {
  const start = document.querySelector("[data-film-pod]");
  const card = document.querySelector(`[data-testid="node"][data-node="${CSS.escape(node)}"]`);
  // The film takes its height from the board, and may have pushed the chosen node out of sight.
  card?.scrollIntoView({ block: "nearest" });
  fly(
    { uid: "", name: pod, lanes: ["bound"] },
    {
      before: start?.getBoundingClientRect(),
      lane: () => null,
      ticket: null,
      node: card,
    },
    ghostClass,
  );
}
