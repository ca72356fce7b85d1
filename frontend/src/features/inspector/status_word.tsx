/** A Status: Kubernetes' own word for it in the colour of its meaning, and its reasons. */
import type { StatusReport } from "../../model/messages.generated";
import { Meaning, type MeaningName, meaningOfCode } from "../../ui/meaning";
import styles from "./inspector.module.css";

interface StatusWordProps {
  readonly status: StatusReport;
  readonly meaning?: MeaningName;
}

export function StatusWord({ status, meaning = meaningOfCode(status.code) }: StatusWordProps) {
  return (
    <span className={styles.statusWord}>
      <Meaning name={meaning} word={status.code} />
      {status.reasons.length > 0 && <span className={styles.reason}>{status.reasons.join(", ")}</span>}
    </span>
  );
}
