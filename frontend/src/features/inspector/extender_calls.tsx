/** What HTTP extenders were asked during an attempt, and what they answered. */
import { t } from "../../app/messages";
import type { ExtenderCall } from "../../model/messages.generated";
import { Meaning } from "../../ui/meaning";
import styles from "./extender_calls.module.css";
import { Section } from "./section";

export function ExtenderCalls({ calls }: { readonly calls: readonly ExtenderCall[] }) {
  if (calls.length === 0) return null;
  return (
    <Section title={t.extenders.title} note={calls.length} testId="extender-calls">
      <ol className={styles.calls}>
        {calls.map((call, index) => (
          // Calls have no name of their own, and a decision never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Call key={index} call={call} />
        ))}
      </ol>
    </Section>
  );
}

function Call({ call }: { readonly call: ExtenderCall }) {
  const failed = call.error !== "";
  return (
    <li data-testid="extender-call" data-failed={failed}>
      <p className={styles.line}>
        <Meaning name={failed ? "victim" : "fits"} word={failed ? t.extenders.failed : t.extenders.answered} />
        <b>{call.verb}</b>
        <code className={styles.url}>{call.url}</code>
        <span className={styles.took}>{t.inspector.took(call.duration_us)}</span>
      </p>
      <p className={styles.what}>
        {t.extenders.asked(call.nodes)}
        {call.nodes_passed !== null && ` ${t.extenders.left(call.nodes_passed)}`}
        {` ${call.status === 0 ? t.extenders.noAnswer : t.extenders.status(call.status)}`}
      </p>
      {failed && <p className={styles.error}>{call.error}</p>}
      {failed && call.verb !== "prioritize" && call.ignorable && (
        <p className={styles.what}>{t.extenders.passedOver}</p>
      )}
      {failed && call.verb === "prioritize" && <p className={styles.what}>{t.extenders.noScore}</p>}
      <Body title={t.extenders.request} text={call.request} bytes={call.request_bytes} />
      <Body title={t.extenders.response} text={call.response} bytes={call.response_bytes} />
    </li>
  );
}

interface BodyProps {
  readonly title: string;
  readonly text: string;
  readonly bytes: number;
}

function Body({ title, text, bytes }: BodyProps) {
  if (text === "") return null;
  return (
    <details className={styles.body}>
      <summary>
        {title} <span className={styles.took}>{t.extenders.size(bytes)}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to */}
      <pre tabIndex={0}>{text}</pre>
      {bytes > text.length && <p className={styles.what}>{t.extenders.cut}</p>}
    </details>
  );
}
