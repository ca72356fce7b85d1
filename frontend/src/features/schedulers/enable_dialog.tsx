/** Puts a plugin into a profile: which one, with which weight, and what that changes before it is done. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { withWeights } from "../../model/reweigh";
import { asApiError } from "../../transport/errors";
import { putConfigurationDocument } from "../../transport/extension_api";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { ChangesTable } from "./changes_table";
import { profilesQuery } from "./queries";
import styles from "./schedulers.module.css";

interface EnableDialogProps {
  readonly plugin: string;
  readonly onClose: () => void;
}

export function EnableDialog({ plugin, onClose }: EnableDialogProps) {
  const slug = useClusterSlug();
  const queries = useQueryClient();
  const { busy, error: refused, run } = useAction();
  const { data: profiles = [], error } = useQuery(profilesQuery(slug));
  const [at, setAt] = useState(0);
  const [weight, setWeight] = useState("1");
  const chosen = profiles[at];
  const document = useMemo(() => {
    const number = weightOf(weight);
    if (!chosen || number === undefined) return undefined;
    return withWeights(chosen.document, chosen.profile.scheduler_name, { [plugin]: number });
  }, [chosen, weight, plugin]);
  const dryRun = useQuery({
    queryKey: ["enable", slug, chosen?.scheduler, document],
    queryFn: ({ signal }) =>
      send(putConfigurationDocument(slug, chosen?.scheduler ?? "", document ?? {}, true), signal),
    enabled: document !== undefined,
    retry: false,
    gcTime: 0,
  });
  const changes = dryRun.data?.changes ?? [];
  const apply = async () => {
    if (!chosen || !document) return;
    if (!(await run(putConfigurationDocument(slug, chosen.scheduler, document, false)))) return;
    await queries.invalidateQueries({ queryKey: profilesQuery(slug).queryKey });
    onClose();
  };
  const profileField = useId();
  const weightField = useId();
  return (
    <Dialog
      title={t.cel.enableTitle(plugin)}
      onClose={onClose}
      testId="enable-dialog"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            look="primary"
            disabled={busy || changes.length === 0}
            onClick={() => void apply()}
            data-testid="enable-apply"
          >
            {t.configuration.apply}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <label htmlFor={profileField}>{t.cel.profile}</label>
        <select id={profileField} value={at} onChange={(event) => setAt(Number(event.target.value))}>
          {profiles.map(({ scheduler, profile }, i) => (
            <option key={`${scheduler} ${profile.scheduler_name}`} value={i}>
              {scheduler} / {profile.scheduler_name}
            </option>
          ))}
        </select>
        <label htmlFor={weightField}>{t.cel.weight}</label>
        <input
          id={weightField}
          inputMode="numeric"
          maxLength={3}
          value={weight}
          aria-invalid={weightOf(weight) === undefined}
          onChange={(event) => setWeight(event.target.value)}
          data-testid="enable-weight"
        />
      </div>
      {weightOf(weight) === undefined && <p className={styles.problem}>{t.cel.badWeight}</p>}
      {error && <ErrorNote error={asApiError(error)} />}
      {dryRun.error && <ErrorNote error={asApiError(dryRun.error)} />}
      {refused && <ErrorNote error={refused} />}
      {dryRun.data && changes.length === 0 && <p>{t.configuration.noChange}</p>}
      {changes.length > 0 && <ChangesTable changes={changes} />}
    </Dialog>
  );
}

/** Undefined for what is no weight. */
function weightOf(text: string): number | undefined {
  const number = Number(text);
  return /^\d+$/.test(text) && number >= 1 && number <= 100 ? number : undefined;
}
