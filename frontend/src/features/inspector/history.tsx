/** A pod's way through the queues and its binding, from its beginning. */
import { useMemo } from "react";
import { useCluster, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useClusterNow } from "../../app/use_now";
import { formatTimeOfDay } from "../../model/clock";
import { lifeTimeline } from "../../model/life_timeline";
import type { BindingCard, PodRef } from "../../model/messages.generated";
import { meaningOfCode } from "../../ui/meaning";
import { PlayButton } from "../film/film_slot";
import { LifePicture } from "../timeline/life_picture";
import styles from "./inspector.module.css";
import { type LifeLine, lifeLines } from "./life_lines";
import { NotWoken } from "./not_woken";
import { Section } from "./section";
import { StatusWord } from "./status_word";
import { usePodLife, type WatchedLife } from "./use_pod_life";

export function History({ pod }: { readonly pod: PodRef }) {
  const watched = usePodLife(pod);
  const { life, streamed } = watched;
  const binding = useCluster((state) => state.bindings.get(pod.uid));
  const until = useUntil();
  const lines = useMemo(() => lifeLines(life, streamed).filter(({ at }) => at <= until), [life, streamed, until]);
  if (lines.length === 0 && !binding) return null;
  return (
    <Section title={t.inspector.history} note={lines.length || undefined} testId="history">
      <Beginning watched={watched} />
      {life && <Picture watched={watched} until={until} />}
      <ol className={styles.list}>
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </ol>
      {life && until === Number.POSITIVE_INFINITY && <NotWoken skips={life.not_woken_by.map(({ skip }) => skip)} />}
      {binding && <Binding binding={binding} />}
    </Section>
  );
}

/** While the past is shown, what came later is left out. */
function useUntil(): number {
  const rewound = useIsRewound();
  const at = useCluster((state) => (rewound ? state.cluster.clock_at : 0));
  return rewound ? at : Number.POSITIVE_INFINITY;
}

interface PictureProps {
  readonly watched: WatchedLife;
  readonly until: number;
}

function Picture({ watched: { life }, until }: PictureProps) {
  const now = useClusterNow(1000);
  const picture = useMemo(() => {
    const entries = life?.entries.filter(({ at }) => at <= until) ?? [];
    return lifeTimeline(entries, now);
  }, [life, until, now]);
  return picture && life && <LifePicture life={picture} uid={life.pod.uid} />;
}

/** Says so where the list does not go back to the pod's beginning. */
function Beginning({ watched: { life, loading } }: { readonly watched: WatchedLife }) {
  if (loading || life?.complete) return null;
  return <p className={styles.plain}>{life ? t.inspector.beginningGone : t.inspector.onlyWatched}</p>;
}

function Line({ line: { at, what, cause, attempt } }: { readonly line: LifeLine }) {
  return (
    <li>
      <time className="num">{formatTimeOfDay(at)}</time>
      <span>
        <b>{what}</b> <span className={styles.plain}>{cause}</span>
      </span>
      {attempt && <PlayButton sequence={attempt.sequence} label={t.film.openOf(attempt.number)} />}
    </li>
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
