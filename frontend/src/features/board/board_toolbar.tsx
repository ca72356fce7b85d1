/** Above the board: what there is, how it is shown, grouped and coloured; during a drag, what a drop would do. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { prefer, preferences } from "../../app/preferences";
import { useSelected, useStore } from "../../app/use_store";
import { type ColourBy, colourByOf, idOf, resourcesOf, TOTAL } from "../../model/colouring";
import { INSTANCE_TYPE_LABEL, selectGroupKeys, ZONE_LABEL } from "../../model/grouping";
import { shortResource } from "../../model/quantity";
import { memoised, selectBoundCount, selectStrandedCount } from "../../model/selectors";
import { Icon, type IconName } from "../../ui/icons";
import { Menu, type MenuItem } from "../../ui/menu";
import { boardHint } from "./board_hint";
import styles from "./board_toolbar.module.css";
import { drag } from "./drag_controller";
import { colourWord } from "./node_text";
import { MODES } from "./view_mode";

const AddNodes = lazy(() => import("./add_nodes"));

interface BoardToolbarProps {
  readonly nodes: number;
  /** Score plugins of the decision that is shown. */
  readonly plugins: readonly string[];
}

export function BoardToolbar({ nodes, plugins }: BoardToolbarProps) {
  const hint = useSelected(drag, boardHint);
  return (
    <div
      className={styles.toolbar}
      data-board
      data-drop={hint?.over ? "over" : undefined}
      data-offer={hint?.accepts}
      data-testid="board-header"
    >
      {hint ? (
        <span className={styles.hint}>
          <Icon name="download" size={12} />
          {hint.text}
        </span>
      ) : (
        <Summary nodes={nodes} />
      )}
      <ViewMenu />
      <GroupMenu />
      <ColourMenu plugins={plugins} />
      <AddNodesButton />
    </div>
  );
}

function Summary({ nodes }: { readonly nodes: number }) {
  const pods = useCluster(selectBoundCount);
  const stranded = useCluster(selectStrandedCount);
  return (
    <span className={styles.summary} data-testid="board-summary">
      {t.board.summary(nodes, pods)}
      {stranded > 0 && t.board.stranded(stranded)}
    </span>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly icon: IconName;
  readonly items: readonly MenuItem[];
  readonly testId: string;
}

function Choice({ label, value, icon, items, testId }: ChoiceProps) {
  return (
    <Menu label={`${label}: ${value}`} buttonClassName={styles.choice} items={items} testId={testId}>
      <Icon name={icon} size={13} />
      <span>{value}</span>
      <Icon name="chevron_down" size={11} />
    </Menu>
  );
}

function ViewMenu() {
  const { boardMode } = useStore(preferences);
  const items = MODES.map((mode) => ({
    id: `view-${mode}`,
    label: t.boardView.modes[mode],
    checked: boardMode === mode,
    run: () => prefer({ boardMode: mode }),
  }));
  return (
    <Choice
      label={t.boardView.view}
      value={t.boardView.modes[boardMode]}
      icon="node"
      items={items}
      testId="board-view"
    />
  );
}

export function groupWord(key: string): string {
  if (key === "") return t.boardView.noGroups;
  if (key === ZONE_LABEL) return t.board.zone;
  return key === INSTANCE_TYPE_LABEL ? t.boardView.instanceType : shortResource(key);
}

function GroupMenu() {
  const { groupBy } = useStore(preferences);
  const keys = useCluster(selectGroupKeys);
  const items = ["", ...new Set([ZONE_LABEL, ...keys])].map((key) => ({
    id: `group-${key || "none"}`,
    label: key === "" || key === ZONE_LABEL || key === INSTANCE_TYPE_LABEL ? groupWord(key) : key,
    checked: groupBy === key,
    run: () => prefer({ groupBy: key }),
  }));
  return (
    <Choice label={t.boardView.group} value={groupWord(groupBy)} icon="group" items={items} testId="board-group" />
  );
}

const selectResources = memoised(
  (state) => [state.nodes],
  (nodes) => resourcesOf(nodes.values()),
);

/** So many resources are offered; no cluster has more that matter. */
const MOST_RESOURCES = 10;

function ColourMenu({ plugins }: { readonly plugins: readonly string[] }) {
  const { colourBy } = useStore(preferences);
  const resources = useCluster(selectResources);
  const chosen = colourByOf(colourBy);
  const scores = new Set([TOTAL, ...plugins, ...(chosen.kind === "score" ? [chosen.plugin] : [])]);
  const ways: readonly ColourBy[] = [
    ...resources.slice(0, MOST_RESOURCES).map((resource) => ({ kind: "utilisation", resource }) as const),
    { kind: "filter" },
    ...[...scores].map((plugin) => ({ kind: "score", plugin }) as const),
    { kind: "namespace" },
    { kind: "owner" },
    { kind: "priority" },
  ];
  const items = ways.map((by) => ({
    id: `colour-${idOf(by)}`,
    label: colourWord(by),
    checked: idOf(chosen) === idOf(by),
    run: () => prefer({ colourBy: idOf(by) }),
  }));
  return (
    <Choice label={t.boardView.colour} value={colourWord(chosen)} icon="colour" items={items} testId="board-colour" />
  );
}

function AddNodesButton() {
  return (
    <AddNodesOpener>
      {(open) => (
        <button
          type="button"
          className={styles.choice}
          aria-label={t.addNodes.open}
          data-tip={t.addNodes.open}
          data-testid="add-nodes"
          onClick={open}
        >
          <Icon name="plus" size={13} />
        </button>
      )}
    </AddNodesOpener>
  );
}

/** A button, and the dialog it opens. */
export function AddNodesOpener({ children }: { readonly children: (open: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
      {open && (
        <Suspense fallback={null}>
          <AddNodes onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
