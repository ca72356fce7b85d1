/** A node's name and standing, and everything that is done to it as a whole. */
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import { useStore } from "../../app/use_store";
import { openEditor } from "../../app/workbench";
import { type Deed, kubectlLine } from "../../interaction/deeds";
import type { NodeCard } from "../../model/messages.generated";
import { NODES } from "../../transport/api";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import { isDraining, nodeActions } from "../touch/node_actions";
import { Refusals } from "../touch/refusals";
import { useDeed } from "../touch/use_deed";
import styles from "./inspector.module.css";
import { Facts } from "./section";

export function NodeHead({ node }: { readonly node: NodeCard }) {
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
          {
            name: t.inspector.ready,
            value: node.kubelet_stopped ? `${node.ready}, ${t.nodeActions.failed}` : node.ready,
          },
          { name: t.inspector.schedulable, value: node.unschedulable ? t.board.cordoned : t.inspector.yes },
        ]}
      />
      <Actions node={node} />
    </header>
  );
}

function Actions({ node }: { readonly node: NodeCard }) {
  const { groupBy } = useStore(preferences);
  const { busy, failures, run, clear } = useDeed();
  const cordon: Deed = {
    kind: "edit_nodes",
    names: [node.name],
    edit: { kind: "cordon", unschedulable: !node.unschedulable },
  };
  return (
    <>
      <div className={styles.actions}>
        <Button
          small
          acts
          icon="cordon"
          disabled={busy || isDraining(node)}
          data-tip={kubectlLine(cordon)}
          onClick={() => void run(cordon)}
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
        <Menu
          label={t.board.nodeMenu(node.name)}
          items={nodeActions([node], groupBy, (deed) => void run(deed))}
          buttonClassName={styles.menuButton}
          testId="inspector-node-menu"
        >
          <Icon name="menu" size={13} />
        </Menu>
      </div>
      <Refusals failures={failures} onDismiss={clear} />
    </>
  );
}
