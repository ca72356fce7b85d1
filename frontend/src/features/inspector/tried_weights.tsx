/** Sliders for the weights: what would win with others, at once and without touching the cluster. */
import { useId, useMemo, useState } from "react";
import { t } from "../../app/messages";
import type { ScoreColumn, ScoreReport } from "../../model/messages.generated";
import { idlePlugins, type Rescored, type Weights, weightsOf } from "../../model/rescore";
import { Button } from "../../ui/button";
import styles from "./inspector.module.css";
import { PluginWord } from "./scheduler_word";
import own from "./score_table.module.css";
import { UseWeights } from "./use_weights";

/** Sliders go to 10, or as far as the profile went already. */
const LEAST_MOST = 10;

interface TriedWeightsProps {
  readonly score: ScoreReport;
  readonly tried: Rescored;
  readonly weights: Weights;
  readonly onChange: (weights: Weights) => void;
  /** Whose decision it is, and by which of its profiles. */
  readonly scheduler: string;
  readonly schedulerName: string;
}

export function TriedWeights({ score, tried, weights, onChange, scheduler, schedulerName }: TriedWeightsProps) {
  const [using, setUsing] = useState(false);
  const idle = useMemo(() => idlePlugins(score), [score]);
  const changed = tried.changed.length > 0;
  return (
    <div className={own.sliders} data-testid="tried-weights">
      <p className={styles.plain}>{t.rescore.lead}</p>
      <p className={own.verdict} aria-live="polite" data-testid="tried-verdict" data-verdict={tried.verdict}>
        {verdictWords(score, tried)}
      </p>
      <div className={own.grid}>
        {score.plugins.map((column) => (
          <WeightSlider
            key={column.plugin}
            column={column}
            weight={weights[column.plugin] ?? column.weight}
            idle={idle.has(column.plugin)}
            onChange={(weight) => onChange({ ...weights, [column.plugin]: weight })}
          />
        ))}
      </div>
      <div className={styles.actions}>
        <Button small disabled={!changed} onClick={() => onChange(weightsOf(score))}>
          {t.rescore.reset}
        </Button>
        <Button small disabled={!changed} onClick={() => setUsing(true)} data-testid="use-weights">
          {t.rescore.use}
        </Button>
      </div>
      {using && (
        <UseWeights
          scheduler={scheduler}
          schedulerName={schedulerName}
          weights={Object.fromEntries(tried.changed.map((plugin) => [plugin, weights[plugin] ?? 0]))}
          onClose={() => setUsing(false)}
        />
      )}
    </div>
  );
}

/** The winner in words; a tie is a set, for nobody knows the draw. */
export function verdictWords(score: ScoreReport, { verdict, score: now }: Rescored): string {
  const total = now.totals.reduce((most, value) => Math.max(most, value), 0);
  if (verdict === "tie_with_chosen") return t.rescore.tieWithChosen(score.chosen, now.best.length);
  if (verdict === "another") {
    return now.best.length > 1 ? t.rescore.anotherTie(now.best, total) : t.rescore.another(now.chosen, total);
  }
  return now.best.length > 1 ? t.rescore.sameTie(score.chosen, now.best.length) : t.rescore.sameWinner(score.chosen);
}

interface WeightSliderProps {
  readonly column: ScoreColumn;
  readonly weight: number;
  readonly idle: boolean;
  readonly onChange: (weight: number) => void;
}

function WeightSlider({ column: { plugin, weight: before }, weight, idle, onChange }: WeightSliderProps) {
  const id = useId();
  return (
    <div className={own.slider} data-changed={weight !== before}>
      <span>
        <PluginWord name={plugin} />
      </span>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(LEAST_MOST, before)}
        value={weight}
        aria-label={t.rescore.weightOf(plugin)}
        onChange={(event) => onChange(Number(event.target.value))}
        data-plugin={plugin}
        data-testid="weight"
      />
      <output htmlFor={id}>{weight === 0 ? t.rescore.off : `× ${weight}`}</output>
      {idle && <span className={own.idle}>{t.rescore.idle}</span>}
    </div>
  );
}
