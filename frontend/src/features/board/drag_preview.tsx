/** What hangs on the pointer: what is held, and what its controller would do about a move. */
import { t } from "../../app/messages";
import { type DragSource, replacersOf } from "../../interaction/drag";
import { MOST_ASKED } from "../../interaction/verdicts_of_many";
import { Icon } from "../../ui/icons";
import styles from "./drag_preview.module.css";
import { sourceIcon, sourceText } from "./source_text";

export function DragPreview({ source }: { readonly source: DragSource }) {
  return (
    // Seen only: what is held is said by the announcer.
    <div className={styles.preview} aria-hidden="true" data-testid="drag-preview">
      <Icon name={sourceIcon(source)} />
      <span>{sourceText(source)}</span>
      <Notes source={source} />
    </div>
  );
}

function Notes({ source }: { readonly source: DragSource }) {
  if (source.kind !== "pods") return null;
  const owners = replacersOf(source);
  const count = source.pods.length;
  return (
    <>
      {count > 1 && <em>{t.drag.verdictsOfMany(Math.min(count, MOST_ASKED), count)}</em>}
      {owners.length > 0 && <em>{t.dropNote.owned(owners.join(", "))}</em>}
    </>
  );
}
