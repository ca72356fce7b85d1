/** Taints, labels and images to be dragged onto nodes: each is a line that can be changed before. */
import { useDraggable } from "@dnd-kit/core";
import { useId } from "react";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import type { Grip } from "../../interaction/drag";
import { type MarkKind, parseMark } from "../../interaction/marks";
import { createStore } from "../../model/store";
import { Icon } from "../../ui/icons";
import styles from "./palette.module.css";

type Lines = Readonly<Record<MarkKind, readonly string[]>>;

/** What was typed stays while another tab is looked at. */
const lines = createStore<Lines>({
  taint: ["dedicated=gpu:NoSchedule", "maintenance:NoExecute"],
  label: ["disktype=ssd", "tier=frontend"],
  image: ["registry.example/app:1.0=400Mi"],
});

function change(kind: MarkKind, at: number, text: string): void {
  const now = lines.get();
  lines.set({ ...now, [kind]: now[kind].map((line, place) => (place === at ? text : line)) });
}

export function MarkSection({ kind }: { readonly kind: MarkKind }) {
  const typed = useStore(lines)[kind];
  return (
    <details className={styles.section} open>
      <summary>
        <h2>{t.marks.titles[kind]}</h2>
      </summary>
      {kind === "taint" && <p className={styles.hint}>{t.marks.hint}</p>}
      <div className={styles.list}>
        {typed.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, whatever is typed there
          <MarkLine key={at} kind={kind} at={at} text={text} />
        ))}
      </div>
    </details>
  );
}

interface MarkLineProps {
  readonly kind: MarkKind;
  readonly at: number;
  readonly text: string;
}

function MarkLine({ kind, at, text }: MarkLineProps) {
  const id = useId();
  const parsed = parseMark(kind, text);
  const mark = "value" in parsed ? parsed.value : undefined;
  const data: Grip | undefined = mark && { kind: "mark", mark };
  const drag = useDraggable({ id: `mark:${kind}:${at}`, data: data ?? {}, disabled: !mark });
  return (
    <div className={styles.mark} data-dragging={drag.isDragging} data-testid={`mark-${kind}-${at}`}>
      <button
        ref={drag.setNodeRef}
        type="button"
        {...drag.attributes}
        {...drag.listeners}
        disabled={!mark}
        className={styles.hold}
        aria-label={t.marks.hold(text)}
        data-tip={t.marks.hold(text)}
        data-testid={`hold-${kind}-${at}`}
      >
        <Icon name={kind} size={14} />
      </button>
      <input
        aria-label={t.marks.kinds[kind]}
        aria-invalid={!mark}
        aria-describedby={id}
        maxLength={600}
        spellCheck={false}
        placeholder={t.marks.fields[kind]}
        value={text}
        onChange={(event) => change(kind, at, event.target.value)}
      />
      <output id={id}>{"problem" in parsed ? t.marks.problems[parsed.problem] : ""}</output>
    </div>
  );
}
