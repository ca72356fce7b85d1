/**
 * The board as a table: every node a row, sorted by any column, copied as CSV.
 *
 * Only the rows in view are in the document, so five thousand cost as much as fifty; rows say their place
 * (`aria-rowindex`), and the arrow keys, Page and Home/End go through all of them.
 */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useRowsInView } from "../../app/use_rows_in_view";
import { useSelected } from "../../app/use_store";
import { isSelected, select, workbench } from "../../app/workbench";
import { paintOfNode } from "../../model/colouring";
import { toCsv } from "../../model/csv";
import { COLUMNS, type Column, type NodeRow, nodeRows, type Order, shareOf, sortedRows } from "../../model/node_rows";
import { formatQuantity } from "../../model/quantity";
import { classNames } from "../../ui/class_names";
import { CopyButton } from "../../ui/copy_buttons";
import { EmptyState } from "../../ui/empty_state";
import { Icon } from "../../ui/icons";
import { picks } from "../touch/picks_store";
import { useLook } from "./board_look";
import styles from "./node_table.module.css";
import { colourWord, nodeTip, paintWord } from "./node_text";
import { NodeVerdictStrip, useNodeVerdict } from "./node_verdict";
import { useHeld } from "./use_held";
import { useThrottled } from "./use_throttled";

const ROW_PIXELS = 28;
const FOLLOW_MS = 500;

export default function NodeTable() {
  const rows = useRows();
  const [order, setOrder] = useState<Order>({ column: "name", descending: false });
  const { context } = useLook();
  const sorted = useHeld(useMemo(() => sortedRows(rows, order, context), [rows, order, context]));
  if (sorted.length === 0) return <EmptyState title={t.boardView.noneFound} />;
  return (
    <div className={styles.table} data-testid="node-table">
      <div className={styles.copy}>
        <CopyButton label="CSV" text={() => csvOf(sorted, context)} />
      </div>
      <Rows rows={sorted} order={order} onOrder={setOrder} />
    </div>
  );
}

function useRows(): readonly NodeRow[] {
  const { matches } = useLook();
  const state = useThrottled(
    useCluster((current) => current),
    FOLLOW_MS,
  );
  return useMemo(() => nodeRows(state, matches), [state, matches]);
}

