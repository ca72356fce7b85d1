/** The extension points in the order they ran, each plugin with what it answered. */
import { t } from "../../app/messages";
import type { PluginRun, PointReport } from "../../model/messages.generated";
import { Icon } from "../../ui/icons";
import { meaningClass, meaningOfCode } from "../../ui/meaning";
import styles from "./inspector.module.css";
import { PluginWord, PointWord } from "./scheduler_word";
import { Section } from "./section";

export function Steps({ points }: { readonly points: readonly PointReport[] }) {
  if (points.length === 0) return null;
  return (
    <Section title={t.inspector.steps} testId="steps">
      <ol className={styles.steps}>
        {points.map((point) => (
          <li key={point.point}>
            <span className={styles.point}>
              <PointWord point={point.point} />
            </span>
            <ul>
              {point.plugins.map((run) => (
                <Run key={run.name} run={run} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Run({ run }: { readonly run: PluginRun }) {
  const skipped = run.status.code === "Skip";
  const rejects = run.rejected > 0;
  const meaning = rejects ? "rejected" : meaningOfCode(run.status.code);
  const tip = [
    run.status.code,
    ...run.status.reasons,
    rejects && t.inspector.rejectedNodes(run.rejected),
    run.duration_us > 0 && t.inspector.took(run.duration_us),
  ];
  return (
    <li
      className={`${styles.run} ${skipped ? styles.skipped : meaningClass(meaning)}`}
      data-plugin={run.name}
      data-code={run.status.code}
    >
      <Icon name={skipped ? "minus" : meaning} size={10} />
      <PluginWord name={run.name} more={tip.filter(Boolean).join("\n")} />
      <span className={rejects ? styles.count : "visually-hidden"}>{rejects ? -run.rejected : run.status.code}</span>
    </li>
  );
}
