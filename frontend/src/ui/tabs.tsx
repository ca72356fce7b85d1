/** A row of tabs, moved through with the arrow keys. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./tabs.module.css";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly badge?: string | number | undefined;
}

interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  readonly label: string;
  /** Controls at the right end of the row. */
  readonly end?: ReactNode;
}

export function Tabs<Id extends string>({ tabs, selected, onSelect, label, end }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is selected, or the same at another place
  useEffect(() => bringIntoView(list.current), [selected, tabs.length]);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLElement) || event.target.role !== "tab") return;
    const at = tabs.findIndex((tab) => tab.id === selected);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <div className={styles.row}>
      <div ref={list} className={styles.tabs} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            data-testid={`tab-${tab.id}`}
            className={styles.tab}
            aria-selected={tab.id === selected}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
            {tab.badge !== undefined && <span className={styles.badge}>{tab.badge}</span>}
          </button>
        ))}
      </div>
      {end && <span className={styles.end}>{end}</span>}
    </div>
  );
}

/** Sideways only: `scrollIntoView` would move the panel as well. */
function bringIntoView(list: HTMLElement | null): void {
  const tab = list?.querySelector("[aria-selected=true]");
  if (!list || !tab) return;
  const [row, chosen] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  list.scrollLeft += Math.max(0, chosen.right - row.right) + Math.min(0, chosen.left - row.left);
}
