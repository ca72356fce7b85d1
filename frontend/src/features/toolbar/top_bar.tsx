/** The top bar: which cluster, its time, search, whether the page is live, theme, shortcuts. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { type KeyAction, shownKey, useKeyActions } from "../../app/actions";
import { useCluster, useClusterSlug, useConnection, useHasCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { navigate } from "../../app/routes";
import { type Action, useAction } from "../../app/use_action";
import { IconButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import { clustersQuery } from "../clusters/queries";
import { SettingsDialog } from "../settings/settings_dialog";
import { ClockControls } from "./clock_controls";
import { ConnectionState } from "./connection_state";
import { goToInspector, goToPalette } from "./go_to";
import { HelpMenu } from "./help_menu";
import { Search } from "./search";
import { ThemeMenu } from "./theme_menu";
import styles from "./top_bar.module.css";
import { useClockActions } from "./use_clock_actions";

export function TopBar() {
  const hasCluster = useHasCluster();
  const ready = useConnection().kind !== "gone" && hasCluster;
  const slug = useClusterSlug();
  const action = useAction();
  const searchField = useRef<HTMLInputElement>(null);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const actions = useActions(action, searchField, () => setHelpOpen(true));
  useKeyActions(actions);
  return (
    <header className={styles.bar}>
      <h1 className="visually-hidden">{slug}</h1>
      <ClusterSwitcher />
      {ready && <ClockControls action={action} />}
      <span className={styles.spacer} />
      <ConnectionState />
      {ready && <Search field={searchField} />}
      <span className={styles.group}>
        {ready && (
          <IconButton
            icon="settings"
            label={t.settings.title}
            onClick={() => setSettingsOpen(true)}
            data-testid="open-settings"
          />
        )}
        <ThemeMenu />
        <HelpMenu onShortcuts={() => setHelpOpen(true)} />
      </span>
      {action.error && (
        <div className={styles.error}>
          <ErrorNote error={action.error} onDismiss={action.clear} />
        </div>
      )}
      {settingsOpen && <SettingsDialog onClose={() => setSettingsOpen(false)} />}
      {helpOpen && <ShortcutHelp actions={actions} onClose={() => setHelpOpen(false)} />}
    </header>
  );
}

function useActions(
  action: Action,
  searchField: { readonly current: HTMLInputElement | null },
  help: () => void,
): readonly KeyAction[] {
  const clock = useClockActions(action);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `help` only sets state
  return useMemo(
    () => [
      ...clock,
      { id: "new-pod", label: t.topBar.newPod, key: "n", run: goToPalette },
      { id: "inspector", label: t.topBar.inspector, key: "i", run: goToInspector },
      { id: "search", label: t.topBar.search, key: "/", run: () => searchField.current?.focus() },
      { id: "help", label: t.shortcuts.title, key: "?", run: help },
    ],
    [clock, searchField],
  );
}

function ClusterSwitcher() {
  const slug = useClusterSlug();
  const ready = useHasCluster();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const items = clusters.map((cluster) => ({
    id: `cluster-${cluster.id}`,
    label: cluster.name,
    checked: cluster.id === slug,
    run: () => navigate({ page: "cluster", cluster: cluster.id }),
  }));
  const start = { id: "all-clusters", label: t.topBar.allClusters, run: () => navigate({ page: "start" }) };
  return (
    <span className={styles.group}>
      <a
        className={styles.logo}
        href="/"
        aria-label={t.topBar.allClusters}
        data-tip={t.topBar.allClusters}
        onClick={(event) => {
          event.preventDefault();
          navigate({ page: "start" });
        }}
      >
        <Logo />
      </a>
      <Menu
        label={t.topBar.switchCluster}
        buttonClassName={styles.cluster}
        items={[...items, start]}
        testId="cluster-switcher"
      >
        <span>{ready ? <ClusterName /> : slug}</span>
        <Icon name="chevron_down" size={12} />
      </Menu>
    </span>
  );
}

function ClusterName() {
  return useCluster((state) => state.cluster.name);
}

function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <rect x="1" y="1" width="8" height="8" rx="2" />
      <rect x="11" y="1" width="8" height="8" rx="2" opacity=".4" />
      <rect x="1" y="11" width="8" height="8" rx="2" opacity=".4" />
      <rect x="11" y="11" width="8" height="8" rx="2" opacity=".4" />
    </svg>
  );
}

interface ShortcutHelpProps {
  readonly actions: readonly KeyAction[];
  readonly onClose: () => void;
}

function ShortcutHelp({ actions, onClose }: ShortcutHelpProps) {
  const fixed = [
    ["Enter", t.shortcuts.create],
    ["Space", t.shortcuts.drag],
    ["← ↑ → ↓", t.shortcuts.dragMove],
    ["Ctrl Alt", t.touchKeys.way],
    ["Shift Space", t.touchKeys.carryNode],
    ["Ctrl Space", t.touchKeys.pick],
    ["Ctrl Shift", t.touchKeys.pickMouse],
    ["Ctrl Z", t.touchKeys.undo],
    ["+ - 0", t.shortcuts.boardZoom],
    ["← ↑ → ↓ Shift", t.shortcuts.boardMove],
    ["Space ← → Home End", t.film.keys],
    ["Esc", t.shortcuts.cancel],
  ] as const;
  return (
    <Dialog title={t.shortcuts.title} onClose={onClose} testId="shortcuts">
      <div className={styles.keys}>
        {actions.map(({ id, key, label }) => (
          <ShortcutRow key={id} shortcut={shownKey(key)} label={label} />
        ))}
        {fixed.map(([key, label]) => (
          <ShortcutRow key={label} shortcut={key} label={label} />
        ))}
      </div>
    </Dialog>
  );
}

function ShortcutRow({ shortcut, label }: { readonly shortcut: string; readonly label: string }) {
  return (
    <>
      <kbd>{shortcut}</kbd>
      <span>{label}</span>
    </>
  );
}
