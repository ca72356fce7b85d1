/** When a breakpoint has stopped the clock: which one, by whom, and what can be done now. */
import { useCluster, useClusterSlug, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { select } from "../../app/workbench";
import type { BreakpointHit } from "../../model/messages.generated";
import { resumeCluster, stepCluster } from "../../transport/api";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { openFilm } from "../film/film_store";
import { breakpointText } from "./breakpoint_text";
import styles from "./breakpoints.module.css";
import { useBreakpoints } from "./use_breakpoints";

export function BreakpointBanner() {
  const hit = useCluster(({ cluster }) => (cluster.state === "paused" ? cluster.paused_by : null));
  const rewound = useIsRewound();
  return (
    <>
      <p className="visually-hidden" role="status">
        {hit && !rewound && `${t.breakpoints.hit(podName(hit))}. ${hit.message}`}
      </p>
      {hit && !rewound && <Banner hit={hit} />}
    </>
  );
}

const podName = ({ pod }: BreakpointHit): string => `${pod.namespace}/${pod.name}`;

function Banner({ hit }: { readonly hit: BreakpointHit }) {
  const slug = useClusterSlug();
  const { run, busy, error, clear } = useAction();
  const { data } = useBreakpoints();
  const breakpoint = data?.find(({ id }) => id === hit.id);
  const { sequence } = hit;
  return (
    <section className={styles.banner} data-testid="breakpoint-hit" aria-label={t.breakpoints.title}>
      <Icon name="breakpoint" size={15} />
      <span className={styles.what}>
        <strong>{t.breakpoints.hit(podName(hit))}</strong>
        {breakpoint && <small> ({breakpointText(breakpoint)})</small>} <span>{hit.message}</span>
      </span>
      {error && <ErrorNote error={error} onDismiss={clear} />}
      <Button
        small
        look="quiet"
        onClick={() => select({ kind: "pod", uid: hit.pod.uid, ...(sequence === null ? {} : { sequence }) })}
      >
        {t.breakpoints.inspect}
      </Button>
      {sequence !== null && (
        <Button small icon="film" data-testid="hit-film" onClick={() => void openFilm(slug, sequence)}>
          {t.breakpoints.film}
        </Button>
      )}
      <Button acts small icon="step" disabled={busy} data-testid="hit-step" onClick={() => void run(stepCluster(slug))}>
        {t.breakpoints.step}
      </Button>
      <Button
        acts
        small
        look="primary"
        icon="play"
        disabled={busy}
        data-testid="hit-resume"
        onClick={() => void run(resumeCluster(slug))}
      >
        {t.breakpoints.resume}
      </Button>
    </section>
  );
}
