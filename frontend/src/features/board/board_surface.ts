/**
 * Which node is where, for whoever has a point of the screen in hand: a drag, the keyboard, a menu.
 *
 * Cards are found in the document by their `data-node`. A canvas has no elements for its nodes: while it is on
 * the page it stands here, and answers the same questions.
 */
export interface Spot {
  readonly name: string;
  /** Middle of the node, in pixels of the window. */
  readonly x: number;
  readonly y: number;
}

export interface BoardSurface {
  /** Name of the node at a point of the window. */
  readonly node_at: (x: number, y: number) => string | undefined;
  /** Uid of the pod at a point of the window, where pods are drawn. */
  readonly pod_at: (x: number, y: number) => string | undefined;
  /** The same, where tiles are so large that a hand means the pod and not the board. */
  readonly pod_to_drag: (x: number, y: number) => string | undefined;
  readonly spots: () => readonly Spot[];
  /** Brings a node into view; answers where it is then. */
  readonly reveal: (name: string) => Spot | undefined;
}

let surface: BoardSurface | undefined;

/** Answers a function that takes it away again. */
export function putSurface(put: BoardSurface): () => void {
  surface = put;
  return () => {
    if (surface === put) surface = undefined;
  };
}

/** The canvas on the page, if nodes are drawn on one. */
export const boardSurface = (): BoardSurface | undefined => surface;

/** Name of the node at a point of the window, in every mode of the board. */
export function node_at(x: number, y: number): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const node = element.closest<HTMLElement>("[data-node]")?.dataset.node;
    if (node) return node;
    if (element.closest("[data-node-surface]")) return surface?.node_at(x, y);
  }
  return undefined;
}
