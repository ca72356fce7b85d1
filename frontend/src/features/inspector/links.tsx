/** Names that select what they name, while it exists. */
import { useCluster } from "../../app/cluster_context";
import { select } from "../../app/workbench";
import type { OwnerRef } from "../../model/messages.generated";
import { selectNodesByName } from "../../model/selectors";
import styles from "./inspector.module.css";

export function NodeLink({ name }: { readonly name: string }) {
  const node = useCluster((state) => selectNodesByName(state).get(name));
  if (!node) return <>{name}</>;
  return (
    <button type="button" className={styles.link} onClick={() => select({ kind: "node", uid: node.uid })}>
      {name}
    </button>
  );
}

export function OwnerLink({ owner }: { readonly owner: OwnerRef }) {
  const workload = useCluster((state) => state.workloads.get(owner.uid));
  const text = `${owner.kind}/${owner.name}`;
  if (!workload) return <>{text}</>;
  return (
    <button type="button" className={styles.link} onClick={() => select({ kind: "workload", uid: owner.uid })}>
      {text}
    </button>
  );
}
