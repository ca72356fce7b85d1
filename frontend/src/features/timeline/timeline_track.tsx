/** The drawn part of the timeline: ruler, attempts as columns, events as marks, the moment as a knob. */
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef } from "react";
import { useCluster, useIsRewound, usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { formatTimeOfDay } from "../../model/clock";
import {
  type Axis,
  attemptsIn,
  type Column,
  columnsOf,
  heightOf,
  panned,
  placeOf,
  type Scale,
  type Span,
  scaleOf,
  ticksOf,
  versionAt,
  zoomed,
} from "../../model/timeline";
import type { Timeline, TimelineMark } from "../../transport/history_api";
import type { PastFeed } from "../../transport/past_feed";
import { Icon } from "../../ui/icons";
import styles from "./timeline.module.css";
import { columnText, markIcon, markText } from "./timeline_text";
import { useWidth } from "./use_width";

const COLUMN_PX = 5;
const TICK_PX = 110;
/** The last time is left out where it would be cut. */
const LABEL_PX = 60;
/** Of the columns. */
const HEIGHT = 26;

interface TimelineTrackProps {
  readonly history: Timeline;
  readonly axis: Axis;
  readonly chosen: Column | undefined;
  readonly onChoose: (column: Column) => void;
  readonly onSpan: (span: Span | undefined) => void;
}

export function TimelineTrack({ history, axis, chosen, onChoose, onSpan }: TimelineTrackProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const scale = useMemo(() => scaleOf(history, axis), [history, axis]);
  const columns = useMemo(
    () => columnsOf(history, scale, Math.max(1, Math.floor(width / COLUMN_PX))),
    [history, scale, width],
  );
  useWheel(box, history, scale, onSpan);
  useDrag(box, history, scale);
  return (
    <div ref={box} className={styles.track} data-testid="timeline-track">
      <Ruler scale={scale} width={width} />
      <Columns columns={columns} width={width} chosen={chosen?.first} onChoose={onChoose} />
      <Marks marks={history.marks} scale={scale} />
      <Knob history={history} scale={scale} box={box} />
    </div>
  );
}

/** The wheel zooms around the pointer; sideways, or with Shift, it moves. */
function useWheel(
  box: { readonly current: HTMLElement | null },
  history: Timeline,
  scale: Scale,
  onSpan: (span: Span | undefined) => void,
): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const sideways = event.deltaX || (event.shiftKey ? event.deltaY : 0);
      if (sideways) onSpan(panned(history, Math.sign(sideways) * 0.1));
      else
        onSpan(
          zoomed(history, event.deltaY < 0 ? 0.7 : 1.4, versionAt(history, scale, shareOf(element, event.clientX))),
        );
    };
    // Not React's: that one is passive.
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, [box, history, scale, onSpan]);
}

/** From so many pixels on, a press is a drag. */
const DRAG_PX = 4;

/** A drag that begins anywhere on the track turns time; a click keeps what it means there. */
function useDrag(box: { readonly current: HTMLElement | null }, history: Timeline, scale: Scale): void {
  const past = usePast();
  const shown = useRef({ history, scale });
  shown.current = { history, scale };
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let pressedAt: number | undefined;
    const press = ({ button, clientX }: globalThis.PointerEvent) => {
      pressedAt = button === 0 ? clientX : undefined;
    };
    const move = ({ buttons, clientX, pointerId }: globalThis.PointerEvent) => {
      if (buttons === 0) pressedAt = undefined;
      if (pressedAt === undefined) return;
      const isDrag = element.hasPointerCapture(pointerId) || Math.abs(clientX - pressedAt) >= DRAG_PX;
      if (!isDrag) return;
      // Captured by the track: the click that ends the drag belongs to no column and to no mark.
      element.setPointerCapture(pointerId);
      past.goTo(versionAt(shown.current.history, shown.current.scale, shareOf(element, clientX)));
    };
    element.addEventListener("pointerdown", press);
    element.addEventListener("pointermove", move);
    return () => {
      element.removeEventListener("pointerdown", press);
      element.removeEventListener("pointermove", move);
    };
  }, [box, past]);
}

function shareOf(element: HTMLElement, x: number): number {
  const { left, width } = element.getBoundingClientRect();
  return (x - left) / Math.max(1, width);
}

const Ruler = memo(function Ruler({ scale, width }: { readonly scale: Scale; readonly width: number }) {
  const text = (tick: number) => (scale.axis === "time" ? formatTimeOfDay(tick) : t.number(tick));
  return (
    <div className={styles.ruler} aria-hidden="true">
      {ticksOf(scale, width / TICK_PX).map((tick) => (
        <span key={tick} style={{ left: `${100 * placeOf(scale, tick)}%` }}>
          {(1 - placeOf(scale, tick)) * width > LABEL_PX && text(tick)}
        </span>
      ))}
    </div>
  );
});

interface ColumnsProps {
  readonly columns: readonly Column[];
  readonly width: number;
  readonly chosen: number | undefined;
  readonly onChoose: (column: Column) => void;
}

