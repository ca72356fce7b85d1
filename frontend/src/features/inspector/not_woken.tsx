/** What happened while the pod waits and was not worth another attempt, and why. */
import { t } from "../../app/messages";
import { formatTimeOfDay } from "../../model/clock";
import type { SkipCount } from "../../model/messages.generated";
import styles from "./inspector.module.css";

export function NotWoken({ skips }: { readonly skips: readonly SkipCount[] }) {
  if (skips.length === 0) return null;
  return (
    <div className={styles.binding} data-testid="not-woken">
      <p>{t.inspector.notWokenBy}</p>
      <ul className={styles.list}>
        {skips.map((skip) => (
          <li key={`${skip.event} ${skip.plugin} ${skip.reason}`}>
            <time className="num">{formatTimeOfDay(skip.at)}</time>
            <span>
              <b>{skip.event}</b> {skip.object}{" "}
              <span className={styles.plain}>
                {skip.plugin}: {skip.reason}
              </span>
            </span>
            <span className={styles.note}>{t.inspector.times(skip.count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
