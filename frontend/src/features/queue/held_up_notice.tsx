/** Says what is waited for when pods could move and nothing does. */
import { useClusterStore, useConnection } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useClusterNow } from "../../app/use_now";
import { heldUp } from "../../model/held_up";
import { Icon } from "../../ui/icons";
import styles from "./queue_strip.module.css";

export function HeldUpNotice() {
  const now = useClusterNow(1000);
  const live = useConnection().kind === "live";
  const state = useClusterStore().get();
  // While the page itself is cut off, it cannot know.
  const held = live && state ? heldUp(state, now) : undefined;
  return (
    <span role="status" className={styles.heldUp} data-testid="held-up">
      {held && (
        <>
          <Icon name="waiting" size={12} />
          {t.queue.heldUp[held.by](Math.floor(held.seconds))}
        </>
      )}
    </span>
  );
}
