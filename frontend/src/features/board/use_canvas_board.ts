/** The canvas of the board as it lives: made once the room is known, and following what it shows by itself. */
import { useEffect, useRef } from "react";
import { useClusterStore } from "../../app/cluster_context";
import { preferences } from "../../app/preferences";
import { workbench } from "../../app/workbench";
import { type DragState, verdictOn } from "../../interaction/drag";
import type { BoardLayout, Size } from "../../model/board_layout";
import type { Verdict } from "../../model/colouring";
import type { Matches } from "../../model/matches";
import { filmOverlay } from "../../model/overlay";
import type { ClusterState } from "../../model/state";
import { meaningOfCode } from "../../ui/meaning";
import { picks } from "../touch/picks_store";
import type { Colouring, DragView, WantedDetail } from "./board_scene";
import { CanvasBoard } from "./canvas_board";
import { drag } from "./drag_controller";
import { filmView } from "./film_view";
import { verdictText } from "./verdict_text";

interface BoardParts {
  readonly canvas: React.RefObject<HTMLCanvasElement | null>;
  readonly board: CanvasBoard | undefined;
  readonly setBoard: (board: CanvasBoard | undefined) => void;
  readonly layout: BoardLayout | undefined;
  readonly view: Size | undefined;
  readonly colouring: Colouring;
  readonly matches: Matches | undefined;
  readonly wanted: WantedDetail;
  readonly moved: () => void;
}

export function useCanvasBoard({
  canvas,
  board,
  setBoard,
  layout,
  view,
  colouring,
  matches,
  wanted,
  moved,
}: BoardParts): void {
  const store = useClusterStore();
  const first = useRef({ layout, colouring, matches, wanted });
  first.current = { layout, colouring, matches, wanted };
  const ready = layout !== undefined;
  useEffect(() => {
    const { layout, ...rest } = first.current;
    const state = store.get();
    if (!ready || !layout || !state || !canvas.current) return undefined;
    const selection = selectedIn(state);
    const made = new CanvasBoard(
      canvas.current,
      { layout, state, drag: dragView(drag.get()), picked: picks.get().nodes, ...selection, ...rest },
      moved,
    );
    setBoard(made);
    const stops = [
      store.subscribe(() => followState(made, store.get())),
      workbench.subscribe(() => made.show(selectedIn(store.get()))),
      drag.subscribe(followDrag(made)),
      filmOverlay.subscribe(() => made.show({ drag: dragView(drag.get()) })),
      picks.subscribe(() => made.show({ picked: picks.get().nodes })),
      followScheme(() => made.restyle()),
    ];
    return () => {
      for (const stop of stops) stop();
      made.stop();
      setBoard(undefined);
    };
  }, [ready, store, canvas, setBoard, moved]);
  useEffect(() => {
    if (board && view) board.resize(view.width, view.height);
  }, [board, view]);
  useEffect(() => {
    if (board && layout) board.show({ layout, colouring, matches, wanted });
  }, [board, layout, colouring, matches, wanted]);
}

function followState(board: CanvasBoard, state: ClusterState | undefined): void {
  if (state) board.follow(state);
}

/** The node that is selected, and the pod. */
function selectedIn(state: ClusterState | undefined): {
  selectedNode: string | undefined;
  selectedPod: string | undefined;
} {
  const { selection } = workbench.get();
  if (!state || !selection) return { selectedNode: undefined, selectedPod: undefined };
  return {
    selectedNode: selection.kind === "node" ? selection.uid : undefined,
    selectedPod: selection.kind === "pod" ? selection.uid : undefined,
  };
}

const VERDICTS: Partial<Record<ReturnType<typeof meaningOfCode>, Verdict>> = {
  fits: "fits",
  unresolvable: "unresolvable",
};

/** Only what the drag changed is drawn: two tiles where the hand goes on, all where verdicts came. */
function followDrag(board: CanvasBoard): () => void {
  let before: DragState = drag.get();
  return () => {
    const now = drag.get();
    const [verdictsBefore, overBefore] = dragParts(before);
    const [verdicts, over] = dragParts(now);
    before = now;
    board.show({ drag: dragView(now) }, verdicts === verdictsBefore ? [overBefore, over] : undefined);
  };
}

function dragParts(state: DragState) {
  if (state.kind !== "dragging") return [undefined, undefined] as const;
  return [state.verdicts, state.over?.kind === "node" ? state.over.name : undefined] as const;
}

const NO_VICTIMS: ReadonlySet<string> = new Set();

function dragView(state: DragState): DragView | undefined {
  // What the hand does goes before what a film shows.
  if (state.kind !== "dragging") return filmView(filmOverlay.get());
  const { verdicts, over } = state;
  return {
    over: over?.kind === "node" ? over.name : undefined,
    victims: NO_VICTIMS,
    verdictOn: (node) => {
      const found = verdictOn(verdicts, node);
      if (!found) return undefined;
      const verdict = found.fits ? "fits" : (VERDICTS[meaningOfCode(found.code)] ?? "rejected");
      return { verdict, word: found.fits ? String(found.score ?? "") : verdictText(found) };
    },
  };
}

/** The system's scheme, and the one that was chosen here. */
function followScheme(restyle: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", restyle);
  let { theme } = preferences.get();
  const stop = preferences.subscribe(() => {
    if (preferences.get().theme === theme) return;
    theme = preferences.get().theme;
    requestAnimationFrame(restyle);
  });
  return () => {
    system.removeEventListener("change", restyle);
    stop();
  };
}
