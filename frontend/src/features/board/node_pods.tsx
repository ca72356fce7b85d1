/**
 * The pods of a node: chips with a name while they are few, cells of one colour each when many.
 *
 * Pods on their way (binding, waiting on Permit, nominated) stand among them, dashed, in the
 * colour of what they are.
 */
import { type CSSProperties, memo, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { isSelected, select, workbench } from "../../app/workbench";
import { type ColourContext, paintOfPod } from "../../model/colouring";
import type { NodeCard, PodCard } from "../../model/messages.generated";
import { filmOverlay } from "../../model/overlay";
import { ownEnding, phaseOf, shortName } from "../../model/phase";
import { type IncomingPod, selectIncoming } from "../../model/selectors";
import type { NodeLoad } from "../../model/state";
import { classNames } from "../../ui/class_names";
import { Icon } from "../../ui/icons";
import { type MeaningName, meaningClass } from "../../ui/meaning";
import { picks } from "../touch/picks_store";
import { useLook } from "./board_look";
import { stripeOf } from "./namespace_stripe";
import styles from "./node_pods.module.css";
import { podTip } from "./node_text";
import { categoryCss } from "./paint_colours";

/** The element that says what keys do to a pod. */
export const POD_KEYS = "pod-keys";

/** A node with more pods than this shows cells. */
const MOST_CHIPS = 14;

const NONE: readonly IncomingPod[] = [];

interface NodePodsProps {
  readonly node: NodeCard;
  readonly load: NodeLoad;
}

export const NodePods = memo(function NodePods({ node, load }: NodePodsProps) {
  const { pods } = load;
  const incoming = useCluster((state) => selectIncoming(state).get(node.name) ?? NONE);
  const { context, matches } = useLook();
  const found = matches?.of(node, load).pods;
  const asCells = pods.length > MOST_CHIPS;
  if (pods.length === 0 && incoming.length === 0) return <div className={styles.empty}>{t.board.noPods}</div>;
  return (
    <div className={asCells ? styles.cells : styles.chips}>
      {pods.map((pod) => (
        <PodChip
          key={pod.uid}
          pod={pod}
          asCell={asCells}
          category={paintIndex(context, pod)}
          dimmed={found !== undefined && !found.has(pod)}
        />
      ))}
      {incoming.map((pod) => (
        <IncomingChip key={pod.uid} pod={pod} asCell={asCells} />
      ))}
    </div>
  );
});

interface PodChipProps {
  readonly pod: PodCard;
  readonly asCell: boolean;
  /** Its place among the colours, where the board is coloured by what pods are. */
  readonly category: number | undefined;
  readonly dimmed: boolean;
}

function paintIndex(context: ColourContext, pod: PodCard): number | undefined {
  const paint = paintOfPod(context, pod);
  return paint?.kind === "category" ? paint.index : undefined;
}

const stripeOfCategory = (category: number) => ({ "--stripe": categoryCss(category) }) as CSSProperties;

const PodChip = memo(function PodChip({ pod, asCell, category, dimmed }: PodChipProps) {
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "pod", pod.uid));
  const victim = useSelected(filmOverlay, (overlay) => overlay?.victims.has(pod.uid) ?? false);
  const picked = useSelected(picks, ({ pods }) => pods.has(pod.uid));
  const phase = phaseOf(pod);
  // Cells come by the hundred: what lights up a hundred times explains nothing.
  const landed = useLanded(pod) && !asCell;
  return (
    <button
      type="button"
      className={classNames(
        asCell ? styles.cell : styles.chip,
        landed && styles.landed,
        victim && styles.victim,
        victim && meaningClass("victim"),
      )}
      style={category === undefined ? stripeOf(pod.namespace) : stripeOfCategory(category)}
      data-testid="pod"
      data-grip="pod"
      data-uid={pod.uid}
      data-picked={picked || undefined}
      aria-describedby={POD_KEYS}
      data-pod={pod.name}
      data-phase={phase}
      data-selected={chosen}
      data-dimmed={dimmed || undefined}
      data-victim={victim || undefined}
      data-tip={podTip(pod)}
      aria-label={`${pod.namespace}/${pod.name}, ${victim ? t.meaning.victim.word : t.phase[phase]}${picked ? `, ${t.picks.picked}` : ""}`}
      onClick={() => select({ kind: "pod", uid: pod.uid })}
    >
      {!asCell && (
        <>
          <Icon name={victim ? "victim" : phase} size={10} />
          <b>
            <span>{shortName(pod)}</span>
            <em>{ownEnding(pod)}</em>
          </b>
          {pod.priority > 0 && (
            <i>
              <Icon name="chevron_up" size={10} />
            </i>
          )}
        </>
      )}
    </button>
  );
});

/** A pod that appears on its node before it runs was bound a moment ago: it lights up once. */
function useLanded(pod: PodCard): boolean {
  const [landed] = useState(() => phaseOf(pod) === "starting");
  return landed;
}

const INCOMING: Readonly<Record<IncomingPod["why"], MeaningName>> = {
  binding: "chosen",
  waiting: "waiting",
  nominated: "nominated",
};

const IncomingChip = memo(function IncomingChip({ pod, asCell }: { pod: IncomingPod; asCell: boolean }) {
  const meaning = INCOMING[pod.why];
  const word = pod.why === "binding" ? t.queue.lanes.binding.name : t.meaning[meaning].word;
  return (
    <button
      type="button"
      className={classNames(asCell ? styles.cell : styles.chip, styles.incoming, meaningClass(meaning))}
      data-testid="incoming-pod"
      data-tip={`${pod.name}\n${word}`}
      aria-label={`${pod.name}, ${word}`}
      onClick={() => select({ kind: "pod", uid: pod.uid })}
    >
      {!asCell && (
        <>
          <Icon name={meaning} size={10} />
          <span>{pod.name}</span>
        </>
      )}
    </button>
  );
});
