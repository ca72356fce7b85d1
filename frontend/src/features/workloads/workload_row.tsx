/** One workload: how many of its pods are ready, and the controls that change how many are wanted. */
import { memo, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { useSelected } from "../../app/use_store";
import { isSelected, openEditor, select, workbench } from "../../app/workbench";
import type { WorkloadCard } from "../../model/messages.generated";
import { deleteObject } from "../../transport/api";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import { isScalable, resourceOfWorkload } from "./resources";
import { ScaleControl } from "./scale_control";
import styles from "./workloads.module.css";

interface WorkloadRowProps {
  readonly workload: WorkloadCard;
  readonly owned: number;
}

export const WorkloadRow = memo(function WorkloadRow({ workload, owned }: WorkloadRowProps) {
  const { uid, name, namespace, workload_kind: kind, replicas, ready_replicas: ready } = workload;
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "workload", uid));
  return (
    <li className={styles.row} data-testid="workload" data-workload={name} data-selected={chosen}>
      <div className={styles.line}>
        <button type="button" className={styles.name} onClick={() => select({ kind: "workload", uid })}>
          {name}
        </button>
        <WorkloadMenu workload={workload} />
      </div>
      <div className={styles.detail}>
        <span>{kind}</span>
        <span>{namespace}</span>
        {owned > 1 && <span>{t.workloads.ownedSets(owned)}</span>}
      </div>
      <div className={styles.line}>
        <span className={styles.ready} data-complete={ready >= replicas} data-tip={t.workloads.ready(ready, replicas)}>
          <span className={styles.track}>
            <span style={{ width: `${replicas === 0 ? 0 : Math.min(100, (ready / replicas) * 100)}%` }} />
          </span>
          <span className="num" data-testid="ready">
            {ready}/{replicas}
          </span>
        </span>
        {isScalable(workload) && <ScaleControl workload={workload} />}
      </div>
    </li>
  );
});

function WorkloadMenu({ workload }: { readonly workload: WorkloadCard }) {
  const { uid, name, namespace, workload_kind: kind } = workload;
  const [asking, setAsking] = useState(false);
  const resource = resourceOfWorkload(kind);
  if (!resource) return null;
  return (
    <>
      <Menu
        label={t.workloads.actions(name)}
        buttonClassName={styles.menu}
        items={[
          { id: "inspect", label: t.workloads.inspect, icon: "inspect", run: () => select({ kind: "workload", uid }) },
          {
            id: "edit",
            label: t.workloads.edit,
            icon: "edit",
            run: () => openEditor({ kind: "object", resource, namespace, name }),
          },
          { id: "delete", label: t.workloads.remove, icon: "trash", danger: true, run: () => setAsking(true) },
        ]}
      >
        <Icon name="menu" />
      </Menu>
      {asking && <DeleteDialog workload={workload} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteDialog({ workload, onClose }: { readonly workload: WorkloadCard; readonly onClose: () => void }) {
  const slug = useClusterSlug();
  const { busy, error, run, clear } = useAction();
  const { namespace, name, workload_kind: kind } = workload;
  const resource = resourceOfWorkload(kind);
  const remove = async () => {
    if (resource && (await run(deleteObject(slug, resource, namespace, name)))) onClose();
  };
  return (
    <Dialog
      title={t.workloads.removeTitle(kind, name)}
      onClose={onClose}
      testId="delete-workload"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            {t.workloads.removeConfirm}
          </Button>
        </>
      }
    >
      <p>{t.workloads.removeText}</p>
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </Dialog>
  );
}