/** For the eye and the mouse; the table has the same for everybody. */
const Columns = memo(function Columns({ columns, width, chosen, onChoose }: ColumnsProps) {
  const most = columns.reduce((highest, column) => Math.max(highest, attemptsIn(column)), 0);
  const mostChanges = columns.reduce((highest, { changes }) => Math.max(highest, changes), 0);
  return (
    <svg className={styles.columns} width={width} height={HEIGHT} aria-hidden="true">
      {columns.map((column) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same for keyboards
        <g
          key={column.first}
          transform={`translate(${Math.round(column.left * width)} 0)`}
          data-chosen={column.first === chosen}
          data-tip={columnText(column)}
          data-testid="timeline-column"
          onClick={() => onChoose(column)}
        >
          <rect className={styles.hit} width={COLUMN_PX} height={HEIGHT} />
          <rect
            className={styles.changes}
            y={HEIGHT - 1 - 3 * heightOf(column.changes, mostChanges)}
            width={COLUMN_PX - 1}
            height={1 + 3 * heightOf(column.changes, mostChanges)}
          />
          <Stack column={column} height={(HEIGHT - 5) * heightOf(attemptsIn(column), most)} />
        </g>
      ))}
    </svg>
  );
});

const PARTS = ["scheduled", "unschedulable", "errors"] as const;

/** The attempts of a column by outcome; what failed stands on top. */
function Stack({ column, height }: { readonly column: Column; readonly height: number }) {
  const all = attemptsIn(column);
  if (all === 0) return null;
  let bottom = HEIGHT - 4;
  return PARTS.map((part) => {
    const tall = (Math.max(3, height) * column[part]) / all;
    bottom -= tall;
    return tall > 0 && <rect key={part} className={styles[part]} y={bottom} width={COLUMN_PX - 1} height={tall} />;
  });
}

const MOST_MARKS_DRAWN = 120;

const Marks = memo(function Marks({
  marks,
  scale,
}: {
  readonly marks: readonly TimelineMark[];
  readonly scale: Scale;
}) {
  const past = usePast();
  return (
    <div className={styles.marks}>
      {marks.slice(-MOST_MARKS_DRAWN).map((mark) => (
        <button
          key={`${mark.version} ${mark.what}`}
          type="button"
          tabIndex={-1}
          aria-label={markText(mark)}
          data-what={mark.what}
          data-tip={`${markText(mark)}\t${formatTimeOfDay(mark.at)}`}
          style={{ left: `${100 * placeOf(scale, scale.axis === "time" ? mark.at : mark.version)}%` }}
          onClick={() => past.goTo(mark.version)}
        >
          <Icon name={markIcon(mark)} size={10} />
        </button>
      ))}
    </div>
  );
});

interface KnobProps {
  readonly history: Timeline;
  readonly scale: Scale;
  readonly box: { readonly current: HTMLElement | null };
}

/** A Page key goes a twentieth of what is shown. */
const PAGES = 20;

function Knob({ history, scale, box }: KnobProps) {
  const past = usePast();
  const rewound = useIsRewound();
  const { wanted } = useStore(past.standing);
  const version = useCluster((state) => state.version);
  const at = useCluster((state) => state.cluster.clock_at);
  const shown = wanted ?? version;
  const place = rewound || wanted !== undefined ? placeOf(scale, placed(scale, history, shown, at, wanted)) : 1;
  const scrub = (event: PointerEvent) => {
    if (box.current) past.goTo(versionAt(history, scale, shareOf(box.current, event.clientX)));
  };
  return (
    <div
      className={styles.scrubber}
      role="slider"
      tabIndex={0}
      aria-label={t.timeline.scrub}
      aria-valuemin={history.oldest}
      aria-valuemax={Math.max(history.newest, version)}
      aria-valuenow={shown}
      aria-valuetext={rewound ? t.timeline.atMoment(formatTimeOfDay(at), version) : t.timeline.live}
      data-testid="timeline-scrubber"
      onPointerDown={scrub}
      onKeyDown={(event) => press(event, past, history, shown)}
    >
      <span className={styles.knob} data-rewound={rewound} style={{ left: `${100 * place}%` }} />
    </div>
  );
}

/** While a version is read, the knob is where the hand is; its time is only known afterwards. */
function placed(scale: Scale, history: Timeline, version: number, at: number, wanted: number | undefined): number {
  if (scale.axis === "changes") return version;
  if (wanted === undefined) return at;
  return history.slots.findLast(({ first }) => first <= wanted)?.begins ?? history.oldest_at;
}

function press(event: KeyboardEvent, past: PastFeed, history: Timeline, shown: number): void {
  if (!scrubbed(event.key, past, history, shown)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Whether the key meant something. */
function scrubbed(key: string, past: PastFeed, history: Timeline, shown: number): boolean {
  const page = Math.max(1, Math.round((history.last - history.first) / PAGES));
  switch (key) {
    case "ArrowLeft":
      past.step(-1);
      return true;
    case "ArrowRight":
      past.step(1);
      return true;
    case "PageDown":
      past.goTo(shown - page);
      return true;
    case "PageUp":
      past.goTo(shown + page);
      return true;
    case "Home":
      past.goTo(history.oldest);
      return true;
    case "End":
    case "Escape":
      past.goLive();
      return true;
    default:
      return false;
  }
}
