/** A Deployment, ReplicaSet, ...: its state, its pods, its events. */
import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { openEditor, select } from "../../app/workbench";
import type { PodCard, WorkloadCard } from "../../model/messages.generated";
import { phaseOf, statusText } from "../../model/phase";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { resourceOfWorkload } from "../workloads/resources";
import styles from "./inspector.module.css";
import { NodeLink, OwnerLink } from "./links";
import { ObjectEvents } from "./object_events";
import { Facts, Section } from "./section";

export function WorkloadInspector({ workload }: { readonly workload: WorkloadCard }) {
  const { name, namespace, workload_kind: kind, uid, owner } = workload;
  const pods = usePodsOf(uid);
  const resource = resourceOfWorkload(kind);
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{name}</h2>
          <span className={styles.status}>{kind}</span>
        </div>
        <Facts
          facts={[
            { name: t.inspector.namespace, value: namespace },
            { name: t.inspector.replicas, value: t.workloads.ready(workload.ready_replicas, workload.replicas) },
            owner !== null && { name: t.inspector.owner, value: <OwnerLink owner={owner} /> },
          ]}
        />
        {resource && (
          <div className={styles.actions}>
            <Button small icon="edit" onClick={() => openEditor({ kind: "object", resource, namespace, name })}>
              {t.inspector.yaml}
            </Button>
          </div>
        )}
      </header>
      <Section title={t.inspector.pods} note={pods.length}>
        <ul className={styles.list}>
          {pods.map((pod) => (
            <li key={pod.uid}>
              <Icon name={phaseOf(pod)} size={11} />
              <button type="button" className={styles.link} onClick={() => select({ kind: "pod", uid: pod.uid })}>
                {pod.name}
              </button>
              <span className={styles.note}>{pod.node_name ? <NodeLink name={pod.node_name} /> : statusText(pod)}</span>
            </li>
          ))}
        </ul>
      </Section>
      <ObjectEvents uid={uid} />
    </>
  );
}

/** Pods of the workload itself or of a workload that it owns. */
function usePodsOf(uid: string): readonly PodCard[] {
  const pods = useCluster((state) => state.pods);
  const workloads = useCluster((state) => state.workloads);
  return useMemo(() => {
    const owners = new Set([uid]);
    for (const one of workloads.values()) if (one.owner?.uid === uid) owners.add(one.uid);
    return [...pods.values()].filter(({ owner }) => owner && owners.has(owner.uid));
  }, [pods, workloads, uid]);
}
