/**
 * The start page: the clusters there are, and how to make another.
 *
 * A preset makes one with a click. A file or a pasted text does too: a kind file is given to the
 * server as the cluster's shape, anything else is applied to an empty cluster, document by document.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { t } from "../../app/messages";
import { ThemeMenu } from "../toolbar/theme_menu";
import { ClusterList } from "./cluster_list";
import { FileCluster } from "./file_cluster";
import { Presets } from "./presets";
import { clustersQuery } from "./queries";
import styles from "./start_page.module.css";

export function StartPage() {
  useEffect(() => {
    document.title = t.productName;
  }, []);
  const clusters = useQuery(clustersQuery);
  const taken = new Set((clusters.data ?? []).map(({ id }) => id));
  return (
    <div className={styles.page} data-testid="start-page">
      <header className={styles.head}>
        <div>
          <h1>{t.productName}</h1>
          <p>{t.start.lead}</p>
        </div>
        <ThemeMenu />
      </header>
      <main className={styles.main}>
        <ClusterList {...clusters} />
        <Presets taken={taken} />
        <FileCluster taken={taken} />
      </main>
    </div>
  );
}
