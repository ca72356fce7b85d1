/**
 * The cluster as a picture: zones as quiet regions, nodes as cards, pods inside.
 *
 * Each card listens to its own node only, so a pod that lands somewhere renders one card of a
 * thousand.
 */
import { useDroppable } from "@dnd-kit/core";
import { type CSSProperties, memo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { prefer, preferences } from "../../app/preferences";
import { useSelected, useStore } from "../../app/use_store";
import { type DragState, intentOf } from "../../interaction/drag";
import {
  selectBoundCount,
  selectPodNamespaces,
  selectStrandedCount,
  selectZones,
  type Zone,
} from "../../model/selectors";
import { EmptyState } from "../../ui/empty_state";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import styles from "./board.module.css";
import { BOARD_ID } from "./drag_and_drop";
import { drag } from "./drag_controller";
import { stripeOf } from "./namespace_stripe";
import { type Density, NodeCardView } from "./node_card";

/** From this many nodes on, cards become cells. */
const CELLS_FROM = 25;

const CARD_WIDTH: Readonly<Record<Density, number>> = { cards: 232, cells: 124 };

export function Board() {
  const zones = useCluster(selectZones);
  const count = zones.reduce((sum, zone) => sum + zone.nodes.length, 0);
  const wanted = useStore(preferences).density;
  const automatic: Density = count >= CELLS_FROM ? "cells" : "cards";
  const density = wanted === "auto" ? automatic : wanted;
  return (
    <>
      <Header nodes={count} />
      <Area>
        {count === 0 ? (
          <EmptyState title={t.board.empty}>{t.board.emptyHint}</EmptyState>
        ) : (
          <div className={styles.zones} style={{ "--card": `${CARD_WIDTH[density]}px` } as CSSProperties}>
            {zones.map((zone) => (
              <ZoneView key={zone.name} zone={zone} density={density} named={zones.length > 1 || zone.name !== ""} />
            ))}
          </div>
        )}
      </Area>
    </>
  );
}

function Area({ children }: { readonly children: React.ReactNode }) {
  const { setNodeRef } = useDroppable({ id: BOARD_ID });
  const hint = useSelected(drag, boardHint);
  return (
    <div
      ref={setNodeRef}
      className={styles.area}
      data-board
      data-drop={hint?.over ? "over" : undefined}
      data-testid="board"
    >
      {children}
    </div>
  );
}

interface Hint {
  readonly text: string;
  /** Whether a drop on the board itself does something. */
  readonly accepts: boolean;
  readonly over: boolean;
}

const hint = (text: string, accepts: boolean) =>
  [
    { text, accepts, over: false },
    { text, accepts, over: true },
  ] as const;

/** Made once: a hint that is the same object renders nothing anew. */
const HINTS: Readonly<Record<"bind" | "create" | "add_node", readonly [Hint, Hint]>> = {
  bind: hint(t.drag.dropHere, false),
  create: hint(t.drag.dropBoard, true),
  add_node: hint(t.drag.dropNode, true),
};

/** What a drop on the board itself would do. */
function boardHint(state: DragState): Hint | undefined {
  if (state.kind !== "dragging") return undefined;
  const intent = intentOf(state.source, { kind: "board" }, state.verdicts);
  const [resting, over] = HINTS[intent === "create" || intent === "add_node" ? intent : "bind"];
  const isOver = intent === "add_node" ? state.over !== undefined : state.over?.kind === "board";
  return isOver && resting.accepts ? over : resting;
}

interface ZoneProps {
  readonly zone: Zone;
  readonly density: Density;
  readonly named: boolean;
}

/** A zone is as wide as its nodes need, so that small zones share a row. */
const ZoneView = memo(function ZoneView({ zone, density, named }: ZoneProps) {
  const columns = Math.min(zone.nodes.length, density === "cells" ? 12 : 3);
  const width = columns * (CARD_WIDTH[density] + 8) + 8;
  return (
    <section
      className={styles.zone}
      style={{ flex: `${zone.nodes.length} 1 ${width}px` }}
      aria-label={`${t.board.zone} ${zone.name || t.board.noZone}`}
      data-testid="zone"
    >
      {named && (
        <h2>
          {zone.name || t.board.noZone} <span>{t.nodes(zone.nodes.length)}</span>
        </h2>
      )}
      <div className={styles.grid}>
        {zone.nodes.map((node) => (
          <NodeCardView key={node.uid} node={node} density={density} />
        ))}
      </div>
    </section>
  );
});

function Header({ nodes }: { readonly nodes: number }) {
  const pods = useCluster(selectBoundCount);
  const stranded = useCluster(selectStrandedCount);
  const { density } = useStore(preferences);
  const hint = useSelected(drag, boardHint);
  const choice = (id: "auto" | Density) => ({
    id: `density-${id}`,
    label: t.board.densities[id],
    checked: density === id,
    run: () => prefer({ density: id }),
  });
  return (
    <div
      className={styles.header}
      data-board
      data-drop={hint?.over ? "over" : undefined}
      data-offer={hint?.accepts}
      data-testid="board-header"
    >
      {hint ? (
        <span className={styles.hint}>
          <Icon name="download" size={12} />
          {hint.text}
        </span>
      ) : (
        <span className={styles.summary} data-testid="board-summary">
          {t.board.summary(nodes, pods)}
          {stranded > 0 && t.board.stranded(stranded)}
        </span>
      )}
      <Legend />
      <Menu
        label={t.board.density}
        buttonClassName={styles.density}
        items={[choice("auto"), choice("cards"), choice("cells")]}
      >
        {t.board.densities[density]}
        <Icon name="chevron_down" size={12} />
      </Menu>
    </div>
  );
}

function Legend() {
  const namespaces = useCluster(selectPodNamespaces);
  return (
    <span className={styles.legend}>
      {namespaces.map((name) => (
        <span key={name} className={styles.namespace} style={stripeOf(name)}>
          <i />
          {name}
        </span>
      ))}
    </span>
  );
}
