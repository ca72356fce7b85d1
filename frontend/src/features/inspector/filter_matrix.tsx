/**
 * Filter as a matrix: a line a node, a column a plugin, in the order they are asked.
 *
 * A node is asked until one plugin rejects it: what stands right of that was not asked.
 */
import { useState } from "react";
import { t } from "../../app/messages";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { meaningClass, meaningOfCode } from "../../ui/meaning";
import type { FilterRow } from "./decision_tables";
import styles from "./inspector.module.css";
import { NodeLink } from "./links";

const PAGE = 50;

interface FilterMatrixProps {
  readonly rows: readonly FilterRow[];
  readonly plugins: readonly string[];
}

export function FilterMatrix({ rows, plugins }: FilterMatrixProps) {
  const [most, setMost] = useState(PAGE);
  return (
    <section className={styles.scroll} aria-label={t.inspector.byPluginLabel}>
      <table className={styles.matrix} data-testid="filter-matrix">
        <thead>
          <tr>
            <th scope="col">{t.inspector.node}</th>
            {plugins.map((plugin) => (
              <th key={plugin} scope="col">
                <span>{plugin}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <tr key={row.node}>
              <th scope="row">
                <NodeLink name={row.node} />
              </th>
              {plugins.map((plugin, index) => (
                <Cell key={plugin} row={row} index={index} rejects={plugins.indexOf(row.status?.plugin ?? "")} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button small look="quiet" onClick={() => setMost(most + PAGE * 4)}>
          {t.queue.more(rows.length - most)}
        </Button>
      )}
    </section>
  );
}

interface CellProps {
  readonly row: FilterRow;
  readonly index: number;
  /** Place of the plugin that rejects the node; -1: none, or one that is no Filter plugin. */
  readonly rejects: number;
}

function Cell({ row: { status }, index, rejects }: CellProps) {
  if (!status || index < rejects) {
    return (
      <td className={meaningClass("fits")}>
        <Icon name="fits" size={11} />
        <span className="visually-hidden">{t.inspector.verdicts.pass}</span>
      </td>
    );
  }
  if (index > rejects || rejects < 0) {
    return (
      <td data-tip={t.inspector.verdicts.unasked}>
        <span aria-hidden="true">·</span>
        <span className="visually-hidden">{t.inspector.verdicts.unasked}</span>
      </td>
    );
  }
  const meaning = meaningOfCode(status.code);
  return (
    <td className={meaningClass(meaning)} data-rejects="true" data-tip={[status.code, ...status.reasons].join("\n")}>
      <Icon name={meaning} size={11} />
      <span className="visually-hidden">
        {t.inspector.verdicts.reject}: {status.reasons.join(", ")}
      </span>
    </td>
  );
}
