/** The text that searches the page and filters the board: one for both, typed at the top (`/`). */
import { useMemo, useSyncExternalStore } from "react";
import { EMPTY_QUERY, parseQuery, type Query } from "../../model/filter_language";
import { Matches } from "../../model/matches";
import { createStore } from "../../model/store";

export const filterText = createStore("");

const query = createStore<Query>(EMPTY_QUERY);
filterText.subscribe(() => query.set(parseQuery(filterText.get())));

export const useQuery = (): Query => useSyncExternalStore(query.subscribe, query.get);

/** Undefined while nothing is looked for. */
export function useMatches(): Matches | undefined {
  const asked = useQuery();
  return useMemo(() => (asked.isEmpty ? undefined : new Matches(asked)), [asked]);
}
