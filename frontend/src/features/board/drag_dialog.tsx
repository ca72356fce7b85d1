/** Asks before a pod is bound to a node that the scheduler rejects, and shows what the server refused. */
import { useQuery } from "@tanstack/react-query";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { useStore } from "../../app/use_store";
import { type DragSource, nameOf } from "../../interaction/drag";
import { type KubeletAnswer, kubeletAnswer } from "../../interaction/kubelet_answer";
import { selectNodesByName } from "../../model/selectors";
import { wouldFit } from "../../transport/api";
import type { NodeVerdict } from "../../transport/api_types";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Meaning, meaningOfCode } from "../../ui/meaning";
import { useDragController } from "./drag_and_drop";
import { drag, podToFit } from "./drag_controller";

export function DragDialog() {
  const state = useStore(drag);
  const controller = useDragController();
  const cancel = () => controller.cancel();
  if (state.kind === "failed") {
    const where = state.target.kind === "node" ? state.target.name : t.shell.board;
    return (
      <Dialog
        title={t.drag.failedTitle(nameOf(state.source), where)}
        onClose={cancel}
        foot={<Button onClick={cancel}>{t.close}</Button>}
        testId="drag-failed"
      >
        <ErrorNote error={state.error} />
      </Dialog>
    );
  }
  if (state.kind !== "asking") return null;
  return (
    <Dialog
      title={t.drag.askTitle(nameOf(state.source), state.node)}
      onClose={cancel}
      testId="bind-anyway"
      foot={
        <>
          <Button onClick={cancel} autoFocus>
            {t.cancel}
          </Button>
          <Button look="primary" onClick={() => controller.confirm()} data-testid="bind-anyway-confirm">
            {t.drag.askConfirm}
          </Button>
        </>
      }
    >
      <Question source={state.source} node={state.node} verdict={state.verdict} />
    </Dialog>
  );
}

interface QuestionProps {
  readonly source: DragSource;
  readonly node: string;
  /** The first rejection, known from the drag. */
  readonly verdict: NodeVerdict | undefined;
}

function Question({ source, node, verdict }: QuestionProps) {
  const card = useCluster(selectNodesByName).get(node);
  const { rejections, isAsking } = useRejections(source, node);
  const shown = rejections ?? (verdict && !verdict.fits ? [verdict] : []);
  return (
    <>
      {shown.length > 0 && (
        <ul>
          {shown.map((one) => (
            <li key={one.plugin}>
              <Meaning name={meaningOfCode(one.code)} word={one.plugin} badge /> {one.reasons.join(", ")}
            </li>
          ))}
        </ul>
      )}
      <p>{shown.length > 0 ? t.drag.askText : t.drag.askUnknown}</p>
      <p data-testid="kubelet-answer">
        {isAsking || !card ? t.drag.checking : kubeletText(kubeletAnswer(rejections, card))}
      </p>
    </>
  );
}

/** Every plugin that rejects the node, asked anew: the drag knows the first one only. */
function useRejections(source: DragSource, node: string) {
  const slug = useClusterSlug();
  const { data, isPending } = useQuery({
    queryKey: ["rejections", slug, source, node],
    queryFn: ({ signal }) => send(wouldFit(slug, podToFit(source), true), signal),
    gcTime: 0,
    staleTime: 0,
    retry: 1,
  });
  return { rejections: data?.nodes.find((one) => one.node === node)?.rejections, isAsking: isPending };
}

function kubeletText(answer: KubeletAnswer): string {
  if (answer.kind === "rejects") return t.drag.kubeletRejects(answer.reason);
  return answer.kind === "runs" ? t.drag.kubeletRuns : t.drag.kubeletUnknown;
}
