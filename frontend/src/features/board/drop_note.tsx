/**
 * At the node where something was dropped: how it should come there, or why it cannot, with what would have to change.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCluster, useClusterSlug, useHasCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { type DragSource, type DragState, hasPending, replacersOf } from "../../interaction/drag";
import { type KubeletAnswer, kubeletAnswer } from "../../interaction/kubelet_answer";
import { manifestOf } from "../../interaction/template_manifest";
import type { NodeCard } from "../../model/messages.generated";
import { selectNodesByName } from "../../model/selectors";
import { type PodToFit, wouldFit } from "../../transport/api";
import type { NodeVerdict } from "../../transport/api_types";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Meaning } from "../../ui/meaning";
import { Rejections } from "../inspector/why_not";
import { type Refusal, refusal } from "../touch/doer";
import { Refusals } from "../touch/refusals";
import { useDragController } from "./drag_and_drop";
import { drag } from "./drag_controller";
import styles from "./drop_note.module.css";
import { NodeNote } from "./node_note";
import { sourceText } from "./source_text";

export function DropNote() {
  const state = useStore(drag);
  const refused = useStore(refusal);
  const ready = useHasCluster();
  const controller = useDragController();
  if (!ready) return null;
  if (state.kind === "asking") {
    return (
      <NodeNote
        key={state.node}
        node={state.node}
        title={t.dropNote.title(sourceText(state.source), state.node)}
        onClose={() => controller.cancel()}
        testId="drop-question"
      >
        <Question asked={state} />
      </NodeNote>
    );
  }
  return refused ? <Refused refused={refused} /> : null;
}

function Refused({ refused }: { readonly refused: Refusal }) {
  const close = () => refusal.set(undefined);
  return (
    <NodeNote node={refused.node} title={t.dropNote.refusedTitle(refused.node)} onClose={close} testId="drop-refused">
      <Refusals failures={refused.failures} />
    </NodeNote>
  );
}

type Asking = Extract<DragState, { kind: "asking" }>;

function Question({ asked: { source, node, verdict } }: { readonly asked: Asking }) {
  const rejections = useRejections(source, node, verdict?.fits ?? false);
  const owners = replacersOf(source);
  return (
    <>
      {verdict?.fits ? (
        <p>
          <Meaning name="fits" badge /> {t.dropNote.fits(verdict.score)}
        </p>
      ) : (
        <Why verdict={verdict} rejections={rejections} />
      )}
      {owners.length > 0 && <p>{t.dropNote.owned(owners.join(", "))}</p>}
      {!verdict?.fits && hasPending(source) && <Consequence node={node} rejections={rejections} />}
      {hasPending(source) ? <Ways source={source} fits={verdict?.fits ?? false} /> : <Move />}
    </>
  );
}

interface WhyProps {
  /** The first rejection, known from the drag. */
  readonly verdict: NodeVerdict | undefined;
  readonly rejections: Rejected;
}

function Why({ verdict, rejections: { found: rejections, isAsking } }: WhyProps) {
  const known = verdict ? [{ ...verdict, remedies: [] }] : [];
  const shown = rejections && rejections.length > 0 ? rejections : known;
  if (shown.length === 0) return <p>{isAsking ? t.drag.checking : t.dropNote.notAsked}</p>;
  return (
    <div data-testid="drop-reasons">
      <p>{t.dropNote.rejected}</p>
      {rejections ? <Rejections rejections={shown} /> : <p>{shown.flatMap(({ reasons }) => reasons).join(", ")}</p>}
    </div>
  );
}

interface Rejected {
  readonly found: NodeVerdict["rejections"] | undefined;
  readonly isAsking: boolean;
}

/** Every plugin that rejects the node with what would have to change: the drag knows the first one only. */
function useRejections(source: DragSource, node: string, fits: boolean): Rejected {
  const slug = useClusterSlug();
  const pod = podToFit(source);
  const { data, isPending } = useQuery({
    queryKey: ["rejections", slug, pod, node],
    queryFn: ({ signal }) => send(wouldFit(slug, pod ?? { namespace: "", name: "" }, true), signal),
    enabled: pod !== undefined && !fits,
    gcTime: 0,
    staleTime: 0,
    retry: 1,
  });
  return { found: data?.nodes.find((one) => one.node === node)?.rejections, isAsking: isPending };
}

function podToFit(source: DragSource): PodToFit | undefined {
  if (source.kind === "template") return { pod: manifestOf(source.template) };
  const [first] = source.kind === "pods" ? source.pods : [];
  return first && { namespace: first.namespace, name: first.name };
}

function Consequence({ node, rejections }: { readonly node: string; readonly rejections: Rejected }) {
  const card = useCluster(selectNodesByName).get(node);
  return (
    <ul className={styles.consequences} data-testid="kubelet-answer">
      <li>{card ? answerOf(rejections, card) : t.drag.nodeGone(node)}</li>
      <li>{t.dropNote.staysPending}</li>
    </ul>
  );
}

const answerOf = ({ found, isAsking }: Rejected, node: NodeCard): string =>
  isAsking ? t.drag.checking : kubeletText(kubeletAnswer(found, node));

function kubeletText(answer: KubeletAnswer): string {
  if (answer.kind === "rejects") return t.dropNote.kubeletRejects(answer.reason);
  return answer.kind === "runs" ? t.dropNote.kubeletRuns : t.dropNote.kubeletUnknown;
}

function Ways({ source, fits }: { readonly source: DragSource; readonly fits: boolean }) {
  const controller = useDragController();
  const [remember, setRemember] = useState(false);
  return (
    <>
      <div className={styles.ways}>
        <Button
          acts
          look={fits ? "primary" : "plain"}
          data-tip={t.dropNote.handTip}
          onClick={() => controller.confirm("hand", remember)}
          data-testid="drop-by-hand"
        >
          {t.dropNote.hand}
        </Button>
        <Button
          acts
          data-tip={
            source.kind === "pods" ? `${t.dropNote.affinityTip}\n${t.dropNote.affinityPending}` : t.dropNote.affinityTip
          }
          onClick={() => controller.confirm("affinity", remember)}
          data-testid="drop-by-affinity"
        >
          {t.dropNote.affinity}
        </Button>
      </div>
      <label className={styles.remember}>
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
        {t.dropNote.remember}
      </label>
    </>
  );
}

function Move() {
  const controller = useDragController();
  return (
    <div className={styles.ways}>
      <Button
        acts
        data-tip={t.dropNote.moveTip}
        onClick={() => controller.confirm("hand", false)}
        data-testid="drop-move"
      >
        {t.dropNote.move}
      </Button>
      <Button onClick={() => controller.cancel()}>{t.cancel}</Button>
    </div>
  );
}
