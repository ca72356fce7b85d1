/** The pod goes from the film to its node's card; with reduced motion the card lights up instead. */
import { fly } from "../queue/flight";

export function travelTo(pod: string, node: string, ghostClass: string): void {
  const start = document.querySelector("[data-film-pod]");
  fly(
    { uid: "", name: pod, lanes: ["bound"] },
    {
      before: start?.getBoundingClientRect(),
      lane: () => null,
      ticket: null,
      node: document.querySelector(`[data-testid="node"][data-node="${CSS.escape(node)}"]`),
    },
    ghostClass,
  );
}
