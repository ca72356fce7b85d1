/** Schedulers of the cluster: who leads, what they run with, and the plugins people wrote for them. */

import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { Tabs } from "../../ui/tabs";
import { CelPlugins } from "./cel_plugins";
import { ConfigurationPanel } from "./configuration_panel";
import { SchedulerList } from "./scheduler_list";
import styles from "./schedulers.module.css";
import { schedulersView, showPart } from "./schedulers_view";

const PARTS = (["schedulers", "configuration", "plugins"] as const).map((id) => ({
  id,
  label: t.schedulers.parts[id],
}));

export function SchedulersPanel() {
  const { part, scheduler } = useStore(schedulersView);
  return (
    <div className={styles.panel} data-testid="schedulers-panel">
      <Tabs label={t.schedulers.tab} tabs={PARTS} selected={part} onSelect={showPart} />
      {part === "schedulers" && <SchedulerList />}
      {part === "configuration" && <ConfigurationPanel scheduler={scheduler} />}
      {part === "plugins" && <CelPlugins />}
    </div>
  );
}
