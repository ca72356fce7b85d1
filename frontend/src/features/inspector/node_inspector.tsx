/** A node: what can be done to it, what is requested of it, what keeps pods away, and who is there. */
import { useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { select } from "../../app/workbench";
import type { NodeCard } from "../../model/messages.generated";
import { phaseOf, statusText } from "../../model/phase";
import { loadOfNode } from "../../model/selectors";
import type { NodeLoad } from "../../model/state";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import styles from "./inspector.module.css";
import { NodeDrain } from "./node_drain";
import { NodeHead } from "./node_head";
import { NodeImages, NodeLabels, NodeTaints } from "./node_lists";
import { NodeResources } from "./node_resources";
import { ObjectEvents } from "./object_events";
import { Section } from "./section";

export function NodeInspector({ node }: { readonly node: NodeCard }) {
  const load = useCluster((state) => loadOfNode(state, node.name));
  return (
    <>
      <NodeHead node={node} />
      {node.drain && <NodeDrain node={node} drain={node.drain} />}
      <Section title={t.inspector.resources}>
        <NodeResources node={node} load={load} />
      </Section>
      <Section title={t.inspector.taints} note={node.taints.length || undefined}>
        <NodeTaints node={node} />
      </Section>
      <Section title={t.inspector.labels} note={Object.keys(node.labels).length}>
        <NodeLabels node={node} />
      </Section>
      <Section title={t.inspector.pods} note={load.pods.length} testId="node-pods">
        <Pods load={load} />
      </Section>
      <Section title={t.inspector.images} note={node.images.length} closed={node.images.length === 0} testId="images">
        <NodeImages node={node} />
      </Section>
      <ObjectEvents uid={node.uid} />
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
