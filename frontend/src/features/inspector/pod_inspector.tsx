/** A pod: what it is, where it stands, and every attempt to schedule it. */
import { useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useClusterNow } from "../../app/use_now";
import { openEditor } from "../../app/workbench";
import type { PodCard, QueuedPodCard } from "../../model/messages.generated";
import { phaseOf, statusText } from "../../model/phase";
import { formatQuantity } from "../../model/quantity";
import { objectPath, PODS } from "../../transport/api";
import { request } from "../../transport/rest";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy_buttons";
import { Icon } from "../../ui/icons";
import { openForm } from "../touch/form_store";
import { Refusals } from "../touch/refusals";
import { useDeed } from "../touch/use_deed";
import { Attempts } from "./attempts";
import { History } from "./history";
import styles from "./inspector.module.css";
import { Labels } from "./labels";
import { NodeLink, OwnerLink } from "./links";
import { ObjectEvents } from "./object_events";
import { Facts, Section } from "./section";

export function PodInspector({ pod }: { readonly pod: PodCard }) {
  const queued = useCluster((state) => state.queue.get(pod.uid));
  return (
    <>
      <Head pod={pod} />
      {queued && <Standing card={queued} nominated={pod.nominated_node_name} />}
      {/* First what people come for: why it is there, or nowhere. */}
      <Attempts pod={pod} />
      <History pod={pod} />
      <Section title={t.inspector.about} closed testId="about">
        <About pod={pod} />
      </Section>
      <ObjectEvents uid={pod.uid} />
    </>
  );
}

function Head({ pod }: { readonly pod: PodCard }) {
  const slug = useClusterSlug();
  const { busy, failures, run, clear } = useDeed();
  const [asked, setAsked] = useState(false);
  const { namespace, name } = pod;
  const phase = phaseOf(pod);
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <Icon name={phase} size={15} />
        <h2>{name}</h2>
        <span className={styles.status} data-testid="pod-status">
          {statusText(pod)}
        </span>
      </div>
      <p className={styles.brief}>
        {namespace} · {pod.node_name ? <NodeLink name={pod.node_name} /> : t.inspector.notBound} ·{" "}
        <Requests requests={pod.requests} />
      </p>
      <div className={styles.actions}>
        <Button
          small
          acts
          icon="arrow_right"
          disabled={pod.deletion_timestamp !== ""}
          onClick={() => openForm({ kind: "move", pods: [{ namespace, name, uid: pod.uid }] })}
          data-testid="move-pod"
        >
          {pod.node_name ? t.podActions.moveTo : t.podActions.bindTo}
        </Button>
        <Button
          small
          icon="edit"
          onClick={() => openEditor({ kind: "object", resource: PODS, namespace, name })}
          data-testid="edit-yaml"
        >
          {t.inspector.yaml}
        </Button>
        <Button
          small
          look="danger"
          icon="trash"
          disabled={busy || pod.deletion_timestamp !== ""}
          onClick={() => (asked ? void run({ kind: "delete_pods", pods: [{ namespace, name }] }) : setAsked(true))}
          onBlur={() => setAsked(false)}
          data-testid="delete-pod"
        >
          {asked ? t.inspector.deleteSure : t.inspector.deletePod}
        </Button>
        <CopyButton
          label={t.inspector.httpLine}
          text={() => {
            const { method, path } = request("GET", objectPath(slug, PODS, namespace, name));
            return `curl -X ${method} ${location.origin}${path}`;
          }}
        />
      </div>
      <Refusals failures={failures} onDismiss={clear} />
    </header>
  );
}

/** Where an unbound pod stands in the queue, in a sentence. */
function Standing({ card, nominated }: { readonly card: QueuedPodCard; readonly nominated: string }) {
  const lane = t.queue.lanes[card.queue];
  const plugins = [...card.unschedulable_plugins, ...card.pending_plugins];
  return (
    <div className={styles.standing} data-testid="standing">
      <p>
        <b>{lane.name}</b> {card.attempts > 0 && t.queue.attempts(card.attempts)}
        {card.queue === "backoffQ" && card.backoff_until !== null && <BackoffLeft until={card.backoff_until} />}
      </p>
      <p className={styles.plain}>{lane.explain}</p>
      {nominated !== "" && <p className={styles.plain}>{t.queue.roomOn(nominated)}</p>}
      {plugins.length > 0 && (
        <p className={styles.plain}>
          {t.queue.rejectedBy} {plugins.join(", ")}
        </p>
      )}
    </div>
  );
}

function BackoffLeft({ until }: { readonly until: number }) {
  const now = useClusterNow();
  return <span className={styles.note}> · {t.queue.readyIn(until - now)}</span>;
}

function Requests({ requests }: { readonly requests: PodCard["requests"] }) {
  const entries = Object.entries(requests);
  if (entries.length === 0) return t.inspector.noRequests;
  return entries.map(([resource, amount]) => (
    <span key={resource} className={styles.amount}>
      {resource} <b>{formatQuantity(resource, amount)}</b>
    </span>
  ));
}

function About({ pod }: { readonly pod: PodCard }) {
  return (
    <>
      <Facts
        facts={[
          pod.nominated_node_name !== "" && {
            name: t.inspector.nominated,
            value: <NodeLink name={pod.nominated_node_name} />,
          },
          { name: t.inspector.priority, value: pod.priority },
          { name: t.inspector.scheduler, value: pod.scheduler_name },
          pod.scheduling_gates.length > 0 && { name: t.inspector.gates, value: pod.scheduling_gates.join(", ") },
          pod.image !== "" && { name: t.inspector.image, value: <code>{pod.image}</code> },
          pod.owner !== null && { name: t.inspector.owner, value: <OwnerLink owner={pod.owner} /> },
          pod.message !== "" && { name: t.inspector.message, value: pod.message },
        ]}
      />
      <Labels labels={pod.labels} />
    </>
  );
}
