/**
 * A note at a node: beside its card or tile, wherever the window has room.
 *
 * Not a dialog over everything: the board stays in view, Escape and a press beside it put it away.
 */
import { type CSSProperties, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../app/messages";
import { IconButton } from "../../ui/button";
import { boardSurface } from "./board_surface";
import styles from "./drop_note.module.css";
import { placeOfHand } from "./drop_target";

interface NoteProps {
  readonly node: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly testId: string;
  readonly children: ReactNode;
}

export function NodeNote({ node, title, onClose, testId, children }: NoteProps) {
  const box = useRef<HTMLDivElement>(null);
  const heading = useId();
  const place = usePlace(node, box);
  useClosing(box, onClose);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div
      ref={box}
      role="dialog"
      aria-labelledby={heading}
      tabIndex={-1}
      className={styles.note}
      style={place}
      data-testid={testId}
      data-at-node={node}
    >
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" small label={t.close} onClick={onClose} />
      </div>
      {children}
    </div>
  );
}

/** Beside the node, or below it, wherever the window has room; grows without leaving it. */
function usePlace(node: string, box: React.RefObject<HTMLDivElement | null>): CSSProperties {
  // Not `visibility`: what is hidden cannot take the focus.
  const [place, setPlace] = useState<CSSProperties>({ opacity: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const anchor = anchorOf(node);
    const put = () => setPlace(beside(anchor, element.getBoundingClientRect()));
    put();
    const observer = new ResizeObserver(put);
    observer.observe(element);
    return () => observer.disconnect();
  }, [node, box]);
  return place;
}

function anchorOf(node: string): DOMRect {
  const selector = `[data-testid="node"][data-node="${CSS.escape(node)}"]`;
  const element = node === "" ? null : document.querySelector(selector);
  if (element) return element.getBoundingClientRect();
  const { x, y } = boardSurface()?.reveal(node) ?? placeOfHand();
  return new DOMRect(x - 8, y - 8, 16, 16);
}

const GAP = 8;

function beside(
  anchor: DOMRect,
  { width, height }: { readonly width: number; readonly height: number },
): CSSProperties {
  const right = anchor.right + GAP;
  const left = right + width < window.innerWidth ? right : anchor.left - width - GAP;
  const within = (at: number, size: number, most: number) => Math.max(GAP, Math.min(at, most - size - GAP));
  return { left: within(left, width, window.innerWidth), top: within(anchor.top, height, window.innerHeight) };
}

function useClosing(box: React.RefObject<HTMLDivElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const stop = new AbortController();
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      close.current();
    };
    const beside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) close.current();
    };
    document.addEventListener("keydown", press, { signal: stop.signal });
    document.addEventListener("pointerdown", beside, { signal: stop.signal, capture: true });
    return () => stop.abort();
  }, [box]);
}
