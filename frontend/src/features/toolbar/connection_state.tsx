/** Whether what the page shows is the present, in a word. What it means and what to do is in `live_banner.tsx`. */
import { useConnection, useIsRewound } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { Connection } from "../../transport/cluster_feed";
import { Icon } from "../../ui/icons";
import styles from "./top_bar.module.css";

export function ConnectionState() {
  const { kind } = useConnection();
  const rewound = useIsRewound();
  // Its messages arrive; what is shown is not they.
  if (rewound && kind === "live") return null;
  return (
    <span className={styles.connection} data-kind={kind} data-tip={TIPS[kind]} data-testid="connection">
      <Icon name={kind === "live" ? "connected" : "disconnected"} />
      <span>{t.connection[kind]}</span>
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
