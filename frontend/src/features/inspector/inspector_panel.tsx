/** What is selected on the board, in a lane, in a list or in an event: a pod, a node, a workload. */
import { useCluster, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { type Selection, workbench } from "../../app/workbench";
import { EmptyState } from "../../ui/empty_state";
import { PresetNote } from "../clusters/preset_note";
import styles from "./inspector.module.css";
import { NodeInspector } from "./node_inspector";
import { ObjectInspector } from "./object_inspector";
import { PodInspector } from "./pod_inspector";
import { WorkloadInspector } from "./workload_inspector";

export function InspectorPanel() {
  const selection = useSelected(workbench, (bench) => bench.selection);
  if (!selection) return <Nothing />;
  return (
    <div className={styles.panel} data-testid="inspector">
      <Selected key={`${selection.kind} ${selection.uid}`} selection={selection} />
    </div>
  );
}

function Nothing() {
  return (
    <PresetNote>
      <EmptyState title={t.inspector.nothing}>{t.inspector.nothingHint}</EmptyState>
    </PresetNote>
  );
}

function Selected({ selection: { kind, uid } }: { readonly selection: Selection }) {
  const rewound = useIsRewound();
  const pod = useCluster((state) => state.pods.get(uid));
  const node = useCluster((state) => state.nodes.get(uid));
  const workload = useCluster((state) => state.workloads.get(uid));
  const object = useCluster((state) => state.objects.get(uid));
  if (kind === "pod" && pod) return <PodInspector pod={pod} />;
  if (kind === "node" && node) return <NodeInspector node={node} />;
  if (kind === "workload" && workload) return <WorkloadInspector workload={workload} />;
  if (kind === "object" && object) return <ObjectInspector object={object} />;
  if (rewound) return <EmptyState title={t.rewind.notThere}>{t.rewind.notThereHint}</EmptyState>;
  return <EmptyState title={t.inspector.gone}>{t.inspector.goneHint}</EmptyState>;
}
