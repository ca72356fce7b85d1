/**
 * One tooltip for the whole page.
 *
 * Anything with a `data-tip` attribute shows it on hover and on keyboard focus; thousands of pods
 * on the board therefore cost nothing. Lines are separated by \n; a \t splits a line into a label
 * and a figure. It repeats or explains: whatever must be known has an accessible name of its own.
 * What is explained by it says so while it has the focus, so that a screen reader reads the tip too;
 * in the order of the page the tip itself has no place.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../app/messages";
import styles from "./tooltip.module.css";

interface Shown {
  readonly text: string;
  readonly anchor: DOMRect;
}

const DELAY_MS = 250;
const ID = "tooltip";

export function TooltipLayer() {
  const shown = useTip();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (shown && box.current) place(box.current, shown.anchor);
  }, [shown]);
  if (!shown) return null;
  return (
    <div ref={box} id={ID} className={styles.tip} role="tooltip" aria-hidden="true">
      <table>
        <tbody>
          {tipLines(shown.text).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and a tip is never changed
            <TipLine key={at} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** More do not fit on a screen; nor does a longer line help. */
const MOST_LINES = 20;
const LONGEST_LINE = 400;

export function tipLines(text: string): readonly string[] {
  const lines = text.split("\n");
  const shown = lines.slice(0, lines.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES);
  const cut = shown.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return lines.length > MOST_LINES ? [...cut, t.moreLines(lines.length - shown.length)] : cut;
}

function TipLine({ line }: { readonly line: string }) {
  const [label, figure] = line.split("\t");
  if (figure === undefined) {
    return (
      <tr>
        <td colSpan={2} style={{ textAlign: "left", color: "var(--text)", paddingLeft: 0 }}>
          {label}
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <td>{label}</td>
      <td>{figure}</td>
    </tr>
  );
}

function useTip(): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopDescribing = () => {};
    const hide = () => {
      clearTimeout(timer);
      stopDescribing();
      setShown(undefined);
    };
    const show = (event: Event, delay: number) => {
      const target = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
      hide();
      const text = target?.getAttribute("data-tip");
      if (!target || !text) return;
      timer = setTimeout(() => {
        if (target.isConnected) setShown({ text, anchor: target.getBoundingClientRect() });
      }, delay);
    };
    const over = (event: Event) => show(event, DELAY_MS);
    const focus = (event: Event) => {
      const { target } = event;
      if (!(target instanceof Element && target.matches(":focus-visible"))) return;
      show(event, 0);
      if (target.matches("[data-tip]")) stopDescribing = describe(target);
    };
    document.addEventListener("pointerover", over);
    document.addEventListener("focusin", focus);
    for (const kind of HIDING) document.addEventListener(kind, hide, true);
    return () => {
      hide();
      document.removeEventListener("pointerover", over);
      document.removeEventListener("focusin", focus);
      for (const kind of HIDING) document.removeEventListener(kind, hide, true);
    };
  }, []);
  return shown;
}

/** Until the answer is called, the tip is part of what describes the element. */
function describe(element: Element): () => void {
  const before = element.getAttribute("aria-describedby");
  const during = before ? `${before} ${ID}` : ID;
  element.setAttribute("aria-describedby", during);
  return () => {
    // Rendered anew meanwhile: not ours any more.
    if (element.getAttribute("aria-describedby") !== during) return;
    if (before === null) element.removeAttribute("aria-describedby");
    else element.setAttribute("aria-describedby", before);
  };
}

const HIDING = ["pointerdown", "keydown", "scroll", "focusout"] as const;

function place(box: HTMLElement, anchor: DOMRect): void {
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(Math.max(4, anchor.left + anchor.width / 2 - width / 2), window.innerWidth - width - 4);
  const above = anchor.top - height - 6;
  box.style.left = `${left}px`;
  box.style.top = `${above > 4 ? above : anchor.bottom + 6}px`;
}
