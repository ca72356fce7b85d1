/** What became of each document of an applied stream. */
import { t } from "../../app/messages";
import type { ApplyResult } from "../../transport/api_types";
import { Icon, type IconName } from "../../ui/icons";
import styles from "./editor.module.css";

const ICONS: Readonly<Record<ApplyResult["result"], IconName>> = {
  created: "plus",
  configured: "edit",
  unchanged: "succeeded",
  error: "warning",
};

export function ApplyResults({ results }: { readonly results: readonly ApplyResult[] }) {
  return (
    <ul className={styles.results} aria-label={t.editor.results} data-testid="apply-results">
      {results.map((result) => (
        <li
          key={`${result.document} ${result.kind} ${result.namespace} ${result.name}`}
          data-result={result.result}
          data-testid="apply-result"
        >
          <span className="num">{t.editor.document(result.document)}</span>
          <span>
            {result.kind} <b>{result.name}</b>
          </span>
          <span className={styles.outcome}>
            <Icon name={ICONS[result.result]} size={12} />
            {t.editor.outcomes[result.result]}
          </span>
          {result.error && (
            <p role="alert">
              {result.error.line !== null && <span className={styles.line}>{t.drop.line(result.error.line)} </span>}
              {result.error.path && <code>{result.error.path}</code>} {result.error.message}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
