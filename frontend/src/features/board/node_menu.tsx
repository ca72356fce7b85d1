/** What can be done to one node, at its card. What is refused is told at the node. */
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import { useStore } from "../../app/use_store";
import { select } from "../../app/workbench";
import type { NodeCard } from "../../model/messages.generated";
import { Icon } from "../../ui/icons";
import { Menu, type MenuItem } from "../../ui/menu";
import { nodeActions } from "../touch/node_actions";
import { useDoer } from "../touch/use_deed";
import styles from "./node_card.module.css";

export function NodeMenu({ node }: { readonly node: NodeCard }) {
  const { groupBy } = useStore(preferences);
  const doer = useDoer();
  const inspect: MenuItem = {
    id: "inspect",
    label: t.board.inspect,
    icon: "inspect",
    run: () => select({ kind: "node", uid: node.uid }),
  };
  const actions = nodeActions([node], groupBy, (deed) => void doer.doAt(deed, node.name));
  return (
    <Menu
      items={[inspect, ...actions]}
      label={t.board.nodeMenu(node.name)}
      buttonClassName={styles.menu}
      testId="node-menu"
    >
      <Icon name="menu" size={13} />
    </Menu>
  );
}
