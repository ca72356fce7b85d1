/** What is picked on the board; nothing that is gone stays picked. */
import { isEmpty, NO_PICKS, type Picks, withoutGone } from "../../interaction/picks";
import { selectNodesByName } from "../../model/selectors";
import type { ClusterState } from "../../model/state";
import { createStore, type Store } from "../../model/store";

export const picks = createStore<Picks>(NO_PICKS);

export const clearPicks = (): void => picks.set(NO_PICKS);

export function followPicks(cluster: Store<ClusterState | undefined>): () => void {
  clearPicks();
  return cluster.subscribe(() => {
    const [state, now] = [cluster.get(), picks.get()];
    if (!state || isEmpty(now)) return;
    const nodes = selectNodesByName(state);
    picks.set(
      withoutGone(
        now,
        (name) => nodes.has(name),
        (uid) => state.pods.has(uid),
      ),
    );
  });
}
