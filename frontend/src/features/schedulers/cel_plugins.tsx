/** Plugins in CEL: the list of them, and one of them open. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { asApiError } from "../../transport/errors";
import type { CelPluginDefinition, PodName } from "../../transport/extension_api";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty_state";
import { ErrorNote } from "../../ui/error_note";
import { Menu } from "../../ui/menu";
import { CelEditor } from "./cel_editor";
import { celExamplesQuery, celPluginsQuery, profilesQuery } from "./queries";
import styles from "./schedulers.module.css";

const BLANK: CelPluginDefinition = { name: "", filter: "", score: "", message: "" };

interface Open {
  readonly plugin: CelPluginDefinition;
  readonly isNew: boolean;
  readonly isStored?: boolean;
}

export function CelPlugins() {
  const slug = useClusterSlug();
  const { data, error, refetch } = useQuery(celPluginsQuery(slug));
  const [open, setOpen] = useState<Open>();
  const [pod, setPod] = useState<PodName>();
  if (open) {
    return (
      <CelEditor
        key={JSON.stringify(open)}
        initial={open.plugin}
        isNew={open.isNew}
        isStored={open.isStored ?? false}
        pod={pod}
        onPod={setPod}
        onStored={(plugin) => setOpen({ plugin, isNew: false, isStored: true })}
        onClose={() => setOpen(undefined)}
      />
    );
  }
  const create = (plugin: CelPluginDefinition) => setOpen({ plugin, isNew: true });
  return (
    <div className={styles.scroll} data-testid="cel-plugins">
      <div className={styles.bar}>
        <Button small icon="plus" onClick={() => create(BLANK)} data-testid="new-cel-plugin">
          {t.cel.create}
        </Button>
        <Examples onChoose={create} />
      </div>
      {error && (
        <div className={styles.part}>
          <p>{t.cel.failed}</p>
          <ErrorNote error={asApiError(error)} />
          <Button onClick={() => void refetch()}>{t.retry}</Button>
        </div>
      )}
      {!data && !error && <p className={styles.part}>{t.loading}</p>}
      {data?.length === 0 && <EmptyState title={t.cel.empty}>{t.cel.emptyHint}</EmptyState>}
      <ul className={styles.plugins}>
        {data?.map((plugin) => (
          <PluginRow key={plugin.name} plugin={plugin} onOpen={() => setOpen({ plugin, isNew: false })} />
        ))}
      </ul>
    </div>
  );
}

interface PluginRowProps {
  readonly plugin: CelPluginDefinition;
  readonly onOpen: () => void;
}

function PluginRow({ plugin: { name, filter, score }, onOpen }: PluginRowProps) {
  return (
    <li>
      <button type="button" onClick={onOpen} data-testid={`cel-plugin-${name}`}>
        <b>{name}</b>
        <UsedIn plugin={name} />
        {filter && <code>{filter}</code>}
        {score && <code>{score}</code>}
      </button>
    </li>
  );
}

/** Which profiles run the plugin. */
export function UsedIn({ plugin }: { readonly plugin: string }) {
  const { data } = useQuery(profilesQuery(useClusterSlug()));
  if (!data) return null;
  const using = data.filter(({ profile }) => Object.values(profile.plugins).some((names) => names.includes(plugin)));
  const names = [...new Set(using.map(({ profile }) => profile.scheduler_name))];
  return <span className={styles.quiet}>{names.length > 0 ? t.cel.enabledIn(names) : t.cel.notEnabled}</span>;
}

export function Examples({ onChoose }: { readonly onChoose: (plugin: CelPluginDefinition) => void }) {
  const { data } = useQuery(celExamplesQuery);
  const items = (data?.examples ?? []).map(({ plugin, description }) => ({
    id: `example-${plugin.name}`,
    label: `${plugin.name}: ${description}`,
    run: () => onChoose(plugin),
  }));
  if (items.length === 0) return null;
  return (
    <Menu items={items} label={t.cel.example} buttonClassName={styles.menu} testId="cel-examples">
      {t.cel.example} ▾
    </Menu>
  );
}
