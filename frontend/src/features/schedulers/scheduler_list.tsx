/** The schedulers with their Leases and processes; processes are started, stopped and killed from here. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { type Action, useAction } from "../../app/use_action";
import { useClusterNow } from "../../app/use_now";
import { asApiError } from "../../transport/errors";
import {
  actOnReplica,
  type LeaseCard,
  type ReplicaAction,
  type ReplicaCard,
  removeScheduler,
  type SchedulerCard,
  scaleScheduler,
} from "../../transport/extension_api";
import type { ApiRequest } from "../../transport/rest";
import { Button, IconButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { DeployDialog } from "./deploy_dialog";
import { schedulersQuery } from "./queries";
import styles from "./schedulers.module.css";
import { openConfiguration } from "./schedulers_view";

export function SchedulerList() {
  const slug = useClusterSlug();
  const { data, error, refetch } = useQuery(schedulersQuery(slug));
  const [deploying, setDeploying] = useState(false);
  return (
    <div className={styles.scroll}>
      {error && !data && (
        <div className={styles.part}>
          <p>{t.schedulers.failed}</p>
          <ErrorNote error={asApiError(error)} />
          <Button onClick={() => void refetch()}>{t.retry}</Button>
        </div>
      )}
      {!data && !error && <p className={styles.part}>{t.loading}</p>}
      <ul>
        {data?.map((scheduler, i) => (
          <Scheduler key={scheduler.name} scheduler={scheduler} isFirst={i === 0} />
        ))}
      </ul>
      {data && (
        <div className={styles.part}>
          <Button icon="plus" onClick={() => setDeploying(true)} data-testid="deploy-scheduler">
            {t.schedulers.deploy}
          </Button>
        </div>
      )}
      {deploying && <DeployDialog onClose={() => setDeploying(false)} />}
    </div>
  );
}

interface SchedulerProps {
  readonly scheduler: SchedulerCard;
  /** The first one belongs to the cluster. */
  readonly isFirst: boolean;
}

function Scheduler({ scheduler, isFirst }: SchedulerProps) {
  const slug = useClusterSlug();
  const queries = useQueryClient();
  const action = useAction();
  const [removing, setRemoving] = useState(false);
  const { name, profiles, replicas, lease, leader } = scheduler;
  const ask = async (asked: ApiRequest<unknown>) => {
    await action.run(asked);
    await queries.invalidateQueries({ queryKey: schedulersQuery(slug).queryKey });
  };
  return (
    <li className={styles.scheduler} data-testid={`scheduler-${name}`} data-leader={leader}>
      <div className={styles.head}>
        <h3>{name}</h3>
        <Button small icon="edit" onClick={() => openConfiguration(name)}>
          {t.schedulers.configure}
        </Button>
        {!isFirst && (
          <IconButton icon="trash" small label={t.schedulers.remove(name)} onClick={() => setRemoving(true)} />
        )}
      </div>
      <p className={styles.quiet}>{t.schedulers.works(profiles)}</p>
      <p className={styles.quiet}>{t.schedulers.queued(sum(scheduler.queued))}</p>
      {leader === "" && <Standing scheduler={scheduler} />}
      <Lease lease={lease} />
      <ul className={styles.replicas}>
        {replicas.map((replica) => (
          <Replica
            key={replica.number}
            replica={replica}
            busy={action.busy}
            onAct={(act) => void ask(actOnReplica(slug, name, replica.number, act))}
          />
        ))}
      </ul>
      <Scale scheduler={scheduler} action={action} onScale={(count) => void ask(scaleScheduler(slug, name, count))} />
      {action.error && <ErrorNote error={action.error} onDismiss={action.clear} />}
      {removing && (
        <RemoveDialog
          name={name}
          onClose={() => setRemoving(false)}
          onRemove={() => {
            setRemoving(false);
            void ask(removeScheduler(slug, name));
          }}
        />
      )}
    </li>
  );
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

function Standing({ scheduler: { standing_by: why, takes_over_at: at } }: { readonly scheduler: SchedulerCard }) {
  const now = useClusterNow();
  return (
    <p className={styles.standing} role="status">
      <Icon name="waiting" size={12} /> {t.schedulers.nobody}
      {why && `: ${why}`}.{at !== null && ` ${t.schedulers.takesOver(at - now)}`}
    </p>
  );
}

function Lease({ lease }: { readonly lease: LeaseCard | null }) {
  if (!lease) return <p className={styles.quiet}>{t.schedulers.noLease}</p>;
  return (
    <p className={styles.quiet} data-testid="lease">
      {t.schedulers.lease}{" "}
      <code>
        {lease.namespace}/{lease.name}
      </code>{" "}
      {t.schedulers.heldBy(lease.holder)}, {t.schedulers.duration(lease.duration)},{" "}
      {t.schedulers.transitions(lease.transitions)}
    </p>
  );
}

interface ReplicaProps {
  readonly replica: ReplicaCard;
  readonly busy: boolean;
  readonly onAct: (action: ReplicaAction) => void;
}

function Replica({ replica, busy, onAct }: ReplicaProps) {
  const { name, running, leads } = replica;
  const state = !running ? "stopped" : leads ? "leads" : "standsBy";
  const actions: readonly ReplicaAction[] = running ? ["stop", "kill"] : ["start"];
  return (
    <li data-testid={`replica-${name}`} data-state={state}>
      <Icon name={REPLICA_ICONS[state]} size={12} />
      <b>{name}</b>
      <span className={styles.state}>{t.schedulers[state]}</span>
      {actions.map((action) => (
        <Button
          key={action}
          small
          disabled={busy}
          look={action === "kill" ? "danger" : "plain"}
          aria-label={t.schedulers.actOn(t.schedulers.actions[action], name)}
          data-tip={t.schedulers.actionTips[action]}
          data-testid={`${action}-${name}`}
          onClick={() => onAct(action)}
        >
          {t.schedulers.actions[action]}
        </Button>
      ))}
    </li>
  );
}

const REPLICA_ICONS = { leads: "chosen", standsBy: "waiting", stopped: "cordon" } as const;

interface ScaleProps {
  readonly scheduler: SchedulerCard;
  readonly action: Action;
  readonly onScale: (count: number) => void;
}

function Scale({ scheduler: { name, replicas }, action, onScale }: ScaleProps) {
  const count = replicas.length;
  return (
    <fieldset className={styles.scale} aria-label={t.schedulers.replicasOf(name)}>
      <span>{t.schedulers.replicas}</span>
      <IconButton
        icon="minus"
        small
        label={t.schedulers.less(name)}
        disabled={action.busy || count <= 1}
        onClick={() => onScale(count - 1)}
      />
      <output className="num">{count}</output>
      <IconButton
        icon="plus"
        small
        label={t.schedulers.more(name)}
        disabled={action.busy}
        onClick={() => onScale(count + 1)}
      />
    </fieldset>
  );
}

interface RemoveDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

function RemoveDialog({ name, onClose, onRemove }: RemoveDialogProps) {
  return (
    <Dialog
      title={t.schedulers.removeTitle(name)}
      onClose={onClose}
      testId="remove-scheduler"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" onClick={onRemove}>
            {t.schedulers.removeConfirm}
          </Button>
        </>
      }
    >
      <p>{t.schedulers.removeText}</p>
    </Dialog>
  );
}
