/**
 * The cluster as a picture, at every size: cards with pods inside while they can be read, a canvas of cells or of one
 * colour a node beyond that, or a table.
 *
 * Nothing here renders when a pod lands: a card listens to its own node, the canvas draws by itself.
 */
import { useDroppable } from "@dnd-kit/core";
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import { useSelected, useStore } from "../../app/use_store";
import type { DragState } from "../../interaction/drag";
import { groupsOf, type NodeGroup } from "../../model/grouping";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty_state";
import { ActionLine } from "../touch/action_line";
import styles from "./board.module.css";
import { useMatches } from "./board_filter";
import { useBoardGrip } from "./board_grip";
import { boardHint } from "./board_hint";
import { BoardLegend } from "./board_legend";
import { BoardLook } from "./board_look";
import { useBoardPicks } from "./board_picks";
import { AddNodesOpener, BoardToolbar } from "./board_toolbar";
import { Cards } from "./cards";
import { BOARD_ID } from "./drag_and_drop";
import { drag } from "./drag_controller";
import { POD_KEYS } from "./node_pods";
import { useColouring } from "./use_colouring";
import { useHeld } from "./use_held";
import { pictureOf } from "./view_mode";

const BoardCanvas = lazy(() => import("./board_canvas"));
const NodeTable = lazy(() => import("./node_table"));

export function Board() {
  const { groupBy, boardMode } = useStore(preferences);
  // Under a hand that holds something nothing moves away.
  const groups = useHeld(useCluster((state) => groupsOf(state.nodes, groupBy)));
  const count = groups.reduce((sum, group) => sum + group.nodes.length, 0);
  const colouring = useColouring();
  const { context } = colouring;
  const matches = useMatches();
  // Every card reads it: another object would render them all.
  const look = useMemo(() => ({ context, matches }), [context, matches]);
  return (
    <BoardLook value={look}>
      <BoardToolbar nodes={count} plugins={colouring.decision?.plugins ?? []} />
      {count > 0 && <BoardLegend colouring={colouring} matches={matches} />}
      <Area>
        {count === 0 ? (
          <EmptyState title={t.board.empty}>
            <p>{t.board.emptyHint}</p>
            <AddNodesOpener>
              {(open) => (
                <Button icon="plus" onClick={open}>
                  {t.addNodes.open}
                </Button>
              )}
            </AddNodesOpener>
          </EmptyState>
        ) : (
          <Suspense fallback={<p className={styles.waiting}>{t.loading}</p>}>
            <Picture groups={groups} count={count} mode={boardMode} />
          </Suspense>
        )}
      </Area>
      <ActionLine />
    </BoardLook>
  );
}

interface PictureProps {
  readonly groups: readonly NodeGroup[];
  readonly count: number;
  readonly mode: ReturnType<typeof preferences.get>["boardMode"];
}

function Picture({ groups, count, mode }: PictureProps) {
  const [closeUp, setCloseUp] = useState(true);
  const comeClose = useCallback(() => setCloseUp(true), []);
  const goAway = useCallback(() => setCloseUp(false), []);
  const picture = pictureOf(mode, count, closeUp);
  if (picture.kind === "cards") return <Cards groups={groups} onZoomedOut={goAway} />;
  if (picture.kind === "table") return <NodeTable />;
  return <BoardCanvas groups={groups} wanted={picture.wanted} onZoomedIn={comeClose} />;
}

function Area({ children }: { readonly children: ReactNode }) {
  const { setNodeRef } = useDroppable({ id: BOARD_ID });
  const hint = useSelected(drag, boardHint);
  const held = useSelected(drag, isDragging);
  const { handle, listeners } = useBoardGrip();
  const { lasso, handlers } = useBoardPicks();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the nodes and pods inside, which are controls
    <div
      ref={setNodeRef}
      className={styles.area}
      data-board
      data-drop={hint?.over ? "over" : undefined}
      data-held={held || undefined}
      data-testid="board"
      {...handlers}
      onMouseDown={listeners.onMouseDown}
      onTouchStart={listeners.onTouchStart}
      onKeyDown={(event) => {
        listeners.onKeyDown(event);
        handlers.onKeyDown(event);
      }}
    >
      {children}
      <p id={POD_KEYS} className="visually-hidden">
        {t.drag.podKeys}
      </p>
      <span ref={handle} className={styles.handle} aria-hidden />
      {lasso && (
        <div
          className={styles.lasso}
          style={{
            left: lasso.left,
            top: lasso.top,
            width: lasso.right - lasso.left,
            height: lasso.bottom - lasso.top,
          }}
          data-testid="lasso"
        />
      )}
    </div>
  );
}

const isDragging = ({ kind }: DragState): boolean => kind === "dragging";
