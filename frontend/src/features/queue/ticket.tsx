/** One pod in a lane: its name and what matters there. Draggable onto a node. */
import { useDraggable } from "@dnd-kit/core";
import { memo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useClusterNow } from "../../app/use_now";
import { useSelected } from "../../app/use_store";
import { isSelected, select, workbench } from "../../app/workbench";
import type { Grip } from "../../interaction/drag";
import { formatTimeOfDay } from "../../model/clock";
import type { PodCard, PodRef, QueuedPodCard, QueueMove } from "../../model/messages.generated";
import { selectLastMoves, selectSeveralSchedulers } from "../../model/selectors";
import { Icon } from "../../ui/icons";
import { moveText } from "./move_text";
import { PermitHolder } from "./permit_holder";
import styles from "./queue_strip.module.css";
import { shortReason } from "./reason";
import { Ring } from "./ring";

interface TicketProps {
  readonly card: QueuedPodCard;
  /** The heading above it says the reason. */
  readonly grouped: boolean;
}

export const Ticket = memo(function Ticket({ card, grouped }: TicketProps) {
  const move = useCluster((state) => selectLastMoves(state).get(card.pod.uid))?.move;
  const gates = useCluster((state) => state.pods.get(card.pod.uid)?.scheduling_gates) ?? NO_GATES;
  const several = useCluster(selectSeveralSchedulers);
  return (
    <TicketButton pod={card.pod} tip={tipOf(card, gates, move, several)}>
      <Left card={card} />
      {several && <span className={styles.scheduler}>{card.scheduler}</span>}
      <span className={styles.detail}>
        {card.queue === "waiting" && <PermitHolder uid={card.pod.uid} />}
        {!(grouped && card.queue === "unschedulablePods") && detailOf(card, gates)}
      </span>
    </TicketButton>
  );
});

/** A pending pod that no queue holds. */
export const UnqueuedTicket = memo(function UnqueuedTicket({ pod }: { readonly pod: PodCard }) {
  return (
    <TicketButton pod={pod} tip={`${pod.namespace}/${pod.name}\n${t.queue.pendingTip}`}>
      <span className={styles.detail}>{pod.scheduler_name}</span>
    </TicketButton>
  );
});

const NO_GATES: readonly string[] = [];

interface TicketButtonProps {
  readonly pod: PodRef;
  readonly tip: string;
  readonly children: React.ReactNode;
}

function TicketButton({ pod, tip, children }: TicketButtonProps) {
  const { namespace, name, uid } = pod;
  const data: Grip = { kind: "pod", pod: { namespace, name, uid } };
  const { setNodeRef, listeners, attributes, isDragging } = useDraggable({ id: `pod:${uid}`, data });
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "pod", uid));
  return (
    <button
      ref={setNodeRef}
      type="button"
      {...attributes}
      {...listeners}
      className={styles.ticket}
      data-testid="ticket"
      data-ticket={uid}
      data-pod={name}
      data-dragging={isDragging}
      data-selected={chosen}
      data-tip={tip}
      onClick={() => select({ kind: "pod", uid })}
    >
      <Icon name="pod" size={11} />
      <span className={styles.name}>{name}</span>
      {children}
    </button>
  );
}

/** How long still, where the pod waits for a moment that is known. */
function Left({ card }: { readonly card: QueuedPodCard }) {
  const answers = useCluster((state) => state.bindings.get(card.pod.uid)?.due_at) ?? null;
  switch (card.queue) {
    case "backoffQ":
      return <Countdown since={card.since} until={card.backoff_until} />;
    case "waiting":
      return <Countdown since={card.since} until={card.waits_until} />;
    case "binding":
      return <Countdown since={card.since} until={answers} />;
    default:
      return null;
  }
}

interface CountdownProps {
  readonly since: number;
  readonly until: number | null;
}

function Countdown({ since, until }: CountdownProps) {
  return until === null ? null : <Ticking since={since} until={until} />;
}

function Ticking({ since, until }: { readonly since: number; readonly until: number }) {
  const now = useClusterNow();
  return (
    <span className={styles.left}>
      <Ring since={since} until={until} now={now} />
      {t.queue.readyIn(until - now)}
    </span>
  );
}

function detailOf(card: QueuedPodCard, gates: readonly string[]): string {
  switch (card.queue) {
    case "unschedulablePods":
      return shortReason(card.message);
    case "gated":
      return gates[0] ?? shortReason(card.message);
    case "waiting":
    case "binding":
      return card.node ? `→ ${card.node}` : "";
    case "activeQ":
      return card.priority === 0 ? "" : String(card.priority);
    default:
      return "";
  }
}

function tipOf(card: QueuedPodCard, gates: readonly string[], move: QueueMove | undefined, several: boolean): string {
  const { pod, queue, attempts, since, unschedulable_plugins, pending_plugins, message, priority } = card;
  const plugins = [...unschedulable_plugins, ...pending_plugins];
  return [
    `${pod.namespace}/${pod.name}`,
    several && `${t.configuration.scheduler}\t${card.scheduler}`,
    `${t.queue.lanes[queue].name} ${t.queue.since}\t${formatTimeOfDay(since)}`,
    `${t.queue.attemptsTip}\t${attempts}`,
    priority !== 0 && `priority\t${priority}`,
    plugins.length > 0 && `${t.queue.rejectedBy}\t${plugins.join(", ")}`,
    gates.length > 0 && gates.join(", "),
    message,
    move && moveText(move),
  ]
    .filter(Boolean)
    .join("\n");
}
