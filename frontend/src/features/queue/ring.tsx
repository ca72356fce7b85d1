/** How much of a wait is left, as a ring that empties; the seconds stand beside it. */
import { shareLeft } from "../../model/queue_rows";
import styles from "./queue_strip.module.css";

const RADIUS = 5;
const ROUND = 2 * Math.PI * RADIUS;

interface RingProps {
  readonly since: number;
  readonly until: number;
  readonly now: number;
}

export function Ring({ since, until, now }: RingProps) {
  const left = shareLeft(since, until, now);
  return (
    <svg className={styles.ring} width={14} height={14} viewBox="0 0 14 14" aria-hidden="true" data-testid="ring">
      <circle cx={7} cy={7} r={RADIUS} />
      <circle
        cx={7}
        cy={7}
        r={RADIUS}
        data-left={left.toFixed(2)}
        strokeDasharray={`${left * ROUND} ${ROUND}`}
        transform="rotate(-90 7 7)"
      />
    </svg>
  );
}
