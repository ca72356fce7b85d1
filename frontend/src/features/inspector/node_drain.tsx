/** How far a drain has come, which budget holds it up, and what kubectl would print. */
import { useQuery } from "@tanstack/react-query";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useClusterNow } from "../../app/use_now";
import type { DrainCard, NodeCard } from "../../model/messages.generated";
import { readDrain } from "../../transport/api";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Meaning } from "../../ui/meaning";
import { Refusals } from "../touch/refusals";
import { useDeed } from "../touch/use_deed";
import styles from "./node_drain.module.css";
import { Section } from "./section";

interface NodeDrainProps {
  readonly node: NodeCard;
  readonly drain: DrainCard;
}

export function NodeDrain({ node, drain }: NodeDrainProps) {
  const { total, left, evicted, state, message } = drain;
  const { busy, failures, run, clear } = useDeed();
  const gone = total - left;
  return (
    <Section title={t.drainState.title} note={t.drainState.words[state]} testId="drain">
      <div className={styles.drain}>
        <progress
          max={Math.max(total, 1)}
          value={total === 0 ? 1 : gone}
          aria-label={t.drainState.title}
          data-state={state}
        />
        <p data-testid="drain-progress">
          {total === 0 ? t.drainState.nothing : t.drainState.progress(gone, total)}
          {evicted > 0 && t.drainState.leaving(evicted)}
        </p>
        {message !== "" && <p>{message}</p>}
        <Blocked drain={drain} />
        {state === "draining" && (
          <Button
            small
            acts
            disabled={busy}
            onClick={() => void run({ kind: "cancel_drain", names: [node.name] })}
            data-testid="cancel-drain"
          >
            {t.drainState.cancel}
          </Button>
        )}
        <Refusals failures={failures} onDismiss={clear} />
        <Log node={node} />
      </div>
    </Section>
  );
}

function Blocked({ drain: { blocked, retry_at } }: { readonly drain: DrainCard }) {
  if (blocked.length === 0) return null;
  return (
    <>
      <ul className={styles.blocked} data-testid="drain-blocked">
        {blocked.map(({ namespace, name, budget, message }) => (
          <li key={`${namespace}/${name}`} data-tip={message}>
            <Meaning name="waiting" word={budget || t.meaning.waiting.word} badge />{" "}
            {budget
              ? t.drainState.blocked(`${namespace}/${name}`, budget)
              : `${t.drainState.notYet(`${namespace}/${name}`)}: ${message}`}
          </li>
        ))}
      </ul>
      {retry_at !== null && <Retry at={retry_at} />}
    </>
  );
}

function Retry({ at }: { readonly at: number }) {
  return <p className={styles.note}>{t.drainState.retry(at - useClusterNow())}</p>;
}

/** Read anew whenever the node changed: the card has the short form only. */
function Log({ node }: { readonly node: NodeCard }) {
  const slug = useClusterSlug();
  const { data } = useQuery({
    queryKey: ["drain", slug, node.name, node.resource_version],
    queryFn: ({ signal }) => send(readDrain(slug, node.name), signal),
    placeholderData: (before) => before,
    retry: 1,
  });
  if (!data || data.log.length === 0) return null;
  return (
    <details>
      <summary>{t.drainState.log}</summary>
      <pre className={styles.log}>{data.log.join("\n")}</pre>
    </details>
  );
}
