/** A new cluster from a moment of this one, under a name, opened when it is made. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { navigate } from "../../app/routes";
import { useAction } from "../../app/use_action";
import { formatTimeOfDay } from "../../model/clock";
import { forkCluster } from "../../transport/history_api";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { clustersQuery } from "../clusters/queries";
import styles from "./rewind.module.css";

interface ForkDialogProps {
  readonly version: number;
  /** Cluster time of the version. */
  readonly at: number;
  readonly onClose: () => void;
}

export function ForkDialog({ version, at, onClose }: ForkDialogProps) {
  const slug = useClusterSlug();
  const original = useCluster((state) => state.cluster.name);
  const [name, setName] = useState(t.rewind.forkOf(original, formatTimeOfDay(at)).slice(0, 100));
  const { run, busy, error, clear } = useAction();
  const queries = useQueryClient();
  const fork = async () => {
    const made = await run(forkCluster(slug, { name: name.trim(), version }));
    if (!made) return;
    void queries.invalidateQueries({ queryKey: clustersQuery.queryKey });
    onClose();
    navigate({ page: "cluster", cluster: made.id });
  };
  return (
    <Dialog
      title={t.rewind.forkTitle}
      onClose={onClose}
      testId="fork-dialog"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" disabled={busy} data-testid="fork-confirm" onClick={() => void fork()}>
            {busy ? t.rewind.forking : t.rewind.forkConfirm}
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void fork();
        }}
      >
        <p>{t.rewind.forkText(formatTimeOfDay(at))}</p>
        <label>
          {t.rewind.forkName}
          <input
            value={name}
            maxLength={100}
            data-testid="fork-name"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {error && <ErrorNote error={error} onDismiss={clear} />}
      </form>
    </Dialog>
  );
}
