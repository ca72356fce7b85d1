/** Nothing here yet: says what to do next and offers it. */
import type { ReactNode } from "react";
import styles from "./empty_state.module.css";

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.title}>{title}</div>
      {children}
    </div>
  );
}
