/** A panel beside the board: tabs, an edge to resize it, a button to put it away. On a tablet it is a sheet over the board. */
import { type ReactNode, useEffect, useRef } from "react";
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
  const { side, open, width, labels } = props;
  const { toggle, keepFocus } = useToggle(open);
  const setOpen = (next: boolean) => {
    keepFocus();
    props.onOpen(next);
  };
  const [towardsEdge, towardsBoard] =
    side === "left" ? (["chevron_left", "chevron_right"] as const) : (["chevron_right", "chevron_left"] as const);
  if (!open) {
    return (
      <aside className={styles.rail} data-side={side} aria-label={labels.panel}>
        <IconButton ref={toggle} icon={towardsBoard} label={labels.show} small onClick={() => setOpen(true)} />
      </aside>
    );
  }
  const hide = <IconButton ref={toggle} icon={towardsEdge} label={labels.hide} small onClick={() => setOpen(false)} />;
  const content = props.tabs.find(({ id }) => id === props.tab)?.label;
  return (
    <div className={styles.place}>
      <aside
        className={styles[side]}
        style={{ width }}
        data-side={side}
        data-testid={`panel-${side}`}
        aria-label={labels.panel}
      >
        <Tabs label={labels.panel} tabs={props.tabs} selected={props.tab} onSelect={props.onTab} end={hide} />
        <div className={styles.content} role="tabpanel" aria-label={content} tabIndex={-1}>
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
    </div>
  );
}

/** The button that shows a panel and the one that hides it are two: who pressed the one stands on the other. */
function useToggle(open: boolean) {
  const toggle = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of `open`
  useEffect(() => {
    if (pressed.current) toggle.current?.focus();
    pressed.current = false;
  }, [open]);
  const keepFocus = () => {
    pressed.current = true;
  };
  return { toggle, keepFocus };
}
