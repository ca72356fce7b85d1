/** The clusters there are: open one, or delete it. */
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useState } from "react";
import { t } from "../../app/messages";
import { navigate, pathOf, type Route } from "../../app/routes";
import { useAction } from "../../app/use_action";
import { deleteCluster } from "../../transport/api";
import type { ListedCluster } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { Button, IconButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { EmptyState } from "../../ui/empty_state";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { ClusterPicture } from "./cluster_picture";
import { clustersQuery } from "./queries";
import styles from "./start_page.module.css";

type Clusters = Pick<UseQueryResult<readonly ListedCluster[]>, "data" | "error" | "refetch">;

export function ClusterList({ data, error, refetch }: Clusters) {
  return (
    <section aria-label={t.start.clusters}>
      <h2>{t.start.clusters}</h2>
      {error && (
        <div className={styles.problem}>
          <span>{t.start.listFailed}</span>
          <ErrorNote error={asApiError(error)} />
          <Button onClick={() => void refetch()}>{t.retry}</Button>
        </div>
      )}
      {!data && !error && <p className={styles.quiet}>{t.loading}</p>}
      {data?.length === 0 && <EmptyState title={t.start.noClusters}>{t.start.noClustersHint}</EmptyState>}
      {data && data.length > 0 && (
        <ul className={styles.clusters} data-testid="cluster-list">
          {data.map((cluster) => (
            <ClusterCard key={cluster.id} cluster={cluster} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ClusterCard({ cluster }: { readonly cluster: ListedCluster }) {
  const [asking, setAsking] = useState(false);
  const to: Route = { page: "cluster", cluster: cluster.id };
  const { picture, nodes, pods } = cluster;
  return (
    <li className={styles.cluster} data-testid={`cluster-${cluster.id}`}>
      <a href={pathOf(to)} aria-label={t.start.open(cluster.name)} onClick={(event) => follow(event, to)}>
        <ClusterPicture picture={picture} nodes={nodes} />
        <span className={styles.clusterName}>{cluster.name}</span>
        <span className={styles.size}>{t.start.size(nodes, pods)}</span>
        <span className={styles.state}>
          {cluster.state === "paused" && (
            <span>
              <Icon name="pause" size={11} />
              {t.start.paused}
            </span>
          )}
          {picture.running > 0 && (
            <span>
              <Icon name="running" size={10} />
              {t.picture.running(picture.running)}
            </span>
          )}
          {picture.pending > 0 && (
            <span>
              <Icon name="pending" size={10} />
              {t.picture.pending(picture.pending)}
            </span>
          )}
        </span>
      </a>
      <IconButton
        icon="trash"
        className={styles.remove}
        label={t.start.remove(cluster.name)}
        onClick={() => setAsking(true)}
      />
      {asking && <DeleteDialog cluster={cluster} onClose={() => setAsking(false)} />}
    </li>
  );
}

/** A plain click stays in this page; with a modifier key the browser opens its own tab. */
function follow(event: MouseEvent, to: Route): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(to);
}

function DeleteDialog({ cluster, onClose }: { readonly cluster: ListedCluster; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const { busy, error, run, clear } = useAction();
  const remove = async () => {
    await run(deleteCluster(cluster.id));
    await queries.invalidateQueries({ queryKey: clustersQuery.queryKey });
  };
  return (
    <Dialog
      title={t.start.removeTitle(cluster.name)}
      onClose={onClose}
      testId="delete-cluster"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            {t.start.removeConfirm}
          </Button>
        </>
      }
    >
      <p>{t.start.removeText}</p>
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </Dialog>
  );
}
