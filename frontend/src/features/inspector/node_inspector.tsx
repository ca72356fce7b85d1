/** A node: what is requested of it, what keeps pods away, and who is there. */
import { useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { openEditor, select } from "../../app/workbench";
import type { NodeCard } from "../../model/messages.generated";
import { taintText } from "../../model/node_view";
import { phaseOf, statusText } from "../../model/phase";
import { formatQuantity } from "../../model/quantity";
import { loadOfNode } from "../../model/selectors";
import type { NodeLoad } from "../../model/state";
import { cordonNode, NODES, patchObject } from "../../transport/api";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { AddEntry } from "./add_entry";
import styles from "./inspector.module.css";
import { parseLabel, parseTaint } from "./node_edits";
import { ObjectEvents } from "./object_events";
import { Facts, Section } from "./section";

export function NodeInspector({ node }: { readonly node: NodeCard }) {
  const load = useCluster((state) => loadOfNode(state, node.name));
  return (
    <>
      <Head node={node} />
      <Section title={t.inspector.resources}>
        <Resources node={node} load={load} />
      </Section>
      <Section title={t.inspector.taints} note={node.taints.length || undefined}>
        <Taints node={node} />
      </Section>
      <Section title={t.inspector.labels} note={Object.keys(node.labels).length}>
        <NodeLabels node={node} />
      </Section>
      <Section title={t.inspector.pods} note={load.pods.length} testId="node-pods">
        <Pods load={load} />
      </Section>
      {node.images.length > 0 && (
        <Section title={t.inspector.images} note={node.images.length} closed>
          <ul className={styles.labels}>
            {node.images.map((image) => (
              <li key={image}>
                <code>{image}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <ObjectEvents uid={node.uid} />
    </>
  );
}

function Head({ node }: { readonly node: NodeCard }) {
  const slug = useClusterSlug();
  const { busy, error, run, clear } = useAction();
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <Icon name="node" size={15} />
        <h2>{node.name}</h2>
      </div>
      <Facts
        facts={[
          node.roles.length > 0 && { name: t.inspector.roles, value: node.roles.join(", ") },
          node.zone !== "" && { name: t.board.zone, value: node.zone },
          { name: t.inspector.ready, value: node.ready },
          { name: t.inspector.schedulable, value: node.unschedulable ? t.board.cordoned : t.inspector.yes },
        ]}
      />
      <div className={styles.actions}>
        <Button
          small
          icon="cordon"
          disabled={busy}
          onClick={() => void run(cordonNode(slug, node.name, !node.unschedulable))}
          data-testid="inspector-cordon"
        >
          {node.unschedulable ? t.board.uncordon : t.board.cordon}
        </Button>
        <Button
          small
          icon="edit"
          onClick={() => openEditor({ kind: "object", resource: NODES, namespace: "", name: node.name })}
        >
          {t.inspector.yaml}
        </Button>
      </div>
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </header>
  );
}

function Resources({ node, load }: { readonly node: NodeCard; readonly load: NodeLoad }) {
  return (
    <table className={styles.resources}>
      <thead>
        <tr>
          <th scope="col">{t.inspector.resource}</th>
          <th scope="col" className="num">
            {t.board.requested}
          </th>
          <th scope="col" className="num">
            {t.board.allocatable}
          </th>
          <th scope="col" className="num">
            {t.board.free}
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(node.allocatable).map(([resource, allocatable]) => {
          const requested = load.usage[resource] ?? 0;
          const free = allocatable - requested;
          return (
            <tr key={resource} data-over={free < 0}>
              <th scope="row">{resource}</th>
              <td className="num">{formatQuantity(resource, requested)}</td>
              <td className="num">{formatQuantity(resource, allocatable)}</td>
              <td className="num">{formatQuantity(resource, free)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Taints({ node }: { readonly node: NodeCard }) {
  const slug = useClusterSlug();
  const { error, run, clear } = useAction();
  const put = (taints: NodeCard["taints"]) => run(patchObject(slug, NODES, "", node.name, { spec: { taints } }));
  return (
    <>
      <ul className={styles.labels}>
        {node.taints.map((taint) => (
          <li key={taintText(taint)}>
            <code>{taintText(taint)}</code>
            <IconButton
              icon="close"
              small
              label={t.inspector.removeTaint(taintText(taint))}
              onClick={() => void put(node.taints.filter((one) => one !== taint))}
            />
          </li>
        ))}
      </ul>
      <AddEntry
        label={t.inspector.addTaint}
        placeholder="dedicated=gpu:NoSchedule"
        parse={parseTaint}
        onAdd={(taint) =>
          put([...node.taints.filter(({ key, effect }) => key !== taint.key || effect !== taint.effect), taint])
        }
      />
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </>
  );
}

function NodeLabels({ node }: { readonly node: NodeCard }) {
  const slug = useClusterSlug();
  const { error, run, clear } = useAction();
  const put = (labels: Readonly<Record<string, string | null>>) =>
    run(patchObject(slug, NODES, "", node.name, { metadata: { labels } }));
  return (
    <>
      <ul className={styles.labels}>
        {Object.entries(node.labels).map(([key, value]) => (
          <li key={key}>
            <code>{value ? `${key}=${value}` : key}</code>
            <IconButton
              icon="close"
              small
              label={t.inspector.removeLabel(key)}
              onClick={() => void put({ [key]: null })}
            />
          </li>
        ))}
      </ul>
      <AddEntry
        label={t.inspector.addLabel}
        placeholder="disk=ssd"
        parse={parseLabel}
        onAdd={({ key, value }) => put({ [key]: value })}
      />
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </>
  );
}

const MOST_PODS = 60;

function Pods({ load }: { readonly load: NodeLoad }) {
  const [all, setAll] = useState(false);
  if (load.pods.length === 0) return <p className={styles.plain}>{t.board.noPods}</p>;
  const shown = all ? load.pods : load.pods.slice(0, MOST_PODS);
  return (
    <ul className={styles.list}>
      {shown.map((pod) => (
        <li key={pod.uid}>
          <Icon name={phaseOf(pod)} size={11} />
          <button type="button" className={styles.link} onClick={() => select({ kind: "pod", uid: pod.uid })}>
            {pod.namespace}/{pod.name}
          </button>
          <span className={styles.note}>{statusText(pod)}</span>
        </li>
      ))}
      {shown.length < load.pods.length && (
        <Button small look="quiet" onClick={() => setAll(true)}>
          {t.queue.more(load.pods.length - shown.length)}
        </Button>
      )}
    </ul>
  );
}
