/**
 * The edge of a panel that is dragged, or moved with the arrow keys, to resize it.
 *
 * It stands inside of its panel, on the side where the panel grows.
 */
import type { KeyboardEvent, PointerEvent } from "react";
import { classNames } from "./class_names";
import styles from "./splitter.module.css";

export interface SplitterProps {
  /** The direction of the line itself. */
  readonly line: "vertical" | "horizontal";
  /** +1: the panel grows to the right or downwards; -1: to the left or upwards. */
  readonly grows: 1 | -1;
  readonly size: number;
  readonly least: number;
  readonly most: number;
  readonly label: string;
  readonly onResize: (size: number) => void;
}

const KEY_STEP = 16;

export function Splitter({ line, grows, size, least, most, label, onResize }: SplitterProps) {
  const resize = (wanted: number) => onResize(Math.round(Math.min(most, Math.max(least, wanted))));
  const drag = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const start = line === "vertical" ? event.clientX : event.clientY;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (moved) =>
      resize(size + grows * ((line === "vertical" ? moved.clientX : moved.clientY) - start));
    handle.onlostpointercapture = () => {
      handle.onpointermove = null;
    };
  };
  const press = (event: KeyboardEvent) => {
    const [back, forth] = line === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== back && event.key !== forth) return;
    event.preventDefault();
    resize(size + grows * (event.key === forth ? KEY_STEP : -KEY_STEP));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be focused and moved
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={line}
      aria-label={label}
      aria-valuenow={size}
      // An empty queue is lower than the least that it is given room for.
      aria-valuemin={Math.min(least, size)}
      aria-valuemax={most}
      className={classNames(styles.splitter, styles[line], grows === 1 ? styles.end : styles.start)}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
