/** Whether what the page shows is the present, in a word. */
import { useConnection, useFeed } from "../../app/cluster_context";
import { t } from "../../app/messages.en";
import { useWallClock } from "../../app/use_now";
import type { Connection } from "../../transport/cluster_feed";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import styles from "./top_bar.module.css";

export function ConnectionState() {
  const connection = useConnection();
  const feed = useFeed();
  const isLive = connection.kind === "live";
  return (
    <span
      className={styles.connection}
      data-kind={connection.kind}
      data-tip={TIPS[connection.kind]}
      data-testid="connection"
      role="status"
    >
      <Icon name={isLive ? "connected" : "disconnected"} />
      <Words connection={connection} />
      {connection.kind === "reconnecting" && (
        <Button small onClick={() => feed.reconnectNow()}>
          {t.connection.tryNow}
        </Button>
      )}
      {connection.kind === "incompatible" && (
        <Button small onClick={() => window.location.reload()}>
          {t.connection.reload}
        </Button>
      )}
    </span>
  );
}

const TIPS: Readonly<Record<Connection["kind"], string | undefined>> = {
  connecting: undefined,
  live: t.connection.liveTip,
  reconnecting: t.connection.reconnectingTip,
  stale: t.connection.staleTip,
  gone: undefined,
  incompatible: undefined,
};

function Words({ connection }: { readonly connection: Connection }) {
  switch (connection.kind) {
    case "reconnecting":
      return <Since since={connection.since} />;
    case "gone":
      return t.connection.gone;
    case "incompatible":
      return t.connection.incompatible;
    default:
      return t.connection[connection.kind];
  }
}

function Since({ since }: { readonly since: number }) {
  const now = useWallClock(1000);
  return t.connection.reconnecting(Math.max(0, Math.round(now - since / 1000)));
}
