/**
 * A node as cells, one a core, and its pods packed into them: a pod of 500m fills half a cell, one of
 * two cores fills two.
 *
 * Positions are in cells along one line; whoever draws breaks the line into rows. A node of many cores
 * has cells of several cores each, so that it stays a node and does not become a wall. Pods that ask for no
 * cpu are drawn as a sliver: they are there. What does not fit within the cores (over-commit by hand) goes on
 * behind the last cell.
 */
import type { PodCard } from "./messages.generated";
import { isTerminal } from "./state";

export interface CellGrid {
  /** Cells in the node. */
  readonly count: number;
  readonly coresPerCell: number;
}

export interface PackedPod {
  readonly pod: PodCard;
  /** In cells, from the first. */
  readonly from: number;
  readonly to: number;
}

const MOST_CELLS = 36;
const SLIVER_CORES = 0.05;

export function cellsOf(cpuMillis: number): CellGrid {
  const cores = Math.max(1, Math.ceil(cpuMillis / 1000));
  const coresPerCell = 2 ** Math.max(0, Math.ceil(Math.log2(cores / MOST_CELLS)));
  return { count: Math.ceil(cores / coresPerCell), coresPerCell };
}

export function packPods(pods: readonly PodCard[], { coresPerCell }: CellGrid): readonly PackedPod[] {
  let at = 0;
  return pods
    .filter((pod) => !isTerminal(pod))
    .map((pod) => {
      const from = at;
      at += Math.max((pod.requests.cpu ?? 0) / 1000, SLIVER_CORES) / coresPerCell;
      return { pod, from, to: at };
    });
}
