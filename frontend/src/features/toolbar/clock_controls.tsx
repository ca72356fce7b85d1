/** The cluster's clock: pause, step, speed, what is due next. While the past is shown, the past's own controls. */
import { shownKey } from "../../app/actions";
import { useCluster, useClusterSlug, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { Action } from "../../app/use_action";
import { useClusterNow } from "../../app/use_now";
import { formatTimeOfDay } from "../../model/clock";
import { pauseCluster, resumeCluster, stepCluster } from "../../transport/api";
import { IconButton } from "../../ui/button";
import { BreakpointsButton } from "../breakpoints/breakpoints_button";
import { PastControls } from "../rewind/past_controls";
import { NextDueText } from "./next_due_text";
import { SpeedControl } from "./speed_control";
import styles from "./top_bar.module.css";

export function ClockControls({ action }: { readonly action: Action }) {
  const rewound = useIsRewound();
  if (!rewound) return <LiveControls action={action} />;
  return (
    <span className={styles.group}>
      <PastControls>
        <Clock />
      </PastControls>
    </span>
  );
}

function LiveControls({ action }: { readonly action: Action }) {
  const slug = useClusterSlug();
  const paused = useCluster(({ cluster }) => cluster.state) === "paused";
  return (
    <span className={styles.group}>
      <IconButton
        acts
        icon={paused ? "play" : "pause"}
        label={paused ? t.topBar.resume : t.topBar.pause}
        shortcut={shownKey(" ")}
        data-testid="pause"
        onClick={() => void action.run(paused ? resumeCluster(slug) : pauseCluster(slug))}
      />
      <IconButton
        acts
        icon="step"
        label={t.topBar.step}
        shortcut="."
        data-testid="step"
        onClick={() => void action.run(stepCluster(slug))}
      />
      <Clock />
      <SpeedControl action={action} />
      {paused && (
        <>
          <span className={styles.paused} data-testid="paused">
            {t.topBar.paused}
          </span>
          <NextDueText />
        </>
      )}
      <BreakpointsButton />
    </span>
  );
}

function Clock() {
  const now = useClusterNow();
  return (
    <span className={styles.clock} data-testid="clock">
      <span className="visually-hidden">{t.topBar.clock}</span>
      <time data-tip={`${t.topBar.clock}\tUTC`}>{formatTimeOfDay(now)}</time>
    </span>
  );
}
