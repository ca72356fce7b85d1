/**
 * The scheduler's queue, left to right: activeQ, the scheduling cycle, Permit, binding, bound; and
 * beside that way the places where pods wait: backoffQ, unschedulablePods, gated.
 */
import { type CSSProperties, memo, useRef, useState } from "react";
import { useCluster, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { QueuedPodCard } from "../../model/messages.generated";
import { selectBoundCount, selectUnqueuedPods } from "../../model/selectors";
import { Button, IconButton } from "../../ui/button";
import { classNames } from "../../ui/class_names";
import { Icon } from "../../ui/icons";
import { meaningClass } from "../../ui/meaning";
import { FilmToggle } from "../film/film_slot";
import { HeldUpNotice } from "./held_up_notice";
import { LaneRows } from "./lane_rows";
import { LANES, type Lane } from "./lanes";
import { LatestMove } from "./latest_move";
import { MoveLog } from "./move_log";
import styles from "./queue_strip.module.css";
import { SchedulerFilter, useLanes } from "./scheduler_filter";
import { UnqueuedTicket } from "./ticket";
import { useGroupOf } from "./use_group_of";
import { type LaneCount, useTravel } from "./use_travel";

/** Tickets drawn of pods that no queue holds; the rest is a number. */
const MOST_TICKETS = 60;

interface QueueStripProps {
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function QueueStrip({ open, onToggle }: QueueStripProps) {
  const [logOpen, setLogOpen] = useState(false);
  const [scheduler, setScheduler] = useState("");
  const rewound = useIsRewound();
  return (
    <div className={styles.strip} data-testid="queue-strip">
      <div className={styles.head}>
        <h2>{t.shell.queue}</h2>
        {!open && <Counts scheduler={scheduler} />}
        {!rewound && <HeldUpNotice />}
        <LatestMove />
        <span className={styles.end}>
          <SchedulerFilter scheduler={scheduler} onChoose={setScheduler} />
          <FilmToggle />
          {open && (
            <Button look="quiet" small aria-pressed={logOpen} onClick={() => setLogOpen(!logOpen)}>
              {t.queue.log}
            </Button>
          )}
          <IconButton
            icon={open ? "chevron_down" : "chevron_up"}
            label={open ? t.shell.hideQueue : t.shell.showQueue}
            small
            onClick={onToggle}
          />
        </span>
      </div>
      {open && (
        <div className={styles.body}>
          <Lanes scheduler={scheduler} />
          {logOpen && <MoveLog />}
        </div>
      )}
    </div>
  );
}

/** The strip when it is closed. */
function Counts({ scheduler }: { readonly scheduler: string }) {
  const lanes = useLanes(scheduler);
  return (
    <span className={styles.counts}>
      {LANES.map(({ name }) => (
        <span key={name}>
          {t.queue.lanes[name].name} <b>{t.number(lanes[name].length)}</b>
        </span>
      ))}
    </span>
  );
}

function Lanes({ scheduler }: { readonly scheduler: string }) {
  const lanes = useLanes(scheduler);
  const strip = useRef<HTMLDivElement>(null);
  const counts = useTravel(strip, styles.ghost ?? "");
  const way = LANES.filter(({ group }) => group === "way");
  const aside = LANES.filter(({ group }) => group === "aside");
  return (
    <div ref={strip} className={styles.lanes}>
      {way.map((lane) => (
        <LaneView key={lane.name} lane={lane} cards={lanes[lane.name]} entered={counts.get(lane.name)} />
      ))}
      <BoundLane entered={counts.get("bound")} />
      {aside.map((lane) => (
        <LaneView key={lane.name} lane={lane} cards={lanes[lane.name]} entered={counts.get(lane.name)} />
      ))}
      <UnqueuedLane />
    </div>
  );
}

interface LaneViewProps {
  readonly lane: Lane;
  readonly cards: readonly QueuedPodCard[];
  readonly entered: LaneCount | undefined;
}

const LaneView = memo(function LaneView({ lane, cards, entered }: LaneViewProps) {
  const { name, explain } = t.queue.lanes[lane.name];
  const groupOf = useGroupOf(lane.name);
  return (
    <section
      className={classNames(styles.lane, lane.meaning && meaningClass(lane.meaning))}
      style={{ "--grow": lane.grow } as CSSProperties}
      data-lane={lane.name}
      data-group={lane.group}
      data-testid={`lane-${lane.name}`}
      aria-label={name}
    >
      <div className={styles.title} data-tip={explain}>
        {lane.icon && <Icon name={lane.icon} size={12} />}
        <h3>{name}</h3>
        <b>{t.number(cards.length)}</b>
      </div>
      <Entered entered={entered} />
      {cards.length === 0 ? (
        <p className={styles.empty}>{t.queue.empty}</p>
      ) : (
        <LaneRows cards={cards} label={t.lane.tickets(name)} groupOf={groupOf} />
      )}
      {lane.group === "way" && <Arrow />}
    </section>
  );
});

function BoundLane({ entered }: { readonly entered: LaneCount | undefined }) {
  const count = useCluster(selectBoundCount);
  const { name, explain } = t.queue.lanes.bound;
  return (
    <section
      className={styles.lane}
      style={{ "--grow": 0.6, "--least": "92px" } as CSSProperties}
      data-lane="bound"
      data-group="way"
      data-testid="lane-bound"
      aria-label={name}
    >
      <div className={styles.title} data-tip={explain}>
        <h3>{name}</h3>
      </div>
      <Entered entered={entered} />
      <div className={styles.bound}>{t.number(count)}</div>
    </section>
  );
}

function UnqueuedLane() {
  const pods = useCluster(selectUnqueuedPods);
  if (pods.length === 0) return null;
  return (
    <section className={styles.lane} data-group="aside" data-testid="lane-unqueued" aria-label={t.queue.pending}>
      <div className={styles.title} data-tip={t.queue.pendingTip}>
        <h3>{t.queue.pending}</h3>
        <b>{t.number(pods.length)}</b>
      </div>
      <div className={styles.tickets}>
        {pods.slice(0, MOST_TICKETS).map((pod) => (
          <UnqueuedTicket key={pod.uid} pod={pod} />
        ))}
        {pods.length > MOST_TICKETS && <p className={styles.more}>{t.queue.more(pods.length - MOST_TICKETS)}</p>}
      </div>
    </section>
  );
}

function Entered({ entered }: { readonly entered: LaneCount | undefined }) {
  if (!entered) return null;
  return (
    <span key={entered.id} className={styles.pulse} aria-hidden="true">
      {t.queue.movesIn(entered.count)}
    </span>
  );
}

function Arrow() {
  return (
    <span className={styles.arrow}>
      <Icon name="chevron_right" size={11} />
    </span>
  );
}
