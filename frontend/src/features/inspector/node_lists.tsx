/** Taints, labels and images of a node, each taken away or added in place. */
import { t } from "../../app/messages";
import { type Deed, kubectlLine } from "../../interaction/deeds";
import {
  labelText,
  type Mark,
  type MarkKind,
  markText,
  type Parsed,
  parseImage,
  parseLabel,
  parseTaint,
} from "../../interaction/marks";
import type { NodeCard } from "../../model/messages.generated";
import { taintText } from "../../model/node_view";
import { IconButton } from "../../ui/button";
import { Refusals } from "../touch/refusals";
import { useDeed } from "../touch/use_deed";
import { AddEntry } from "./add_entry";
import styles from "./inspector.module.css";

interface NodeProps {
  readonly node: NodeCard;
}

export function NodeTaints({ node }: NodeProps) {
  const marks = node.taints.map((taint): Mark => ({ kind: "taint", taint }));
  return (
    <MarkList
      node={node}
      kind="taint"
      marks={marks}
      add={t.inspector.addTaint}
      removing={(mark) => t.inspector.removeTaint(mark.kind === "taint" ? taintText(mark.taint) : "")}
      parse={(text) => marked(parseTaint(text), (taint) => ({ kind: "taint", taint }))}
    />
  );
}

export function NodeLabels({ node }: NodeProps) {
  const marks = Object.entries(node.labels).map(([key, value]): Mark => ({ kind: "label", label: { key, value } }));
  return (
    <MarkList
      node={node}
      kind="label"
      marks={marks}
      add={t.inspector.addLabel}
      removing={(mark) => t.inspector.removeLabel(mark.kind === "label" ? mark.label.key : "")}
      parse={(text) => marked(parseLabel(text), (label) => ({ kind: "label", label }))}
    />
  );
}

export function NodeImages({ node }: NodeProps) {
  const marks = node.images.map((name): Mark => ({ kind: "image", image: { name, size_bytes: 0 } }));
  return (
    <MarkList
      node={node}
      kind="image"
      marks={marks}
      add={t.nodeEdit.addImage}
      removing={(mark) => t.nodeEdit.removeImage(markText(mark))}
      parse={(text) => marked(parseImage(text), (image) => ({ kind: "image", image }))}
    />
  );
}

function marked<T>(parsed: Parsed<T>, made: (value: T) => Mark): Parsed<Mark> {
  return "problem" in parsed ? parsed : { value: made(parsed.value) };
}

interface MarkListProps extends NodeProps {
  readonly kind: MarkKind;
  readonly marks: readonly Mark[];
  readonly add: string;
  readonly removing: (mark: Mark) => string;
  readonly parse: (text: string) => Parsed<Mark>;
}

function MarkList({ node, kind, marks, add, removing, parse }: MarkListProps) {
  const { failures, run, clear } = useDeed();
  const deed = (edit: "put" | "remove", mark: Mark): Deed => ({
    kind: "edit_nodes",
    names: [node.name],
    edit: { kind: edit, mark },
  });
  return (
    <>
      <ul className={styles.labels} data-testid={`node-${kind}s`}>
        {marks.map((mark) => (
          <li key={markText(mark)}>
            <code>{mark.kind === "label" ? labelText(mark.label) : markText(mark)}</code>
            <IconButton
              icon="close"
              small
              acts
              label={removing(mark)}
              data-tip={kubectlLine(deed("remove", mark)) || removing(mark)}
              onClick={() => void run(deed("remove", mark))}
            />
          </li>
        ))}
      </ul>
      <AddEntry
        label={add}
        placeholder={t.marks.fields[kind]}
        parse={parse}
        onAdd={async (mark) => (await run(deed("put", mark))) || undefined}
      />
      <Refusals failures={failures} onDismiss={clear} />
    </>
  );
}
