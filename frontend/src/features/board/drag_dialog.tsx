/** Asks before a pod is bound to a node that the scheduler rejects, and shows what the server refused. */
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { useStore } from "../../app/use_store";
import { nameOf } from "../../interaction/drag";
import { type KubeletAnswer, kubeletAnswer } from "../../interaction/kubelet_answer";
import { selectNodesByName } from "../../model/selectors";
import type { NodeVerdict } from "../../transport/api_types";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Meaning } from "../../ui/meaning";
import { useDragController } from "./drag_and_drop";
import { drag } from "./drag_controller";
import { verdictMeaning } from "./verdict_text";

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
      <Question node={state.node} verdict={state.verdict} />
    </Dialog>
  );
}

function Question({ node, verdict }: { readonly node: string; readonly verdict: NodeVerdict | undefined }) {
  const taints = useCluster(selectNodesByName).get(node)?.taints ?? [];
  const answer = kubeletAnswer(
    verdict,
    taints.map((taint) => taint.effect),
  );
  return (
    <>
      {verdict ? (
        <ul>
          {verdict.reasons.map((reason) => (
            <li key={reason}>
              <Meaning name={verdictMeaning(verdict)} word={verdict.plugin} badge /> {reason}
            </li>
          ))}
        </ul>
      ) : (
        <p>{t.drag.askUnknown}</p>
      )}
      <p>{t.drag.askText}</p>
      <p>{kubeletText(answer)}</p>
    </>
  );
}

function kubeletText(answer: KubeletAnswer): string {
  if (answer.kind === "rejects") return t.drag.kubeletRejects(answer.reason);
  return answer.kind === "runs" ? t.drag.kubeletRuns : t.drag.kubeletUnknown;
}