interface RowsProps {
  readonly rows: readonly NodeRow[];
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Rows({ rows, order, onOrder }: RowsProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const { first, end } = useRowsInView(scroll, rows.length, ROW_PIXELS);
  const [focused, setFocused] = useState(0);
  const wanted = useRef<number>(undefined);
  // The row to focus may be drawn only after the scrolling that brings it into view.
  useEffect(() => {
    const row = wanted.current === undefined ? undefined : buttonOfRow(scroll.current, wanted.current);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  const goTo = (index: number) => {
    const to = Math.min(Math.max(0, index), rows.length - 1);
    wanted.current = to;
    setFocused(to);
    show(scroll.current, to);
  };
  const press = (event: KeyboardEvent) => {
    const page = Math.floor((scroll.current?.clientHeight ?? 0) / ROW_PIXELS) - 1;
    const to = rowAfter(event.key, focused, page, rows.length);
    if (to === undefined) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <div ref={scroll} className={styles.scroll}>
      <table aria-label={t.boardView.table} aria-rowcount={rows.length + 1}>
        <Head order={order} onOrder={onOrder} />
        <tbody onKeyDown={press}>
          <Spacer rows={first} />
          {rows.slice(first, end).map((row, at) => (
            <Row key={row.node.uid} row={row} index={first + at} focused={first + at === focused} />
          ))}
          <Spacer rows={rows.length - end} />
        </tbody>
      </table>
    </div>
  );
}

/** The room of the rows that are not drawn. */
const Spacer = ({ rows }: { readonly rows: number }) => <tr style={{ height: rows * ROW_PIXELS }} />;

function rowAfter(key: string, at: number, page: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return at + 1;
    case "ArrowUp":
      return at - 1;
    case "PageDown":
      return at + page;
    case "PageUp":
      return at - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

const buttonOfRow = (scroll: HTMLElement | null, index: number) =>
  scroll?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"] button`);

/** Into view. */
function show(scroll: HTMLElement | null, index: number): void {
  if (!scroll) return;
  const top = index * ROW_PIXELS;
  const room = scroll.clientHeight - 2 * ROW_PIXELS;
  if (top < scroll.scrollTop) scroll.scrollTop = top;
  else if (top > scroll.scrollTop + room) scroll.scrollTop = top - room;
}

function Head({ order, onOrder }: Omit<RowsProps, "rows">) {
  const { context } = useLook();
  return (
    <thead>
      <tr>
        {COLUMNS.map((column) => (
          <th key={column} scope="col" aria-sort={sortWord(order, column)} data-column={column}>
            <button type="button" onClick={() => onOrder(nextOrder(order, column))}>
              {column === "colour" ? colourWord(context.by) : t.boardView.columns[column]}
              {order.column === column && <Icon name={order.descending ? "chevron_down" : "chevron_up"} size={11} />}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function sortWord(order: Order, column: Column): "none" | "ascending" | "descending" {
  if (order.column !== column) return "none";
  return order.descending ? "descending" : "ascending";
}

/** Figures are asked for from the top, names from A. */
function nextOrder(order: Order, column: Column): Order {
  if (order.column === column) return { column, descending: !order.descending };
  return { column, descending: column !== "name" && column !== "zone" };
}

interface RowProps {
  readonly row: NodeRow;
  readonly index: number;
  readonly focused: boolean;
}

function Row({ row, index, focused }: RowProps) {
  const { node, load } = row;
  const { context } = useLook();
  const verdict = useNodeVerdict(node);
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "node", node.uid));
  const picked = useSelected(picks, ({ nodes }) => nodes.has(node.name));
  return (
    <tr
      aria-rowindex={index + 2}
      className={classNames(styles.row, verdict?.className)}
      data-testid="node"
      data-node={node.name}
      data-selected={chosen}
      data-picked={picked || undefined}
      data-over={verdict?.over}
    >
      <td>
        <button
          type="button"
          tabIndex={focused ? 0 : -1}
          data-grip="node"
          data-carries={node.name}
          data-tip={nodeTip(node, load, context)}
          onClick={() => select({ kind: "node", uid: node.uid })}
        >
          {node.name}
        </button>
      </td>
      <td>{node.zone}</td>
      <td data-harm={node.ready !== "True"}>{stateWord(row)}</td>
      <td className="num">{load.usage.pods ?? 0}</td>
      <Share row={row} resource="cpu" />
      <Share row={row} resource="memory" />
      <td>
        {verdict ? (
          <NodeVerdictStrip verdict={verdict} className={styles.verdict} checkingClassName={styles.checking} />
        ) : (
          paintWord(paintOfNode(context, node, load))
        )}
      </td>
    </tr>
  );
}

function stateWord({ node }: NodeRow): string {
  const ready = { True: t.boardView.ready, False: t.board.notReady }[node.ready] ?? t.board.unknown;
  return node.unschedulable ? `${ready}, ${t.board.cordoned}` : ready;
}

function Share({ row, resource }: { readonly row: NodeRow; readonly resource: string }) {
  const share = shareOf(row, resource);
  return (
    <td className={styles.share} data-harm={share > 1}>
      <span>{figures(row, resource)}</span>
      <i style={{ transform: `scaleX(${Math.min(1, share)})` }} />
    </td>
  );
}

const figures = ({ node, load }: NodeRow, resource: string): string =>
  `${formatQuantity(resource, load.usage[resource] ?? 0)} / ${formatQuantity(resource, node.allocatable[resource] ?? 0)}`;

function csvOf(rows: readonly NodeRow[], context: ReturnType<typeof useLook>["context"]): string {
  const head = ["node", "zone", "state", "pods", "cpu", "cpu allocatable", "memory", "memory allocatable"];
  const lines = rows.map((row) => [
    row.node.name,
    row.node.zone,
    stateWord(row),
    row.load.usage.pods ?? 0,
    ...["cpu", "memory"].flatMap((resource) => [
      formatQuantity(resource, row.load.usage[resource] ?? 0),
      formatQuantity(resource, row.node.allocatable[resource] ?? 0),
    ]),
    paintWord(paintOfNode(context, row.node, row.load)),
  ]);
  return toCsv([[...head, colourWord(context.by)], ...lines]);
}
