/** What can be turned on a cluster while it runs: a slow or failing API server, the assume cache, feature gates. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { getSettings, patchSettings } from "../../transport/api";
import type { ClusterSettings } from "../../transport/api_types";
import { ApiError, asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { changesOf, type Draft, draftOf, GATES, NUMBERS } from "./draft";
import { NumberField, SwitchField } from "./fields";
import styles from "./settings.module.css";

interface SettingsDialogProps {
  readonly onClose: () => void;
}

export function SettingsDialog({ onClose }: SettingsDialogProps) {
  const slug = useClusterSlug();
  const { data, error } = useQuery({
    queryKey: ["settings", slug],
    queryFn: ({ signal }) => send(getSettings(slug), signal),
    // The fields begin with what holds now, and what was typed stays however long it takes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog title={t.settings.title} onClose={onClose} testId="settings">
      {error && <ErrorNote error={asApiError(error)} />}
      {!data && !error && <p>{t.loading}</p>}
      {data && <SettingsForm settings={data} onClose={onClose} />}
    </Dialog>
  );
}

interface SettingsFormProps extends SettingsDialogProps {
  readonly settings: ClusterSettings;
}

function SettingsForm({ settings, onClose }: SettingsFormProps) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  const { busy, error, save } = useSave(settings, draft, onClose);
  const problem = (path: string) => error?.details.find((detail) => detail.path === path)?.message;
  const form = useId();
  return (
    <form id={form} className={styles.form} onSubmit={save} noValidate>
      {NUMBERS.map((name) => (
        <NumberField
          key={name}
          name={name}
          text={t.settings.fields[name]}
          value={draft.numbers[name]}
          problem={problem(name)}
          onChange={(value) => setDraft({ ...draft, numbers: { ...draft.numbers, [name]: value } })}
        />
      ))}
      <SwitchField
        name="assume_cache"
        text={t.settings.fields.assume_cache}
        on={draft.assume_cache}
        problem={problem("assume_cache")}
        onChange={(assume_cache) => setDraft({ ...draft, assume_cache })}
      />
      <h3>{t.settings.gates}</h3>
      {GATES.map((name) => (
        <SwitchField
          key={name}
          name={name}
          text={t.settings.fields[name]}
          on={draft.gates[name]}
          problem={problem(`feature_gates.${name}`)}
          onChange={(on) => setDraft({ ...draft, gates: { ...draft.gates, [name]: on } })}
        />
      ))}
      {error && <Elsewhere error={error} />}
      <div className={styles.foot}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button type="submit" look="primary" disabled={busy} data-testid="settings-save">
          {t.settings.save}
        </Button>
      </div>
    </form>
  );
}

function useSave(settings: ClusterSettings, draft: Draft, onDone: () => void) {
  const slug = useClusterSlug();
  const queries = useQueryClient();
  const { busy, error, run } = useAction();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const changes = changesOf(draftOf(settings), draft);
    if (Object.keys(changes).length > 0 && !(await run(patchSettings(slug, changes)))) return;
    void queries.invalidateQueries({ queryKey: ["settings", slug], refetchType: "none" });
    onDone();
  };
  return { busy, error, save: (event: FormEvent) => void save(event) };
}

const SHOWN: readonly string[] = [...NUMBERS, "assume_cache", ...GATES.map((name) => `feature_gates.${name}`)];

/** What the server said that belongs to none of the fields. */
function Elsewhere({ error }: { readonly error: ApiError }) {
  const others = error.details.filter(({ path }) => !SHOWN.includes(path));
  if (error.details.length > 0 && others.length === 0) return null;
  return <ErrorNote error={new ApiError(error.status, error.code, error.message, others)} />;
}
