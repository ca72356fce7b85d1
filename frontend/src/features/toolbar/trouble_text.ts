/** Why the page is not live, and what a person can do. */
import { t } from "../../app/messages";
import type { Connection } from "../../transport/cluster_feed";

/** While the first snapshot is read the page says so itself; what is over has a page of its own. */
export function isWorthABanner({ kind }: Connection, hasCluster: boolean): boolean {
  return kind === "reconnecting" || kind === "stale" || (kind === "connecting" && hasCluster);
}

/** Before a cluster was read there is none that could be shown as it was. */
export function troubleText(connection: Connection, hasCluster: boolean): string {
  if (connection.kind === "stale") return t.connection.why.stale;
  if (connection.kind !== "reconnecting") return "";
  const { why } = connection;
  const cause = typeof why === "number" ? t.connection.why.failing(why) : t.connection.why[why];
  return cause + (hasCluster ? t.connection.asItWas : "");
}
