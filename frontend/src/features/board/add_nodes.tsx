/** Many nodes at once: a template, how many, and the zones they are spread over. */
import { type FormEvent, useId, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { inZone, isLabelValue, MOST_NEW_NODES, partsOf, zonesIn } from "../../model/more_nodes";
import { createNodes } from "../../transport/api";
import type { Template } from "../../transport/api_types";
import { type ApiError, asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { useTemplates } from "../palette/use_templates";
import styles from "./add_nodes.module.css";

interface Draft {
  readonly template: string;
  readonly count: string;
  readonly zones: string;
}

export default function AddNodes({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const templates = useTemplates().data?.filter(({ kind }) => kind === "Node") ?? [];
  const [draft, setDraft] = useState<Draft>({ template: "", count: "10", zones: "" });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const template = templates.find((one) => one.id === draft.template) ?? templates[0];
  const { progress, error, add } = useAdding(onClose);
  const problem = problemOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (template && !problem) void add(template, Number(draft.count), zonesIn(draft.zones));
  };
  return (
    <Dialog
      title={t.addNodes.title}
      onClose={onClose}
      testId="add-nodes-dialog"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            form={id}
            disabled={!template || problem !== undefined || progress !== undefined}
            data-testid="add-nodes-confirm"
          >
            {t.addNodes.add}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit}>
        <label>
          {t.addNodes.template}
          <select value={template?.id ?? ""} onChange={(event) => change({ template: event.target.value })}>
            {templates.map((one) => (
              <option key={one.id} value={one.id}>
                {one.title}: {one.description}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.addNodes.count}
          <input
            inputMode="numeric"
            maxLength={5}
            value={draft.count}
            aria-invalid={problem !== undefined}
            onChange={(event) => change({ count: event.target.value })}
            data-testid="add-nodes-count"
          />
        </label>
        <label>
          {t.addNodes.zones}
          <input
            maxLength={400}
            value={draft.zones}
            placeholder={t.addNodes.zonesHint}
            onChange={(event) => change({ zones: event.target.value })}
            data-testid="add-nodes-zones"
          />
        </label>
        <output className={styles.said} data-problem={problem !== undefined}>
          {problem ?? progress ?? ""}
        </output>
        {error && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}

function problemOf({ count, zones }: Draft): string | undefined {
  const wanted = Number(count);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST_NEW_NODES) {
    return t.addNodes.badCount(count, MOST_NEW_NODES);
  }
  const bad = zonesIn(zones).find((zone) => !isLabelValue(zone));
  return bad === undefined ? undefined : t.addNodes.badZone(bad);
}

function useAdding(done: () => void) {
  const slug = useClusterSlug();
  const [progress, setProgress] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const add = async ({ id, manifest }: Template, count: number, zones: readonly string[]) => {
    setError(undefined);
    const prefix = manifest.metadata.generateName ?? `${id}-`;
    try {
      let made = 0;
      for (const part of partsOf(count, zones)) {
        setProgress(t.addNodes.adding(made, count));
        await send(createNodes(slug, inZone(manifest, part.zone), part.count, prefix));
        made += part.count;
      }
      done();
    } catch (thrown) {
      setError(asApiError(thrown));
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, error, add };
}
