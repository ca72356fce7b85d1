/** The pods of a lane: only those in view are drawn, under headings where the lane is grouped. */
import { memo, useMemo, useRef, useState } from "react";
import { t } from "../../app/messages";
import { useRowsInView } from "../../app/use_rows_in_view";
import type { QueuedPodCard } from "../../model/messages.generated";
import { groupedBy, groupedRows, type LaneGroup, type LaneRow, plainRows } from "../../model/queue_rows";
import { Icon } from "../../ui/icons";
import styles from "./queue_strip.module.css";
import { Ticket } from "./ticket";

/** A ticket and the gap below it. */
export const ROW_HEIGHT = 24;

interface LaneRowsProps {
  readonly cards: readonly QueuedPodCard[];
  readonly label: string;
  /** What pods are grouped by; a lane without it, or with one group only, is a plain list. */
  readonly groupOf?: ((card: QueuedPodCard) => string) | undefined;
}

export const LaneRows = memo(function LaneRows({ cards, label, groupOf }: LaneRowsProps) {
  const box = useRef<HTMLUListElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(NONE);
  const groups = useMemo(() => (groupOf ? groupedBy(cards, groupOf) : []), [cards, groupOf]);
  const rows = useMemo(
    () => (groups.length > 1 ? groupedRows(groups, closed) : plainRows(cards)),
    [groups, closed, cards],
  );
  const { first, end, height } = useRowsInView(box, rows.count, ROW_HEIGHT);
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, place) => rows.at(first + place));
  return (
    <ul
      ref={box}
      className={styles.tickets}
      aria-label={label}
      tabIndex={rows.count * ROW_HEIGHT > height ? 0 : undefined}
    >
      <li aria-hidden="true" style={{ height: first * ROW_HEIGHT }} />
      {shown.map(
        (row) => row && <Row key={keyOf(row)} row={row} onToggle={(one) => setClosed(toggled(closed, one))} />,
      )}
      <li aria-hidden="true" style={{ height: (rows.count - end) * ROW_HEIGHT }} />
    </ul>
  );
});

const NONE: ReadonlySet<string> = new Set();

const keyOf = (row: LaneRow): string =>
  row.kind === "group" ? `group ${row.group.label}` : `${row.card.pod.uid} ${row.card.scheduler}`;

function toggled(closed: ReadonlySet<string>, label: string): ReadonlySet<string> {
  const next = new Set(closed);
  if (!next.delete(label)) next.add(label);
  return next;
}

interface RowProps {
  readonly row: LaneRow;
  readonly onToggle: (label: string) => void;
}

function Row({ row, onToggle }: RowProps) {
  return (
    <li className={styles.row}>
      {row.kind === "pod" ? (
        <Ticket card={row.card} grouped={row.grouped} />
      ) : (
        <Heading group={row.group} open={row.open} onToggle={onToggle} />
      )}
    </li>
  );
}

interface HeadingProps {
  readonly group: LaneGroup;
  readonly open: boolean;
  readonly onToggle: (label: string) => void;
}

function Heading({ group: { label, cards }, open, onToggle }: HeadingProps) {
  return (
    <button
      type="button"
      className={styles.group}
      aria-expanded={open}
      data-tip={t.lane.group(label, cards.length)}
      data-testid="lane-group"
      onClick={() => onToggle(label)}
    >
      <Icon name={open ? "chevron_down" : "chevron_right"} size={11} />
      <span>{label}</span>
      <b>{t.number(cards.length)}</b>
    </button>
  );
}
