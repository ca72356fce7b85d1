/** A panel beside the board: tabs, an edge to resize it, a button to put it away. */
import type { ReactNode } from "react";
import { IconButton } from "../ui/button";
import { Splitter } from "../ui/splitter";
import { type Tab, Tabs } from "../ui/tabs";
import { PanelBoundary } from "./panel_boundary";
import styles from "./shell.module.css";

interface SidePanelProps<Id extends string> {
  readonly side: "left" | "right";
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly width: number;
  readonly widths: readonly [least: number, most: number];
  readonly onResize: (width: number) => void;
  readonly tabs: readonly Tab<Id>[];
  readonly tab: Id;
  readonly onTab: (tab: Id) => void;
  readonly labels: { readonly panel: string; readonly show: string; readonly hide: string; readonly resize: string };
  /** The open tab's content. */
  readonly children: ReactNode;
}

export function SidePanel<Id extends string>(props: SidePanelProps<Id>) {
  const { side, open, onOpen, width, labels } = props;
  const [towardsEdge, towardsBoard] =
    side === "left" ? (["chevron_left", "chevron_right"] as const) : (["chevron_right", "chevron_left"] as const);
  if (!open) {
    return (
      <aside className={styles.rail} aria-label={labels.panel}>
        <IconButton icon={towardsBoard} label={labels.show} small onClick={() => onOpen(true)} />
      </aside>
    );
  }
  const hide = <IconButton icon={towardsEdge} label={labels.hide} small onClick={() => onOpen(false)} />;
  return (
    <aside className={styles[side]} style={{ width }} aria-label={labels.panel} data-side={side}>
      <Tabs label={labels.panel} tabs={props.tabs} selected={props.tab} onSelect={props.onTab} end={hide} />
      <div className={styles.content} role="tabpanel">
        <PanelBoundary key={props.tab}>{props.children}</PanelBoundary>
      </div>
      <Splitter
        line="vertical"
        grows={side === "left" ? 1 : -1}
        size={width}
        least={props.widths[0]}
        most={props.widths[1]}
        label={labels.resize}
        onResize={props.onResize}
      />
    </aside>
  );
}
