/** The scores of the feasible nodes: the sum that chose one, with its arithmetic on request. */
import { useMemo, useState } from "react";
import { t } from "../../app/messages.en";
import type { ScoreReport } from "../../model/messages.generated";
import { Button } from "../../ui/button";
import { Meaning } from "../../ui/meaning";
import { CopyButtons } from "./copy_buttons";
import { type Arithmetic, type ScoreRow, scoreCsv, scoreRows } from "./decision_tables";
import styles from "./inspector.module.css";
import { NodeLink } from "./links";
import { Section } from "./section";

const PAGE = 20;

export function ScoreTable({ score }: { readonly score: ScoreReport }) {
  const rows = useMemo(() => scoreRows(score), [score]);
  const [arithmetic, setArithmetic] = useState(false);
  const [most, setMost] = useState(PAGE);
  return (
    <Section
      title="Score"
      note={t.nodes(rows.length)}
      end={<CopyButtons csv={() => scoreCsv(score)} json={() => score} />}
      testId="score-table"
    >
      <Button small aria-pressed={arithmetic} onClick={() => setArithmetic(!arithmetic)} data-testid="arithmetic">
        {t.inspector.arithmetic}
      </Button>
      <section className={styles.scroll} aria-label={t.inspector.scores}>
        <table className={styles.scores}>
          <Head score={score} />
          <tbody>
            {rows.slice(0, most).map((row) => (
              <Row key={row.node} row={row} arithmetic={arithmetic} ties={score.best.length} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > most && (
        <Button small look="quiet" onClick={() => setMost(most + PAGE * 10)}>
          {t.queue.more(rows.length - most)}
        </Button>
      )}
      {score.best.length > 1 && <p className={styles.plain}>{t.inspector.words.tied(score.best.length)}</p>}
    </Section>
  );
}

function Head({ score }: { readonly score: ScoreReport }) {
  const explain: Readonly<Record<string, string>> = t.plugins;
  return (
    <thead>
      <tr>
        <th scope="col">{t.inspector.node}</th>
        <th scope="col" className="num">
          {t.inspector.total}
        </th>
        {score.plugins.map(({ plugin, weight }) => (
          <th key={plugin} scope="col" className="num" data-tip={`${plugin}\n${explain[plugin] ?? ""}`}>
            {plugin}
            <small>× {weight}</small>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly row: ScoreRow;
  readonly arithmetic: boolean;
  readonly ties: number;
}

function Row({ row, arithmetic, ties }: RowProps) {
  return (
    <tr data-chosen={row.chosen} data-best={row.best} data-node={row.node}>
      <th scope="row">
        <NodeLink name={row.node} />
        {row.chosen && <Meaning name="chosen" />}
        {row.best && !row.chosen && <span className={styles.tie}>{t.inspector.tie(ties)}</span>}
      </th>
      <td className="num">
        <b>{row.total}</b>
      </td>
      {row.scores.map((score, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
        <td key={index} className="num" data-tip={sum(score)}>
          {score.weighted}
          {arithmetic && (
            <small>
              {score.raw} → {score.normalized} × {score.weight}
            </small>
          )}
        </td>
      ))}
    </tr>
  );
}

const sum = ({ raw, normalized, weight, weighted }: Arithmetic): string =>
  `${t.inspector.raw}\t${raw}\n${t.inspector.normalized}\t${normalized}\n${t.inspector.weight}\t× ${weight}\n${t.inspector.weighted}\t${weighted}`;
