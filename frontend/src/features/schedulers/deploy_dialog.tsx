/** One more scheduler, with a Lease and a profile of its own name. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { deployScheduler } from "../../transport/extension_api";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { schedulersQuery } from "./queries";
import styles from "./schedulers.module.css";

export function DeployDialog({ onClose }: { readonly onClose: () => void }) {
  const slug = useClusterSlug();
  const queries = useQueryClient();
  const { busy, error, run, clear } = useAction();
  const [name, setName] = useState("");
  const field = useId();
  const form = useId();
  const deploy = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await run(deployScheduler(slug, { name: name.trim(), replicas: 1 })))) return;
    await queries.invalidateQueries({ queryKey: schedulersQuery(slug).queryKey });
    onClose();
  };
  return (
    <Dialog
      title={t.schedulers.deployTitle}
      onClose={onClose}
      testId="deploy-dialog"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" form={form} look="primary" disabled={busy || name.trim() === ""}>
            {t.schedulers.deployConfirm}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void deploy(event)}>
        <p>{t.schedulers.deployText}</p>
        <label htmlFor={field}>{t.schedulers.name}</label>
        <input
          id={field}
          value={name}
          maxLength={63}
          autoComplete="off"
          placeholder={t.schedulers.nameHint}
          onChange={(event) => setName(event.target.value)}
          data-testid="scheduler-name"
        />
        {error && <ErrorNote error={error} onDismiss={clear} />}
      </form>
    </Dialog>
  );
}
