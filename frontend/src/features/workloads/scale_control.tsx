/** − number +: the wanted replicas. A typed number is sent on Enter or when the field is left. */
import { type FormEvent, useEffect, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import type { WorkloadCard } from "../../model/messages.generated";
import { patchScale } from "../../transport/api";
import { IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { resourceOfWorkload } from "./resources";
import styles from "./workloads.module.css";

export function ScaleControl({ workload }: { readonly workload: WorkloadCard }) {
  const { name, replicas } = workload;
  const { wanted, scale, error, clear } = useScale(workload);
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState("");
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text === undefined) return;
    const isCount = /^\d{1,5}$/.test(text.trim());
    setProblem(isCount || text.trim() === "" ? "" : t.workloads.notACount(text));
    setText(undefined);
    if (isCount && Number(text) !== replicas) scale(Number(text));
  };
  return (
    <>
      <form className={styles.scale} onSubmit={submit}>
        <IconButton
          icon="minus"
          small
          look="plain"
          label={t.workloads.less(name)}
          disabled={wanted === 0}
          onClick={() => scale(wanted - 1)}
        />
        <input
          aria-label={t.workloads.replicas(name)}
          inputMode="numeric"
          value={text ?? wanted}
          maxLength={6}
          aria-invalid={problem !== ""}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => submit()}
          data-testid="replicas"
        />
        <IconButton icon="plus" small look="plain" label={t.workloads.more(name)} onClick={() => scale(wanted + 1)} />
      </form>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </>
  );
}

/**
 * The number asked for is shown until the server's own number arrives, so that quick clicks add up
 * instead of starting again from a number that is on its way to be replaced.
 */
function useScale({ namespace, name, workload_kind: kind, replicas }: WorkloadCard) {
  const slug = useClusterSlug();
  const { run, error, clear } = useAction();
  const [asked, setAsked] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number of the server ends the waiting
  useEffect(() => setAsked(undefined), [replicas]);
  const resource = resourceOfWorkload(kind);
  const scale = (count: number) => {
    if (!resource) return;
    setAsked(count);
    void run(patchScale(slug, resource, namespace, name, count)).then((done) => {
      if (!done) setAsked(undefined);
    });
  };
  return { wanted: asked ?? replicas, scale, error, clear };
}
