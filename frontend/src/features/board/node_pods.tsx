/**
 * The pods of a node: chips with a name while they are few, cells of one colour each when many.
 *
 * Pods on their way (binding, waiting on Permit, nominated) stand among them, dashed, in the
 * colour of what they are.
 */
import { memo, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { useSelected } from "../../app/use_store";
import { isSelected, select, workbench } from "../../app/workbench";
import type { PodCard } from "../../model/messages.generated";
import { ownEnding, phaseOf, shortName, statusText } from "../../model/phase";
import { formatQuantity } from "../../model/quantity";
import { type IncomingPod, selectIncoming } from "../../model/selectors";
import { classNames } from "../../ui/class_names";
import { Icon } from "../../ui/icons";
import { type MeaningName, meaningClass } from "../../ui/meaning";
import { stripeOf } from "./namespace_stripe";
import type { Density } from "./node_card";
import styles from "./node_pods.module.css";

/** A node with more pods than this shows cells. */
const MOST_CHIPS = 14;

const NONE: readonly IncomingPod[] = [];

interface NodePodsProps {
  readonly node: string;
  readonly pods: readonly PodCard[];
  readonly density: Density;
}

export const NodePods = memo(function NodePods({ node, pods, density }: NodePodsProps) {
  const incoming = useCluster((state) => selectIncoming(state).get(node) ?? NONE);
  const asCells = density === "cells" || pods.length > MOST_CHIPS;
  if (pods.length === 0 && incoming.length === 0) {
    return density === "cards" ? <div className={styles.empty}>{t.board.noPods}</div> : null;
  }
  return (
    <div className={asCells ? styles.cells : styles.chips}>
      {pods.map((pod) => (
        <PodChip key={pod.uid} pod={pod} asCell={asCells} />
      ))}
      {incoming.map((pod) => (
        <IncomingChip key={pod.uid} pod={pod} asCell={asCells} />
      ))}
    </div>
  );
});

const PodChip = memo(function PodChip({ pod, asCell }: { readonly pod: PodCard; readonly asCell: boolean }) {
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "pod", pod.uid));
  const phase = phaseOf(pod);
  // Cells come by the hundred: what lights up a hundred times explains nothing.
  const landed = useLanded(pod) && !asCell;
  return (
    <button
      type="button"
      className={classNames(asCell ? styles.cell : styles.chip, landed && styles.landed)}
      style={stripeOf(pod.namespace)}
      data-testid="pod"
      data-pod={pod.name}
      data-phase={phase}
      data-selected={chosen}
      data-tip={podTip(pod)}
      aria-label={`${pod.namespace}/${pod.name}, ${t.phase[phase]}`}
      onClick={() => select({ kind: "pod", uid: pod.uid })}
    >
      {!asCell && (
        <>
          <Icon name={phase} size={10} />
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

function podTip(pod: PodCard): string {
  const requests = Object.entries(pod.requests).map(([name, amount]) => `${name}\t${formatQuantity(name, amount)}`);
  const priority = pod.priority === 0 ? [] : [t.board.priority(pod.priority)];
  return [`${pod.namespace}/${pod.name}`, statusText(pod), ...priority, ...requests].join("\n");
}
