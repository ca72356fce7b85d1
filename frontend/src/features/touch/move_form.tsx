/**
 * Where a pod is to go, from a list: what dragging it over the nodes shows, for the keyboard and for clusters that are
 * too large to drag across.
 */
import { useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { deedsOn, hasPending, replacersOf, type Way } from "../../interaction/drag";
import type { PodRef } from "../../model/messages.generated";
import type { NodeVerdict } from "../../transport/api_types";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Meaning } from "../../ui/meaning";
import { verdictMeaning, verdictText } from "../board/verdict_text";
import { draggedPods } from "./dragged_pods";
import { closeForm } from "./form_store";
import { Refusals } from "./refusals";
import styles from "./touch.module.css";
import { useDeed } from "./use_deed";
import { useVerdicts } from "./use_verdicts";

/** More than these nobody reads; a name finds the others. */
const MOST_LISTED = 100;

export function MoveForm({ pods: refs }: { readonly pods: readonly PodRef[] }) {
  const slug = useClusterSlug();
  const [pods] = useState(() => refs);
  const [node, setNode] = useState("");
  const [text, setText] = useState("");
  const { busy, failures, run } = useDeed();
  const state = useCluster((current) => current);
  const source = {
    kind: "pods",
    pods: draggedPods(
      state,
      pods.map(({ uid }) => uid),
    ),
  } as const;
  const verdicts = useVerdicts(slug, source.pods);
  const owners = replacersOf(source);
  const go = async (way: Way) => {
    if (await run(...deedsOn(source, node, way))) closeForm();
  };
  const disabled = busy || node === "" || source.pods.length === 0;
  return (
    <Dialog
      title={t.forms.moveTitle(pods.map(({ name }) => name))}
      onClose={closeForm}
      testId="move-form"
      foot={
        <>
          <Button onClick={closeForm}>{t.cancel}</Button>
          {hasPending(source) ? (
            <>
              <Button acts disabled={disabled} data-tip={t.dropNote.affinityTip} onClick={() => void go("affinity")}>
                {t.dropNote.affinity}
              </Button>
              <Button
                acts
                look="primary"
                disabled={disabled}
                data-tip={t.dropNote.handTip}
                onClick={() => void go("hand")}
                data-testid="move-by-hand"
              >
                {t.dropNote.hand}
              </Button>
            </>
          ) : (
            <Button
              acts
              look="primary"
              disabled={disabled}
              data-tip={t.dropNote.moveTip}
              onClick={() => void go("hand")}
              data-testid="move-confirm"
            >
              {t.forms.move}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.form}>
        {owners.length > 0 && <p>{t.dropNote.owned(owners.join(", "))}</p>}
        <input
          type="search"
          aria-label={t.forms.moveFilter}
          placeholder={t.forms.moveFilter}
          value={text}
          onChange={(event) => setText(event.target.value)}
          data-testid="move-filter"
        />
        {verdicts.error && <ErrorNote error={verdicts.error} />}
        <NodeChoice
          verdicts={verdicts.nodes.filter((one) => one.node.includes(text))}
          isAsking={verdicts.isAsking}
          here={new Set(source.pods.map((pod) => pod.node))}
          chosen={node}
          onChoose={setNode}
        />
        <Refusals failures={failures} />
      </div>
    </Dialog>
  );
}

interface NodeChoiceProps {
  readonly verdicts: readonly NodeVerdict[];
  readonly isAsking: boolean;
  /** Nodes where the pods are now. */
  readonly here: ReadonlySet<string>;
  readonly chosen: string;
  readonly onChoose: (node: string) => void;
}

function NodeChoice({ verdicts, isAsking, here, chosen, onChoose }: NodeChoiceProps) {
  const more = verdicts.length - MOST_LISTED;
  if (isAsking) return <p>{t.drag.checking}</p>;
  if (verdicts.length === 0) return <p>{t.forms.moveNone}</p>;
  return (
    <div className={styles.nodes} role="radiogroup" aria-label={t.forms.moveFilter}>
      {verdicts.slice(0, MOST_LISTED).map((verdict) => (
        <label key={verdict.node} data-node-choice={verdict.node}>
          <input
            type="radio"
            name="move-to"
            checked={chosen === verdict.node}
            onChange={() => onChoose(verdict.node)}
          />
          <span>{verdict.node}</span>
          <span>
            <Meaning name={verdictMeaning(verdict)} badge />{" "}
            {here.has(verdict.node) ? t.drag.isThere : verdict.fits ? (verdict.score ?? "") : verdictText(verdict)}
          </span>
        </label>
      ))}
      {more > 0 && <p>{t.forms.moveMore(more)}</p>}
    </div>
  );
}
