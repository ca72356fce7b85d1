import { useCallback, useSyncExternalStore } from "react";
import type { Store } from "../model/store";

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Renders only when the selected part is another value; `select` must return the same object for the same state. */
export function useSelected<T, R>(store: Store<T>, select: (value: T) => R): R {
  const read = useCallback(() => select(store.get()), [store, select]);
  return useSyncExternalStore(store.subscribe, read);
}
