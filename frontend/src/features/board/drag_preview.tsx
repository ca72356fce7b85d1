/** What hangs on the pointer. */
import { type DragSource, nameOf } from "../../interaction/drag";
import { Icon } from "../../ui/icons";
import styles from "./drag_preview.module.css";

export function DragPreview({ source }: { readonly source: DragSource }) {
  const isNode = source.kind === "template" && source.template.kind === "Node";
  return (
    <div className={styles.preview} data-testid="drag-preview">
      <Icon name={isNode ? "node" : "pod"} />
      <span>{nameOf(source)}</span>
    </div>
  );
}
