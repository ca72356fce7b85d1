/** What the preset that a cluster was made from is about: what to do in it, and what to look at. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { Preset } from "../../transport/api_types";
import { WithCode } from "../../ui/with_code";
import styles from "./preset_note.module.css";
import { presetsQuery } from "./queries";

/** What stands below comes together with the note, so that nothing is pushed down by it. */
export function PresetNote({ children }: { readonly children: ReactNode }) {
  const id = useCluster((state) => state.cluster.preset);
  const { data, isLoading } = useQuery({ ...presetsQuery, enabled: id !== "" });
  if (isLoading) return null;
  return (
    <>
      <Note preset={data?.find((each) => each.id === id)} />
      {children}
    </>
  );
}

/** A preset of an older version may be gone. */
function Note({ preset }: { readonly preset: Preset | undefined }) {
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
