/** Requested against allocatable, a bar each; exact figures beside it and in the tooltip. */
import { t } from "../../app/messages";
import type { NodeCard } from "../../model/messages.generated";
import { type Bar, barsOf } from "../../model/node_view";
import { formatQuantity, shortResource } from "../../model/quantity";
import type { Usage } from "../../model/state";
import styles from "./node_card.module.css";

interface ResourceBarsProps {
  readonly node: NodeCard;
  readonly usage: Usage;
}

export function ResourceBars({ node, usage }: ResourceBarsProps) {
  const bars = barsOf(node, usage);
  return (
    <div className={styles.bars}>
      {bars.map((bar) => (
        <BarRow key={bar.resource} bar={bar} />
      ))}
    </div>
  );
}

function BarRow({ bar }: { readonly bar: Bar }) {
  const { resource, requested, allocatable, filled, over } = bar;
  return (
    <div className={styles.row} data-over={over > 0} data-resource={resource} data-tip={tipOf(bar)}>
      <span className={styles.resource}>{shortResource(resource)}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> cannot show over-commit */}
      <span
        className={styles.track}
        role="meter"
        aria-label={resource}
        aria-valuemin={0}
        aria-valuemax={allocatable}
        aria-valuenow={requested}
        aria-valuetext={tipOf(bar).replaceAll("\n", ", ").replaceAll("\t", " ")}
      >
        <i style={{ transform: `scaleX(${filled})` }} />
      </span>
      <span className={styles.figures}>
        <b>{formatQuantity(resource, requested)}</b> / {formatQuantity(resource, allocatable)}
      </span>
    </div>
  );
}

function tipOf({ resource, requested, allocatable, over }: Bar): string {
  const figure = (amount: number) => formatQuantity(resource, amount);
  const rest = over > 0 ? t.board.overcommitted(figure(over)) : `${t.board.free}\t${figure(allocatable - requested)}`;
  return `${resource}\n${t.board.requested}\t${figure(requested)}\n${t.board.allocatable}\t${figure(allocatable)}\n${rest}`;
}
