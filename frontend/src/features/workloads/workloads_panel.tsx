/** Deployments and their kind, with one click to scale. ReplicaSets of a Deployment are counted, not listed. */

import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { openEditor } from "../../app/workbench";
import { selectWorkloads } from "../../model/selectors";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty_state";
import { DEPLOYMENT_SKELETON } from "./deployment_skeleton";
import { topWorkloads } from "./owners";
import { WorkloadRow } from "./workload_row";
import styles from "./workloads.module.css";

export function WorkloadsPanel() {
  const workloads = useCluster(selectWorkloads);
  const top = topWorkloads(workloads);
  const write = () => openEditor({ kind: "new", yaml: DEPLOYMENT_SKELETON });
  return (
    <div className={styles.panel} data-testid="workloads">
      {top.length === 0 ? (
        <EmptyState title={t.workloads.empty}>{t.workloads.emptyHint}</EmptyState>
      ) : (
        <ul>
          {top.map(({ workload, owned }) => (
            <WorkloadRow key={workload.uid} workload={workload} owned={owned} />
          ))}
        </ul>
      )}
      <Button icon="edit" onClick={write}>
        {t.workloads.newDeployment}
      </Button>
    </div>
  );
}
