/** Nodes as cards, in their groups. The wheel with Ctrl and + - 0 change their size; the background can be dragged. */
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import { useSelected, useStore } from "../../app/use_store";
import type { DragState } from "../../interaction/drag";
import { type NodeGroup, ZONE_LABEL } from "../../model/grouping";
import type { NodeCard } from "../../model/messages.generated";
import { groupWord } from "./board_toolbar";
import styles from "./cards.module.css";
import { drag } from "./drag_controller";
import { NodeCardView } from "./node_card";
import { clampedCardZoom, LEAST_CARD_ZOOM } from "./view_mode";
import { ZoomControls } from "./zoom_controls";

const CARD_WIDTH = 232;
/** Beyond so many columns, regions do not ask for more width. */
const MOST_COLUMNS = 3;

interface CardsProps {
  readonly groups: readonly NodeGroup[];
  /** Asked for smaller than cards can be read. */
  readonly onZoomedOut: () => void;
}

export function Cards({ groups, onZoomedOut }: CardsProps) {
  const { groupBy } = useStore(preferences);
  const [zoom, setZoom] = useState(1);
  const area = useRef<HTMLDivElement>(null);
  const change = (factor: number) => {
    if (zoom * factor < LEAST_CARD_ZOOM) onZoomedOut();
    else setZoom(clampedCardZoom(zoom * factor));
  };
  useWheelZoom(area, change);
  useBackgroundDrag(area);
  useStillHeights(area);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") change(STEP);
    else if (event.key === "-") change(1 / STEP);
    else if (event.key === "0") setZoom(1);
    else return;
    event.preventDefault();
  };
  const named = groups.length > 1 || groups[0]?.name !== "";
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the cards inside, which have the focus */}
      <div ref={area} className={styles.scroll} onKeyDown={press}>
        <div className={styles.groups} style={{ "--card": `${CARD_WIDTH}px`, zoom } as CSSProperties}>
          {groups.map((group) => (
            <Group key={group.name} group={group} groupBy={groupBy} named={named} />
          ))}
        </div>
      </div>
      <ZoomControls onZoom={change} onFit={() => setZoom(1)} />
    </>
  );
}

interface GroupProps {
  readonly group: NodeGroup;
  readonly groupBy: string;
  readonly named: boolean;
}

/** A group is as wide as its nodes need, so that small ones share a row. */
const Group = memo(function Group({ group: { name, nodes }, groupBy, named }: GroupProps) {
  const width = Math.min(nodes.length, MOST_COLUMNS) * (CARD_WIDTH + 8) + 8;
  const title = name || (groupBy === ZONE_LABEL ? t.board.noZone : t.boardView.noLabel(groupWord(groupBy)));
  const over = useSelected(drag, (state) => isOver(state, name, nodes));
  return (
    <section
      className={styles.group}
      style={{ flex: `${nodes.length} 1 ${width}px` }}
      aria-label={groupBy === "" ? t.boardView.allNodes : `${groupWord(groupBy)} ${title}`}
      data-testid="zone"
      data-group={groupBy === "" ? undefined : name}
      data-over={over || undefined}
    >
      {named && (
        <h2>
          {title} <span>{t.nodes(nodes.length)}</span>
        </h2>
      )}
      <div className={styles.grid}>
        {nodes.map((node) => (
          <NodeCardView key={node.uid} node={node} />
        ))}
      </div>
    </section>
  );
});

/** Carried nodes would come here. */
function isOver(state: DragState, name: string, nodes: readonly NodeCard[]): boolean {
  if (state.kind !== "dragging" || state.source.kind !== "nodes") return false;
  const { over } = state;
  if (over?.kind === "group") return over.group === name;
  return over?.kind === "node" && nodes.some((node) => node.name === over.name);
}

/** While something is dragged, a pod that lands makes no card grow: what is under the hand stays there. */
function useStillHeights(area: React.RefObject<HTMLElement | null>): void {
  const held = useSelected(drag, isDragging);
  useLayoutEffect(() => {
    if (!held) return undefined;
    const cards = [...(area.current?.querySelectorAll<HTMLElement>('[data-testid="node"]') ?? [])];
    const heights = cards.map((card) => card.offsetHeight);
    cards.forEach((card, at) => {
      card.style.height = `${heights[at]}px`;
      card.style.overflow = "hidden";
    });
    return () => {
      for (const card of cards) {
        card.style.height = "";
        card.style.overflow = "";
      }
    };
  }, [held, area]);
}

const isDragging = ({ kind }: DragState): boolean => kind === "dragging";

const STEP = 1.15;
const WHEEL_PER_STEP = 100;

function useWheelZoom(area: React.RefObject<HTMLElement | null>, change: (factor: number) => void): void {
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    const element = area.current;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(STEP ** (-event.deltaY / WHEEL_PER_STEP));
    };
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  }, [area]);
}

/** With the mouse; a finger scrolls by itself. */
function useBackgroundDrag(area: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const isBackground = (event: PointerEvent) =>
      event.pointerType === "mouse" && event.button === 0 && !(event.target as Element).closest("[data-node]");
    element.addEventListener(
      "pointerdown",
      (event) => isBackground(event) && element.setPointerCapture(event.pointerId),
      {
        signal,
      },
    );
    element.addEventListener(
      "pointermove",
      (event) => element.hasPointerCapture(event.pointerId) && element.scrollBy(-event.movementX, -event.movementY),
      { signal },
    );
    return () => stop.abort();
  }, [area]);
}
