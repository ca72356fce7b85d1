/** One node: who it is, what is requested of it, which pods are on it; a place to drop pods. */
import { memo, useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { type Action, useAction } from "../../app/use_action";
import { useSelected } from "../../app/use_store";
import { isSelected, select, workbench } from "../../app/workbench";
import type { NodeCard } from "../../model/messages.generated";
import { ownLabels, taintText } from "../../model/node_view";
import { shortResource } from "../../model/quantity";
import { loadOfNode } from "../../model/selectors";
import { cordonNode, deleteObject, NODES } from "../../transport/api";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class_names";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import styles from "./node_card.module.css";
import { NodePods } from "./node_pods";
import { NodeVerdictStrip, useNodeOverlay, useNodeVerdict } from "./node_verdict";
import { ResourceBars } from "./resource_bars";

export type Density = "cards" | "cells";

interface NodeCardProps {
  readonly node: NodeCard;
  readonly density: Density;
}

export const NodeCardView = memo(function NodeCardView({ node, density }: NodeCardProps) {
  const dragged = useNodeVerdict(node.name);
  const filmed = useNodeOverlay(node.name);
  const verdict = dragged ?? filmed;
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "node", node.uid));
  return (
    <article
      className={classNames(styles.card, verdict?.className)}
      aria-label={node.name}
      data-testid="node"
      data-node={node.name}
      data-density={density}
      data-selected={chosen}
      data-cordoned={node.unschedulable}
      data-verdict={verdict?.meaning}
      data-over={verdict?.over}
    >
      <Inside node={node} density={density} />
      {verdict && <NodeVerdictStrip verdict={verdict} className={styles.verdict} checkingClassName={styles.checking} />}
    </article>
  );
});

/** Apart from the card, so that a drag over it renders its frame only. */
const Inside = memo(function Inside({ node, density }: NodeCardProps) {
  const load = useCluster((state) => loadOfNode(state, node.name));
  const action = useAction();
  return (
    <>
      <Head node={node} density={density} action={action} />
      {density === "cards" && <Facts node={node} />}
      <ResourceBars node={node} usage={load.usage} compact={density === "cells"} />
      <NodePods node={node.name} pods={load.pods} density={density} />
      {action.error && (
        <div className={styles.note}>
          <ErrorNote error={action.error} onDismiss={action.clear} />
        </div>
      )}
    </>
  );
});

interface HeadProps extends NodeCardProps {
  readonly action: Action;
}

function Head({ node, density, action }: HeadProps) {
  return (
    <div className={styles.head}>
      <button
        type="button"
        className={styles.name}
        onClick={() => select({ kind: "node", uid: node.uid })}
        data-tip={nodeTip(node)}
      >
        {density === "cards" && <Icon name="node" size={13} />}
        <span>{node.name}</span>
      </button>
      <States node={node} compact={density === "cells"} />
      <NodeMenu node={node} action={action} />
    </div>
  );
}

function States({ node, compact }: { readonly node: NodeCard; readonly compact: boolean }) {
  const notReady = node.ready === "Unknown" ? t.board.unknown : t.board.notReady;
  return (
    <>
      {!compact &&
        node.roles.map((role) => (
          <span key={role} className={styles.state}>
            {role}
          </span>
        ))}
      {node.ready !== "True" && (
        <span className={styles.state} data-harm="true" data-tip={notReady}>
          <Icon name="warning" size={11} />
          {!compact && notReady}
        </span>
      )}
      {node.unschedulable && (
        <span className={styles.state} data-tip={t.board.cordoned}>
          <Icon name="cordon" size={11} />
          {!compact && t.board.cordoned}
        </span>
      )}
    </>
  );
}

const SHOWN_LABELS = 2;

function Facts({ node }: { readonly node: NodeCard }) {
  const labels = ownLabels(node);
  const more = labels.slice(SHOWN_LABELS);
  if (node.taints.length === 0 && labels.length === 0) return null;
  return (
    <div className={styles.facts}>
      {node.taints.map((taint) => (
        <span key={taintText(taint)} className={styles.fact} data-kind="taint" data-tip={`taint\n${taintText(taint)}`}>
          <Icon name="rejected" size={9} />
          <b>{shortResource(taintText(taint))}</b>
        </span>
      ))}
      {labels.slice(0, SHOWN_LABELS).map(([key, value]) => (
        <span key={key} className={styles.fact} data-tip={`label\n${key}=${value}`}>
          <b>{shortResource(value ? `${key}=${value}` : key)}</b>
        </span>
      ))}
      {more.length > 0 && (
        <span className={styles.fact} data-tip={more.map(([key, value]) => `${key}=${value}`).join("\n")}>
          {t.board.labelsMore(more.length)}
        </span>
      )}
    </div>
  );
}

function nodeTip(node: NodeCard): string {
  const taints = node.taints.map((taint) => `taint\t${taintText(taint)}`);
  const labels = ownLabels(node).map(([key, value]) => `${key}\t${value}`);
  const zone = node.zone ? [`${t.board.zone}\t${node.zone}`] : [];
  return [node.name, ...zone, ...taints, ...labels].join("\n");
}

function NodeMenu({ node, action }: { readonly node: NodeCard; readonly action: Action }) {
  const slug = useClusterSlug();
  const [deleting, setDeleting] = useState(false);
  const items = [
    {
      id: "inspect",
      label: t.board.inspect,
      icon: "inspect",
      run: () => select({ kind: "node", uid: node.uid }),
    },
    {
      id: "cordon",
      label: node.unschedulable ? t.board.uncordon : t.board.cordon,
      icon: "cordon",
      run: () => void action.run(cordonNode(slug, node.name, !node.unschedulable)),
    },
    { id: "delete", label: t.board.deleteNode, icon: "trash", danger: true, run: () => setDeleting(true) },
  ] as const;
  return (
    <>
      <Menu items={items} label={t.board.nodeMenu(node.name)} buttonClassName={styles.menu} testId="node-menu">
        <Icon name="menu" size={13} />
      </Menu>
      {deleting && (
        <DeleteNode
          node={node}
          onClose={() => setDeleting(false)}
          onDelete={() => {
            setDeleting(false);
            void action.run(deleteObject(slug, NODES, "", node.name));
          }}
        />
      )}
    </>
  );
}

interface DeleteNodeProps {
  readonly node: NodeCard;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

function DeleteNode({ node, onClose, onDelete }: DeleteNodeProps) {
  const pods = useCluster((state) => loadOfNode(state, node.name).pods.length);
  return (
    <Dialog
      title={t.board.deleteNodeTitle(node.name)}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" onClick={onDelete} data-testid="delete-node-confirm">
            {t.board.deleteNodeConfirm}
          </Button>
        </>
      }
    >
      {t.board.deleteNodeText(pods)}
    </Dialog>
  );
}
