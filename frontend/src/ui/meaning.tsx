/**
 * The words of the scheduler that have a colour: one icon, one colour, one word each, everywhere.
 */
import { t } from "../app/messages";
import { classNames } from "./class_names";
import { Icon } from "./icons";
import styles from "./meaning.module.css";

export type MeaningName =
  | "fits"
  | "rejected"
  | "unresolvable"
  | "chosen"
  | "victim"
  | "nominated"
  | "waiting"
  | "backing_off";

/** The meaning of a Status code as Kubernetes writes it. */
export function meaningOfCode(code: string): MeaningName {
  switch (code) {
    case "Success":
    case "Skip":
      return "fits";
    case "UnschedulableAndUnresolvable":
      return "unresolvable";
    case "Wait":
    case "Pending":
      return "waiting";
    case "Error":
      return "victim";
    default:
      return "rejected";
  }
}

/** Sets --m and --m-soft to the colours of a meaning, for whatever stands inside. */
export const meaningClass = (name: MeaningName): string => styles[name] ?? "";

interface MeaningProps {
  readonly name: MeaningName;
  /** Another word than the meaning's own, where the place is clear. */
  readonly word?: string;
  readonly badge?: boolean;
}

export function Meaning({ name, word, badge = false }: MeaningProps) {
  return (
    <span
      className={classNames(styles.meaning, badge && styles.badge, styles[name])}
      data-tip={t.meaning[name].explain}
    >
      <Icon name={name} size={12} />
      {word !== "" && <span>{word ?? t.meaning[name].word}</span>}
    </span>
  );
}
