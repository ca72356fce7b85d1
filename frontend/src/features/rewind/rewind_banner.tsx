/** Says that the page shows the past, from when, and how to get back; or why the past could not be shown. */
import { useState } from "react";
import { useCluster, usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { formatTimeOfDay } from "../../model/clock";
import { shownOf } from "../../model/rewind";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { ForkDialog } from "./fork_dialog";
import styles from "./rewind.module.css";

export function RewindBanner() {
  const { past, wanted, error } = useStore(usePast().standing);
  return (
    <>
      <p className="visually-hidden" role="status">
        {past && t.rewind.mark(formatTimeOfDay(shownOf(past).at))}
      </p>
      {past && <Mark />}
      {!past && wanted !== undefined && <Reading />}
      {error && <Problem />}
    </>
  );
}

function Mark() {
  const past = usePast();
  const { atNewest, wanted } = useStore(past.standing);
  const version = useCluster((state) => state.version);
  const at = useCluster((state) => state.cluster.clock_at);
  const [forking, setForking] = useState(false);
  return (
    <section className={styles.banner} data-testid="rewound" aria-label={t.rewind.banner}>
      <Icon name="rewind" size={15} />
      <strong className="num">{t.rewind.mark(formatTimeOfDay(at))}</strong>
      <span className={styles.version}>{t.rewind.version(version)}</span>
      <span className={styles.plain}>{explanation(wanted !== undefined, atNewest)}</span>
      <Button small icon="group" data-tip={t.rewind.forkTip} data-testid="fork" onClick={() => setForking(true)}>
        {t.rewind.fork}
      </Button>
      <Button small look="primary" data-testid="return-to-live" onClick={() => past.goLive()}>
        {t.rewind.live}
      </Button>
      {forking && <ForkDialog version={version} at={at} onClose={() => setForking(false)} />}
    </section>
  );
}

/** From a large cluster the first look back may take seconds; until then the page is live. */
function Reading() {
  const past = usePast();
  return (
    <section className={styles.banner} data-testid="reading-past" aria-label={t.rewind.banner}>
      <Icon name="rewind" size={15} />
      <span className={styles.plain}>{t.rewind.readingFirst}</span>
      <Button small onClick={() => past.goLive()}>
        {t.cancel}
      </Button>
    </section>
  );
}

function explanation(reading: boolean, atNewest: boolean): string {
  if (reading) return t.rewind.reading;
  return atNewest ? t.rewind.newest : t.rewind.explain;
}

function Problem() {
  const past = usePast();
  const { error } = useStore(past.standing);
  return error && <ErrorNote error={error} onDismiss={() => past.dismiss()} />;
}
