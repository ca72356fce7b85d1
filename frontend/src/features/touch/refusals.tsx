/** What was refused, each with the pod or node it is about, in the server's words. */
import { t } from "../../app/messages";
import type { Failure } from "../../interaction/perform";
import { ErrorNote } from "../../ui/error_note";
import styles from "./touch.module.css";

/** One sentence repeated for a thousand nodes says no more than for these. */
const MOST_SHOWN = 4;

interface RefusalsProps {
  readonly failures: readonly Failure[];
  readonly onDismiss?: (() => void) | undefined;
}

export function Refusals({ failures, onDismiss }: RefusalsProps) {
  if (failures.length === 0) return null;
  const more = failures.length - MOST_SHOWN;
  return (
    <div className={styles.refusals} data-testid="refusals">
      {failures.slice(0, MOST_SHOWN).map(({ what, error }) => (
        <div key={what}>
          {failures.length > 1 && <b>{t.dropNote.about(what)}</b>}
          <ErrorNote error={error} onDismiss={onDismiss} />
        </div>
      ))}
      {more > 0 && <p>{t.dropNote.more(more)}</p>}
    </div>
  );
}
