/**
 * The scores of the feasible nodes: a row a node, a column a plugin, the total first.
 *
 * The best twenty at first, all on demand; sorted by any column. With tried weights it shows what these
 * would give, and says who would win.
 */
import { useMemo, useState } from "react";
import { t } from "../../app/messages";
import type { ScoreReport } from "../../model/messages.generated";
import { rescore, type Weights, weightsOf } from "../../model/rescore";
import { Button } from "../../ui/button";
import { CopyButtons } from "../../ui/copy_buttons";
import { type ScoreOrder, scoreCsv, scoreRows, sortedRows } from "./decision_tables";
import styles from "./inspector.module.css";
import { ScoreRows } from "./score_rows";
import { Section } from "./section";
import { TriedWeights } from "./tried_weights";

const TOP = 20;

interface ScoreTableProps {
  readonly score: ScoreReport;
  readonly scheduler: string;
  /** Its profile that scored. */
  readonly schedulerName: string;
}

export function ScoreTable({ score, scheduler, schedulerName }: ScoreTableProps) {
  const [weights, setWeights] = useState<Weights>();
  const tried = useMemo(() => (weights ? rescore(score, weights) : undefined), [score, weights]);
  const shown = tried?.score ?? score;
  const [arithmetic, setArithmetic] = useState(false);
  const [all, setAll] = useState(false);
  const [order, setOrder] = useState<ScoreOrder>({ by: "total", descending: true });
  const rows = useMemo(() => sortedRows(scoreRows(shown), order), [shown, order]);
  return (
    <Section
      title="Score"
      note={t.nodes(rows.length)}
      end={<CopyButtons csv={() => scoreCsv(shown)} json={() => shown} />}
      testId="score-table"
    >
      <div className={styles.actions}>
        <Button
          small
          aria-pressed={arithmetic}
          onClick={() => setArithmetic(!arithmetic)}
          data-testid="arithmetic"
          data-tip={t.inspector.arithmeticTip}
        >
          {t.inspector.arithmetic}
        </Button>
        <Button
          small
          aria-pressed={weights !== undefined}
          onClick={() => setWeights(weights ? undefined : weightsOf(score))}
          data-testid="try-weights"
          data-tip={t.rescore.openTip}
        >
          {t.rescore.open}
        </Button>
      </div>
      {tried && weights && (
        <TriedWeights
          score={score}
          tried={tried}
          weights={weights}
          onChange={setWeights}
          scheduler={scheduler}
          schedulerName={schedulerName}
        />
      )}
      <ScoreRows
        columns={shown.plugins}
        rows={all ? rows : rows.slice(0, TOP)}
        ties={shown.best.length}
        arithmetic={arithmetic}
        order={order}
        onOrder={setOrder}
      />
      {rows.length > TOP && (
        <div className={styles.actions}>
          <Button small look="quiet" onClick={() => setAll(!all)} data-testid="all-scores">
            {all ? t.rescore.top(TOP) : t.rescore.all(rows.length)}
          </Button>
        </div>
      )}
    </Section>
  );
}
