/** A pod's way through the queues and its binding, as far as this page saw it. */
import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { formatTimeOfDay } from "../../model/clock";
import type { BindingCard } from "../../model/messages.generated";
import { meaningOfCode } from "../../ui/meaning";
import { moveCause, moveWay } from "../queue/move_text";
import styles from "./inspector.module.css";
import { Section } from "./section";
import { StatusWord } from "./status_word";

export function History({ uid }: { readonly uid: string }) {
  const moves = useCluster((state) => state.moves);
  const binding = useCluster((state) => state.bindings.get(uid));
  const own = useMemo(() => moves.filter(({ move }) => move.pod.uid === uid), [moves, uid]);
  if (own.length === 0 && !binding) return null;
  return (
    <Section title={t.inspector.history} note={own.length || undefined} testId="history">
      <ol className={styles.list}>
        {own.map(({ id, move }) => (
          <li key={id}>
            <time className="num">{formatTimeOfDay(move.at)}</time>
            <span>
              <b>{moveWay(move)}</b> <span className={styles.plain}>{moveCause(move)}</span>
            </span>
          </li>
        ))}
      </ol>
      {binding && <Binding binding={binding} />}
    </Section>
  );
}

function Binding({ binding }: { readonly binding: BindingCard }) {
  return (
    <div className={styles.binding}>
      <p>
        {t.queue.lanes.binding.name} {t.queue.onto} <b>{binding.node}</b>: {t.inspector.phases[binding.phase]}
      </p>
      {binding.steps.length > 0 && (
        <ul className={styles.list}>
          {binding.steps.map((step) => (
            <li key={`${step.point} ${step.plugin}`}>
              <span>
                {step.point} {step.plugin}
              </span>
              <StatusWord status={step.status} meaning={meaningOfCode(step.status.code)} />
            </li>
          ))}
        </ul>
      )}
      {binding.message && <p className={styles.plain}>{binding.message}</p>}
    </div>
  );
}
