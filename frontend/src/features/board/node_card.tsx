/** One node: who it is, what is requested of it, which pods are on it; a place to drop pods. */
import { memo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { isSelected, select, workbench } from "../../app/workbench";
import { paintOfNode } from "../../model/colouring";
import type { NodeCard } from "../../model/messages.generated";
import { ownLabels, taintText } from "../../model/node_view";
import { shortResource } from "../../model/quantity";
import { loadOfNode } from "../../model/selectors";
import type { NodeLoad } from "../../model/state";
import { classNames } from "../../ui/class_names";
import { Icon } from "../../ui/icons";
import { Meaning } from "../../ui/meaning";
import { picks } from "../touch/picks_store";
import { useLook } from "./board_look";
import styles from "./node_card.module.css";
import { NodeMenu } from "./node_menu";
import { NodePods } from "./node_pods";
import { colourWord, paintWord } from "./node_text";
import { NodeVerdictStrip, useFilmed, useNodeOverlay, useNodeVerdict } from "./node_verdict";
import { levelCss } from "./paint_colours";
import { ResourceBars } from "./resource_bars";

interface NodeCardProps {
  readonly node: NodeCard;
}

export const NodeCardView = memo(function NodeCardView({ node }: NodeCardProps) {
  const dragged = useNodeVerdict(node);
  const filmed = useNodeOverlay(node.name);
  const inFilm = useFilmed();
  const verdict = dragged ?? filmed;
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "node", node.uid));
  const picked = useSelected(picks, ({ nodes }) => nodes.has(node.name));
  const dimmed = useIsDimmed(node);
  return (
    <article
      className={classNames(styles.card, verdict?.className)}
      aria-label={node.name}
      data-testid="node"
      data-node={node.name}
      data-dimmed={dimmed}
      data-selected={chosen}
      data-picked={picked || undefined}
      data-cordoned={node.unschedulable}
      data-verdict={verdict?.meaning}
      data-filmed={inFilm}
      data-over={verdict?.over}
    >
      <Inside node={node} />
      {verdict && <NodeVerdictStrip verdict={verdict} className={styles.verdict} checkingClassName={styles.checking} />}
    </article>
  );
});

/** Neither the node nor a pod on it is what is looked for. */
function useIsDimmed(node: NodeCard): boolean | undefined {
  const { matches } = useLook();
  const lit = useCluster((state) => matches?.isLit(node, loadOfNode(state, node.name)) ?? true);
  return lit ? undefined : true;
}

/** Apart from the card, so that a drag over it renders its frame only. */
const Inside = memo(function Inside({ node }: NodeCardProps) {
  const load = useCluster((state) => loadOfNode(state, node.name));
  return (
    <>
      <Head node={node} />
      <NodePaint node={node} load={load} />
      <Facts node={node} />
      <ResourceBars node={node} usage={load.usage} />
      <NodePods node={node} load={load} />
    </>
  );
});

/** What the board is coloured by, where the card does not say it already: a decision's answer about the node. */
function NodePaint({ node, load }: { readonly node: NodeCard; readonly load: NodeLoad }) {
  const { context } = useLook();
  if (context.by.kind !== "score" && context.by.kind !== "filter") return null;
  const paint = paintOfNode(context, node, load);
  if (paint.kind === "verdict") {
    return (
      <p className={styles.paint}>
        <Meaning name={paint.verdict} badge /> {paint.word}
      </p>
    );
  }
  const swatch = paint.kind === "level" && <i style={{ background: levelCss(paint.level) }} />;
  return (
    <p className={styles.paint}>
      {swatch} {colourWord(context.by)} {paintWord(paint)}
    </p>
  );
}

function Head({ node }: NodeCardProps) {
  return (
    <div className={styles.head}>
      <button
        type="button"
        className={styles.name}
        data-grip="node"
        data-carries={node.name}
        aria-keyshortcuts="Space Shift+Space"
        onClick={() => select({ kind: "node", uid: node.uid })}
        data-tip={nodeTip(node)}
      >
        <Icon name="node" size={13} />
        <span>{node.name}</span>
      </button>
      <States node={node} />
      <NodeMenu node={node} />
    </div>
  );
}

function States({ node }: NodeCardProps) {
  const notReady = node.ready === "Unknown" ? t.board.unknown : t.board.notReady;
  return (
    <>
      {node.roles.map((role) => (
        <span key={role} className={styles.state}>
          {role}
        </span>
      ))}
      {node.ready !== "True" && (
        <span className={styles.state} data-harm="true" data-tip={notReady}>
          <Icon name="warning" size={11} />
          {notReady}
        </span>
      )}
      {node.kubelet_stopped && (
        <span className={styles.state} data-harm="true" data-tip={t.nodeActions.failedTip}>
          <Icon name="power" size={11} />
          {t.nodeActions.failed}
        </span>
      )}
      {node.drain?.state === "draining" && (
        <span
          className={styles.state}
          data-tip={t.drainState.progress(node.drain.total - node.drain.left, node.drain.total)}
        >
          <Icon name="drain" size={11} />
          {t.nodeActions.draining}
        </span>
      )}
      {node.unschedulable && (
        <span className={styles.state} data-tip={t.board.cordoned}>
          <Icon name="cordon" size={11} />
          {t.board.cordoned}
        </span>
      )}
    </>
  );
}

/** The node's inspector has them all; what they do to a pod stands in every decision. */
const SHOWN_TAINTS = 6;
const SHOWN_LABELS = 2;

function Facts({ node }: { readonly node: NodeCard }) {
  const labels = ownLabels(node);
  const more = labels.slice(SHOWN_LABELS);
  const moreTaints = node.taints.slice(SHOWN_TAINTS);
  if (node.taints.length === 0 && labels.length === 0) return null;
  return (
    <div className={styles.facts}>
      {node.taints.slice(0, SHOWN_TAINTS).map((taint) => (
        <span key={taintText(taint)} className={styles.fact} data-kind="taint" data-tip={`taint\n${taintText(taint)}`}>
          <Icon name="rejected" size={9} />
          <b>{shortResource(taintText(taint))}</b>
        </span>
      ))}
      {moreTaints.length > 0 && (
        <span className={styles.fact} data-kind="taint" data-tip={moreTaints.map(taintText).join("\n")}>
          {t.board.taintsMore(moreTaints.length)}
        </span>
      )}
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
