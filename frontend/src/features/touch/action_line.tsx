/**
 * Below the board, always there so that nothing jumps: undo and redo, what was done last, and what is picked with
 * everything that can be done to it.
 */
import { useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import { useStore } from "../../app/use_store";
import { isEmpty } from "../../interaction/picks";
import { selectNodesByName } from "../../model/selectors";
import { Button, IconButton } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { Menu, type MenuItem } from "../../ui/menu";
import { draggedPods } from "./dragged_pods";
import { openForm } from "./form_store";
import { nodeActions } from "./node_actions";
import { clearPicks, picks } from "./picks_store";
import styles from "./touch.module.css";
import { UndoControls } from "./undo_controls";
import { useDoer } from "./use_deed";

export function ActionLine() {
  return (
    <div className={styles.actionLine} data-testid="action-line">
      <UndoControls />
      <PickedBar />
    </div>
  );
}

function PickedBar() {
  const picked = useStore(picks);
  const { nodes, pods } = picked;
  return (
    <>
      <span className="visually-hidden" role="status" data-testid="picked-said">
        {isEmpty(picked) ? "" : `${t.picks.count(nodes.size, pods.size)} ${t.picks.picked}`}
      </span>
      {!isEmpty(picked) && (
        <fieldset className={styles.picked} aria-label={t.picks.bar} data-testid="picked-bar">
          <span>
            {t.picks.count(nodes.size, pods.size)} {t.picks.picked}
          </span>
          {pods.size > 0 && <PodButtons uids={pods} />}
          {nodes.size > 0 && <NodesMenu names={nodes} />}
          <IconButton icon="close" small label={t.picks.clear} shortcut="Esc" onClick={clearPicks} />
        </fieldset>
      )}
    </>
  );
}

function PodButtons({ uids }: { readonly uids: ReadonlySet<string> }) {
  const store = useClusterStore();
  const refs = () => draggedPods(store.get(), uids).map(({ namespace, name, uid }) => ({ namespace, name, uid }));
  return (
    <>
      <Button
        small
        icon="arrow_right"
        onClick={() => openForm({ kind: "move", pods: refs() })}
        data-testid="picked-move"
      >
        {t.podActions.moveTo}
      </Button>
      <Button
        small
        acts
        look="danger"
        icon="trash"
        onClick={() => openForm({ kind: "delete_pods", pods: refs() })}
        data-testid="picked-delete-pods"
      >
        {t.podActions.remove}
      </Button>
    </>
  );
}

function NodesMenu({ names }: { readonly names: ReadonlySet<string> }) {
  const { groupBy } = useStore(preferences);
  const store = useClusterStore();
  // The menu says what it would do, and that depends on what the nodes are now.
  useStore(store);
  const doer = useDoer();
  const state = store.get();
  const cards = state ? [...names].flatMap((name) => selectNodesByName(state).get(name) ?? []) : [];
  const items: readonly MenuItem[] = nodeActions(cards, groupBy, (deed) => void doer.doAt(deed, ""));
  return (
    <Menu label={t.picks.bar} items={items} buttonClassName={styles.choose} testId="picked-menu">
      <Icon name="node" size={13} />
      <span>{t.drag.nodes([...names])}</span>
      <Icon name="chevron_down" size={11} />
    </Menu>
  );
}
