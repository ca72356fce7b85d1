/** The table of the scores: headers that sort and stay in sight, and as many rows as are in view. */
import { useRef } from "react";
import { t } from "../../app/messages";
import { useRowsInView } from "../../app/use_rows_in_view";
import type { ScoreColumn } from "../../model/messages.generated";
import { Icon } from "../../ui/icons";
import { Meaning } from "../../ui/meaning";
import type { Arithmetic, ScoreColumnKey, ScoreOrder, ScoreRow } from "./decision_tables";
import { NodeLink } from "./links";
import { explainPlugin } from "./scheduler_word";
import styles from "./score_table.module.css";

/** As in the style sheet. */
const ROW_PX = 24;
const ARITHMETIC_ROW_PX = 56;

interface ScoreRowsProps {
  readonly columns: readonly ScoreColumn[];
  readonly rows: readonly ScoreRow[];
  readonly ties: number;
  readonly arithmetic: boolean;
  readonly order: ScoreOrder;
  readonly onOrder: (order: ScoreOrder) => void;
}

export function ScoreRows({ columns, rows, ties, arithmetic, order, onOrder }: ScoreRowsProps) {
  const box = useRef<HTMLElement>(null);
  const rowHeight = arithmetic ? ARITHMETIC_ROW_PX : ROW_PX;
  const view = useRowsInView(box, rows.length, rowHeight);
  const head = { order, onOrder };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the arrow keys
    <section ref={box} className={styles.box} aria-label={t.inspector.scores} tabIndex={0}>
      <table className={styles.table} data-arithmetic={arithmetic} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <SortHead {...head} by="node" label={t.inspector.node} />
            <SortHead {...head} by="total" label={t.inspector.total} />
            {columns.map(({ plugin, weight }, index) => (
              <SortHead
                key={plugin}
                {...head}
                by={index}
                label={weight === 1 ? plugin : `${plugin} × ${weight}`}
                tip={[plugin, explainPlugin(plugin)].filter(Boolean).join("\n")}
                upright
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={view.first * rowHeight} columns={columns.length + 2} />
          {rows.slice(view.first, view.end).map((row) => (
            <Row key={row.node} row={row} columns={columns} ties={ties} arithmetic={arithmetic} />
          ))}
          <Gap height={(rows.length - view.end) * rowHeight} columns={columns.length + 2} />
        </tbody>
      </table>
    </section>
  );
}

/** Where rows are that nobody sees. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

interface SortHeadProps {
  readonly by: ScoreColumnKey;
  readonly label: string;
  readonly order: ScoreOrder;
  readonly onOrder: (order: ScoreOrder) => void;
  readonly tip?: string;
  readonly upright?: boolean;
}

function SortHead({ by, label, order, onOrder, tip = "", upright = false }: SortHeadProps) {
  const sorted = order.by === by;
  const direction = order.descending ? "descending" : "ascending";
  // Figures begin with the highest, names with the first.
  const next = { by, descending: sorted ? !order.descending : by !== "node" };
  return (
    <th scope="col" data-upright={upright} aria-sort={sorted ? direction : "none"}>
      <button
        type="button"
        onClick={() => onOrder(next)}
        data-tip={tip || undefined}
        aria-label={t.rescore.sortBy(label)}
        data-sort={by}
      >
        <span>{label}</span>
        {sorted && <Icon name={order.descending ? "chevron_down" : "chevron_up"} size={10} />}
      </button>
    </th>
  );
}

interface RowProps {
  readonly row: ScoreRow;
  readonly columns: readonly ScoreColumn[];
  readonly ties: number;
  readonly arithmetic: boolean;
}

function Row({ row: { node, total, best, chosen, scores }, columns, ties, arithmetic }: RowProps) {
  return (
    <tr data-chosen={chosen} data-node={node}>
      <th scope="row">
        <span className={styles.name}>
          {chosen && <Meaning name="chosen" word="" />}
          <NodeLink name={node} />
        </span>
      </th>
      <td className={styles.total}>
        <b data-chosen={chosen} data-testid="total">
          {total}
        </b>
        {best && ties > 1 && <Tied ties={ties} />}
      </td>
      {columns.map(({ plugin }, index) => (
        <ScoreCell key={plugin} plugin={plugin} score={scores[index]} arithmetic={arithmetic} />
      ))}
    </tr>
  );
}

function Tied({ ties }: { readonly ties: number }) {
  return (
    <small data-tip={t.inspector.tie(ties)}>
      <span aria-hidden="true">=</span>
      <span className="visually-hidden">{t.inspector.tie(ties)}</span>
    </small>
  );
}

interface ScoreCellProps {
  readonly plugin: string;
  readonly score: Arithmetic | undefined;
  readonly arithmetic: boolean;
}

function ScoreCell({ plugin, score, arithmetic }: ScoreCellProps) {
  return (
    <td data-plugin={plugin} data-tip={score && sumOf(score)}>
      {score?.weighted}
      {arithmetic && score && (
        <>
          <small>
            {score.raw} → {score.normalized}
          </small>
          <small>× {score.weight}</small>
        </>
      )}
    </td>
  );
}

const sumOf = ({ raw, normalized, weight, weighted }: Arithmetic): string =>
  [
    `${t.inspector.raw}\t${raw}`,
    `${t.inspector.normalized}\t${normalized}`,
    `${t.inspector.weight}\t× ${weight}`,
    `${t.inspector.weighted}\t${weighted}`,
  ].join("\n");
