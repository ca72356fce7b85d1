/** What would become different, fact by fact; of lists, who comes and who goes. */
import { t } from "../../app/messages";
import { type Described, described } from "../../model/configuration_change";
import type { ConfigurationChange } from "../../transport/extension_api";
import styles from "./schedulers.module.css";

export function ChangesTable({ changes }: { readonly changes: readonly ConfigurationChange[] }) {
  return (
    <table className={styles.changes} data-testid="configuration-changes">
      <thead>
        <tr>
          <th scope="col">{t.configuration.fact}</th>
          <th scope="col">{t.configuration.before}</th>
          <th scope="col">{t.configuration.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Row key={change.path} fact={described(change, t.configuration.none)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ fact }: { readonly fact: Described }) {
  return (
    <tr data-fact={fact.path}>
      <th scope="row">{fact.path}</th>
      {fact.kind === "value" ? (
        <>
          <td className={styles.removed}>{fact.before}</td>
          <td className={styles.added}>{fact.after}</td>
        </>
      ) : (
        <td colSpan={2}>
          <ListChange fact={fact} />
        </td>
      )}
    </tr>
  );
}

function ListChange({ fact: { added, removed, after } }: { readonly fact: Extract<Described, { kind: "list" }> }) {
  if (added.length + removed.length === 0) {
    return (
      <>
        {t.configuration.moved}: {after.join(", ")}
      </>
    );
  }
  return (
    <ul className={styles.names}>
      {removed.map((name) => (
        <li key={name} className={styles.removed}>
          <span aria-hidden="true">− </span>
          {name} <span className="visually-hidden">{t.configuration.removed}</span>
        </li>
      ))}
      {added.map((name) => (
        <li key={name} className={styles.added}>
          <span aria-hidden="true">+ </span>
          {name} <span className="visually-hidden">{t.configuration.added}</span>
        </li>
      ))}
    </ul>
  );
}
