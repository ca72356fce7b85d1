/** A part of the inspector under a heading that folds it away. */
import type { ReactNode } from "react";
import { Icon } from "../../ui/icons";
import styles from "./inspector.module.css";

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Beside the title: a count, a word. */
  readonly note?: ReactNode;
  /** Buttons at the right. */
  readonly end?: ReactNode;
  readonly closed?: boolean;
  readonly testId?: string;
}

export function Section({ title, children, note, end, closed = false, testId }: SectionProps) {
  return (
    <details className={styles.section} open={!closed} data-testid={testId}>
      <summary>
        <Icon name="chevron_right" size={12} />
        <h3>{title}</h3>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </summary>
      {/* Not inside the summary, which is a button itself; laid over its right end. */}
      {end && <span className={styles.end}>{end}</span>}
      <div className={styles.body}>{children}</div>
    </details>
  );
}

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values, one a line; facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | false | undefined)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.name}>
              <dt>{fact.name}</dt>
              <dd>{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
