/**
 * `/` goes here: nodes, pods and workloads by the filter language; Enter selects the first hit, and leads to what the
 * inspector says of it.
 *
 * What is typed is also the filter of the board, at once. A text with operators (`app=web`) stays after Enter, as the
 * board's filter; a plain name has done its work then. Escape clears both.
 */
import { type KeyboardEvent, type RefObject, useDeferredValue, useId, useState } from "react";
import { useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected, useStore } from "../../app/use_store";
import { select } from "../../app/workbench";
import { parseQuery } from "../../model/filter_language";
import { type Hit, search } from "../../model/search";
import { Icon, type IconName } from "../../ui/icons";
import { filterText } from "../board/board_filter";
import { goToInspector } from "./go_to";
import styles from "./search.module.css";

const ICONS: Readonly<Record<Hit["kind"], IconName>> = { node: "node", pod: "pod", workload: "copy" };

export function Search({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const text = useStore(filterText);
  const setText = filterText.set;
  const [open, setOpen] = useState(false);
  return (
    <search
      className={styles.search}
      onFocus={() => setOpen(true)}
      onBlur={(event) => setOpen(event.currentTarget.contains(event.relatedTarget))}
    >
      <SearchBox field={field} text={text} onText={setText} open={open && text.trim() !== ""} />
    </search>
  );
}

interface SearchBoxProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly open: boolean;
}

function SearchBox({ field, text, onText, open }: SearchBoxProps) {
  const list = useId();
  const hits = useHits(useDeferredValue(open ? text : ""));
  const [at, setAt] = useState(0);
  const chosen = hits[Math.min(at, hits.length - 1)];
  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    select({ kind: hit.kind, uid: hit.uid });
    if (!parseQuery(text).hasOperators) onText("");
    goToInspector();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && chosen) choose(chosen);
    else if (event.key === "Enter") field.current?.blur();
    else if (event.key === "Escape") {
      onText("");
      field.current?.blur();
    } else if (event.key === "ArrowDown") setAt(Math.min(at + 1, hits.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <label className={styles.field}>
        <Icon name="search" size={13} />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={t.topBar.search}
          aria-expanded={open}
          aria-controls={list}
          aria-activedescendant={open && chosen ? `${list}-${chosen.uid}` : undefined}
          placeholder={t.topBar.search}
          autoComplete="off"
          spellCheck={false}
          data-testid="search"
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>/</kbd>
      </label>
      {open && (
        <div id={list} role="listbox" aria-label={t.topBar.search} className={styles.results}>
          {hits.length === 0 && <div className={styles.none}>{t.topBar.searchEmpty}</div>}
          <div className={styles.help}>{t.topBar.searchHelp}</div>
          {hits.map((hit) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard is handled by the combobox
            <div
              key={hit.uid}
              id={`${list}-${hit.uid}`}
              role="option"
              tabIndex={-1}
              aria-selected={hit === chosen}
              className={styles.result}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(hit)}
            >
              <Icon name={ICONS[hit.kind]} />
              <span>{hit.name}</span>
              <small>{hit.place}</small>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

const NO_HITS: readonly Hit[] = [];

/** Searched when typed, and again when the cluster changes while the list is open. */
function useHits(text: string): readonly Hit[] {
  const state = useSelected(useClusterStore(), (current) => (text === "" ? undefined : current));
  return state ? search(state, text) : NO_HITS;
}
