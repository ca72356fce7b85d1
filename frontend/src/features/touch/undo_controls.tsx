/** Undo, redo, the list of what can be undone, and what was done last. */
import { useEffect } from "react";
import { takesKey } from "../../app/actions";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { kubectlLine } from "../../interaction/deeds";
import { canUndo, type Entry } from "../../interaction/undo";
import { httpLine } from "../../transport/rest";
import { useIsHeld } from "../../ui/acting";
import { Button, IconButton } from "../../ui/button";
import { CopyButton } from "../../ui/copy_buttons";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import { deedText } from "./deed_words";
import type { Doer } from "./doer";
import { type Outcome, outcome, undoHistory } from "./doer";
import styles from "./touch.module.css";
import { useDoer } from "./use_deed";

export function UndoControls() {
  const doer = useDoer();
  const { done, undone } = useStore(undoHistory);
  const said = useStore(outcome);
  useUndoKeys(doer);
  const last = done.findLast(canUndo);
  const next = undone.at(-1);
  return (
    <>
      <IconButton
        icon="undo"
        small
        acts
        label={last ? t.undo.undoOf(wordsOf(last)) : t.undo.undo}
        shortcut="Ctrl Z"
        disabled={!last}
        onClick={() => void doer.undo()}
        data-testid="undo"
      />
      <IconButton
        icon="redo"
        small
        acts
        label={next ? t.undo.redoOf(wordsOf(next)) : t.undo.redo}
        shortcut="Ctrl Shift Z"
        disabled={!next}
        onClick={() => void doer.redo()}
        data-testid="redo"
      />
      <UndoList entries={done} doer={doer} />
      <Said said={said} entries={done} doer={doer} />
    </>
  );
}

const wordsOf = ({ deed, done }: Entry): string => deedText(deed, done);

/** The newest first; further back than these nobody remembers. */
const MOST_LISTED = 15;

function UndoList({ entries, doer }: { readonly entries: readonly Entry[]; readonly doer: Doer }) {
  const listed = entries.slice(-MOST_LISTED).reverse();
  const items = listed.map((entry) => ({
    id: `undo-${entry.id}`,
    label: wordsOf(entry),
    disabled: !canUndo(entry),
    tip: linesOf(entry),
    run: () => void doer.undo(entry.id),
  }));
  const empty = { id: "undo-none", label: t.undo.empty, disabled: true, run: () => undefined };
  return (
    <Menu
      label={t.undo.list}
      items={items.length > 0 ? items : [empty]}
      buttonClassName={styles.choose}
      testId="undo-list"
    >
      <Icon name="chevron_down" size={11} />
    </Menu>
  );
}

const linesOf = ({ deed, done }: Entry): string =>
  kubectlLine(deed) || done.sent.map(({ method, path }) => `${method} ${path}`).join("\n");

interface SaidProps {
  readonly said: Outcome | undefined;
  readonly entries: readonly Entry[];
  readonly doer: Doer;
}

function Said({ said, entries, doer }: SaidProps) {
  const entry = said?.entry === undefined ? undefined : entries.find(({ id }) => id === said.entry);
  return (
    <>
      <span className={styles.said} role="status" data-kind={said?.kind} data-tip={said?.text} data-testid="outcome">
        {said?.text ?? ""}
      </span>
      {entry && (
        <>
          <Button small acts look="quiet" onClick={() => void doer.undo(entry.id)} data-testid="outcome-undo">
            {said?.kind === "refused" ? t.undo.again : t.undo.undo}
          </Button>
          <CopyButton
            label={kubectlLine(entry.deed) ? "kubectl" : "HTTP"}
            text={() => kubectlLine(entry.deed) || entry.done.sent.map(httpLine).join("\n\n")}
          />
        </>
      )}
    </>
  );
}

function useUndoKeys(doer: Doer): void {
  const held = useIsHeld(true);
  useEffect(() => {
    if (held) return undefined;
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      if ((key !== "z" && key !== "y") || takesKey(event.target, key)) return;
      event.preventDefault();
      void (key === "y" || event.shiftKey ? doer.redo() : doer.undo());
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [doer, held]);
}
