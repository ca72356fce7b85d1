/** What the preset that a cluster was made from is about: what to do in it, and what to look at. */
import { useQuery } from "@tanstack/react-query";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { WithCode } from "../../ui/with_code";
import styles from "./preset_note.module.css";
import { presetsQuery } from "./queries";

export function PresetNote() {
  const id = useCluster((state) => state.cluster.preset);
  const { data } = useQuery({ ...presetsQuery, enabled: id !== "" });
  // A preset of an older version may be gone.
  const preset = data?.find((each) => each.id === id);
  if (!preset) return null;
  return (
    <section className={styles.note} aria-label={t.start.aboutPreset} data-testid="preset-note">
      <h2>{preset.title}</h2>
      <p className={styles.watch}>
        <WithCode text={preset.watch} />
      </p>
      {preset.description !== preset.watch && (
        <p>
          <WithCode text={preset.description} />
        </p>
      )}
    </section>
  );
}
