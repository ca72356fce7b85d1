/**
 * A button that opens a list of actions.
 *
 * The list is a native popover: it lies above everything, closes on Escape and on a click beside
 * it. Arrow keys, Home and End move in it.
 */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useIsHeld } from "./acting";
import { classNames } from "./class_names";
import { Icon, type IconName } from "./icons";
import styles from "./menu.module.css";

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly shortcut?: string;
  /** A line below the pointer: the command that does the same. */
  readonly tip?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** It changes the cluster: disabled while the page is not live. */
  readonly acts?: boolean;
  /** Set for a choice among several. */
  readonly checked?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  readonly items: readonly MenuItem[];
  readonly label: string;
  /** The button's content. */
  readonly children: ReactNode;
  readonly buttonClassName?: string | undefined;
  readonly testId?: string;
}

export function Menu({ items, label, children, buttonClassName, testId }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  const choose = (item: MenuItem) => {
    list.current?.hidePopover();
    button.current?.focus();
    item.run();
  };
  return (
    <span className={styles.anchor}>
      <button
        ref={button}
        type="button"
        className={buttonClassName}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
        data-testid={testId}
        data-no-drag
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        onKeyDown={moveFocus}
        onToggle={(event) => {
          const nowOpen = event.newState === "open";
          setOpen(nowOpen);
          if (nowOpen && button.current) openAt(event.currentTarget, button.current.getBoundingClientRect());
        }}
      >
        {open && items.map((item) => <Item key={item.id} item={item} onChoose={() => choose(item)} />)}
      </div>
    </span>
  );
}

function Item({ item, onChoose }: { readonly item: MenuItem; readonly onChoose: () => void }) {
  const isChoice = item.checked !== undefined;
  const held = useIsHeld(item.acts ?? false);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked is set only with menuitemradio
    <button
      type="button"
      role={isChoice ? "menuitemradio" : "menuitem"}
      aria-checked={isChoice ? item.checked : undefined}
      className={classNames(styles.item, item.danger && styles.danger, item.checked && styles.checked)}
      disabled={item.disabled || held}
      onClick={onChoose}
      data-tip={item.tip}
      data-testid={`menu-${item.id}`}
    >
      {item.icon && <Icon name={item.icon} />}
      <span>{item.label}</span>
      {item.checked && <Icon name="fits" size={12} />}
      {item.shortcut && <kbd>{item.shortcut}</kbd>}
    </button>
  );
}

function openAt(list: HTMLElement, anchor: DOMRect): void {
  // The items are rendered after the toggle: measure in the next frame.
  requestAnimationFrame(() => {
    const { width, height } = list.getBoundingClientRect();
    const below = anchor.bottom + 4;
    list.style.left = `${Math.max(4, Math.min(anchor.left, window.innerWidth - width - 4))}px`;
    list.style.top = `${below + height < window.innerHeight ? below : Math.max(4, anchor.top - height - 4)}px`;
    list.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  });
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("button:not(:disabled)")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items[(to + items.length) % items.length]?.focus();
}
