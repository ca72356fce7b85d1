/**
 * At the node where something was dropped: how it should come there, or why it cannot, with what would have to change.
 *
 * Not a dialog over everything: the board stays in view, Escape and a press beside it put it away.
 */
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
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
import { Button, IconButton } from "../../ui/button";
import { Meaning } from "../../ui/meaning";
import { Rejections } from "../inspector/why_not";
import { type Refusal, refusal } from "../touch/doer";
import { Refusals } from "../touch/refusals";
import { boardSurface } from "./board_surface";
import { useDragController } from "./drag_and_drop";
import { drag } from "./drag_controller";
import styles from "./drop_note.module.css";
import { placeOfHand } from "./drop_target";
import { sourceText } from "./source_text";

export function DropNote() {
  const state = useStore(drag);
  const refused = useStore(refusal);
  const ready = useHasCluster();
  const controller = useDragController();
  if (!ready) return null;
  if (state.kind === "asking") {
    return (
      <Note
        key={state.node}
        node={state.node}
        title={t.dropNote.title(sourceText(state.source), state.node)}
        onClose={() => controller.cancel()}
        testId="drop-question"
      >
        <Question asked={state} />
      </Note>
    );
  }
  return refused ? <Refused refused={refused} /> : null;
}

function Refused({ refused }: { readonly refused: Refusal }) {
  const close = () => refusal.set(undefined);
  return (
    <Note node={refused.node} title={t.dropNote.refusedTitle(refused.node)} onClose={close} testId="drop-refused">
      <Refusals failures={refused.failures} />
    </Note>
  );
}

// Where it stands

interface NoteProps {
  readonly node: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly testId: string;
  readonly children: ReactNode;
}

function Note({ node, title, onClose, testId, children }: NoteProps) {
  const box = useRef<HTMLDivElement>(null);
  const heading = useId();
  const place = usePlace(node, box);
  useClosing(box, onClose);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div
      ref={box}
      role="dialog"
      aria-labelledby={heading}
      tabIndex={-1}
      className={styles.note}
      style={place}
      data-testid={testId}
      data-at-node={node}
    >
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" small label={t.close} onClick={onClose} />
      </div>
      {children}
    </div>
  );
}

/** Beside the node, or below it, wherever the window has room; grows without leaving it. */
function usePlace(node: string, box: React.RefObject<HTMLDivElement | null>): CSSProperties {
  const [place, setPlace] = useState<CSSProperties>({ visibility: "hidden" });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const anchor = anchorOf(node);
    const put = () => setPlace(beside(anchor, element.getBoundingClientRect()));
    put();
    const observer = new ResizeObserver(put);
    observer.observe(element);
    return () => observer.disconnect();
  }, [node, box]);
  return place;
}

function anchorOf(node: string): DOMRect {
  const selector = `[data-testid="node"][data-node="${CSS.escape(node)}"]`;
  const element = node === "" ? null : document.querySelector(selector);
  if (element) return element.getBoundingClientRect();
  const { x, y } = boardSurface()?.reveal(node) ?? placeOfHand();
  return new DOMRect(x - 8, y - 8, 16, 16);
}

const GAP = 8;

function beside(
  anchor: DOMRect,
  { width, height }: { readonly width: number; readonly height: number },
): CSSProperties {
  const right = anchor.right + GAP;
  const left = right + width < window.innerWidth ? right : anchor.left - width - GAP;
  const within = (at: number, size: number, most: number) => Math.max(GAP, Math.min(at, most - size - GAP));
  return { left: within(left, width, window.innerWidth), top: within(anchor.top, height, window.innerHeight) };
}

function useClosing(box: React.RefObject<HTMLDivElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const stop = new AbortController();
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      close.current();
    };
    const beside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) close.current();
    };
    document.addEventListener("keydown", press, { signal: stop.signal });
    document.addEventListener("pointerdown", beside, { signal: stop.signal, capture: true });
    return () => stop.abort();
  }, [box]);
}

// What it asks

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
