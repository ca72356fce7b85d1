/**
 * The scores of the feasible nodes as sums: a column a node, a line a plugin, the total below.
 *
 * Nodes stand from the highest total to the lowest, so that the first columns, which decide, are
 * seen without scrolling.
 */
import { Fragment, useMemo, useState } from "react";
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
  const nodes = useMemo(() => scoreRows(score), [score]);
  const [arithmetic, setArithmetic] = useState(false);
  const [most, setMost] = useState(PAGE);
  const shown = nodes.slice(0, most);
  return (
    <Section
      title="Score"
      note={t.nodes(nodes.length)}
      end={<CopyButtons csv={() => scoreCsv(score)} json={() => score} />}
      testId="score-table"
    >
      <section className={styles.scroll} aria-label={t.inspector.scores}>
        <table className={styles.scores}>
          <Head nodes={shown} ties={score.best.length} />
          <tbody>
            {score.plugins.map(({ plugin, weight }, index) => (
              <PluginLine
                key={plugin}
                plugin={plugin}
                weight={weight}
                arithmetic={arithmetic}
                cells={shown.map(({ node, chosen, scores }) => ({ node, chosen, score: scores[index] }))}
              />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t.inspector.total}</th>
              {shown.map(({ node, total, chosen }) => (
                <td key={node} className="num" data-chosen={chosen} data-testid="total">
                  {total}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
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
        {nodes.length > most && (
          <Button small look="quiet" onClick={() => setMost(most + PAGE)}>
            {t.queue.more(nodes.length - most)}
          </Button>
        )}
      </div>
    </Section>
  );
}

function Head({ nodes, ties }: { readonly nodes: readonly ScoreRow[]; readonly ties: number }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">{t.inspector.plugin}</span>
        </th>
        {nodes.map(({ node, chosen, best }) => (
          <th key={node} scope="col" className="num" data-chosen={chosen} data-node={node}>
            <NodeLink name={node} />
            {chosen && <Meaning name="chosen" />}
            {best && !chosen && <small>{t.inspector.tie(ties)}</small>}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface PluginLineProps {
  readonly plugin: string;
  readonly weight: number;
  readonly arithmetic: boolean;
  readonly cells: readonly {
    readonly node: string;
    readonly chosen: boolean;
    readonly score: Arithmetic | undefined;
  }[];
}

function PluginLine({ plugin, weight, arithmetic, cells }: PluginLineProps) {
  const explain: Readonly<Record<string, string>> = t.plugins;
  return (
    <tr data-plugin={plugin}>
      <th scope="row" data-tip={[plugin, explain[plugin]].filter(Boolean).join("\n")}>
        <PluginName name={plugin} />
        {weight !== 1 && <small> × {weight}</small>}
      </th>
      {cells.map(({ node, chosen, score }) => (
        <td key={node} className="num" data-chosen={chosen} data-tip={score && sumOf(score)}>
          {score?.weighted}
          {arithmetic && score && (
            <small>
              {score.raw} → {score.normalized} × {score.weight}
            </small>
          )}
        </td>
      ))}
    </tr>
  );
}

/** May be broken between its words, so that the figures get the room. */
function PluginName({ name }: { readonly name: string }) {
  const [first, ...rest] = name.split(/(?<=[a-z])(?=[A-Z])/);
  return (
    <>
      {first}
      {rest.map((word) => (
        <Fragment key={word}>
          <wbr />
          {word}
        </Fragment>
      ))}
    </>
  );
}

const sumOf = ({ raw, normalized, weight, weighted }: Arithmetic): string =>
  [
    `${t.inspector.raw}\t${raw}`,
    `${t.inspector.normalized}\t${normalized}`,
    `${t.inspector.weight}\t× ${weight}`,
    `${t.inspector.weighted}\t${weighted}`,
  ].join("\n");
