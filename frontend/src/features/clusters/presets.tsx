/** A cluster of a known shape with one click. */
import { useQuery } from "@tanstack/react-query";
import { t } from "../../app/messages";
import { navigate } from "../../app/routes";
import { useAction } from "../../app/use_action";
import { createCluster } from "../../transport/api";
import type { Preset } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { withoutBackticks } from "../../ui/with_code";
import { freeName } from "./cluster_name";
import { groupsOf } from "./preset_groups";
import { presetsQuery } from "./queries";
import styles from "./start_page.module.css";

interface Taken {
  /** Slugs of the clusters there are. */
  readonly taken: ReadonlySet<string>;
}

export function Presets({ taken }: Taken) {
  const { data, error, refetch } = useQuery(presetsQuery);
  return (
    <section aria-label={t.start.presets}>
      <h2>{t.start.presets}</h2>
      <p className={styles.quiet}>{t.start.orDrop}</p>
      {error && (
        <div className={styles.problem}>
          <span>{t.start.presetsFailed}</span>
          <ErrorNote error={asApiError(error)} />
          <Button onClick={() => void refetch()}>{t.retry}</Button>
        </div>
      )}
      {!data && !error && <p className={styles.quiet}>{t.loading}</p>}
      {groupsOf(data ?? []).map(({ title, presets }) => (
        <div key={title} className={styles.group}>
          <h3>{title}</h3>
          <ul className={styles.presets}>
            {presets.map((preset) => (
              <PresetCard key={preset.id} preset={preset} taken={taken} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function PresetCard({ preset, taken }: Taken & { readonly preset: Preset }) {
  const { busy, error, run, clear } = useAction();
  const create = async () => {
    const made = await run(createCluster({ name: freeName(preset.id, taken), preset: preset.id }));
    if (made) navigate({ page: "cluster", cluster: made.id });
  };
  return (
    <li>
      <button
        type="button"
        className={styles.preset}
        disabled={busy}
        aria-busy={busy}
        data-tip={preset.description === preset.watch ? undefined : withoutBackticks(preset.description)}
        data-testid={`preset-${preset.id}`}
        onClick={() => void create()}
      >
        <span className={styles.presetTitle}>{preset.title}</span>
        <span className={styles.quiet}>{preset.watch}</span>
        <span className={styles.size}>{busy ? t.start.creating : t.start.size(preset.nodes, preset.pods)}</span>
      </button>
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </li>
  );
}
