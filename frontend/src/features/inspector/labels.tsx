import styles from "./inspector.module.css";

export function Labels({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return null;
  return (
    <ul className={styles.labels}>
      {entries.map(([key, value]) => (
        <li key={key}>
          <code>{value ? `${key}=${value}` : key}</code>
        </li>
      ))}
    </ul>
  );
}
