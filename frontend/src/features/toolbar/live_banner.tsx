/**
 * What a page says that does not show the present: since when, why, and what to do about it.
 *
 * A screen reader hears once that the page is not live, and once that it is again; the seconds are
 * for the eye.
 */
import type { ReactNode } from "react";
import { useConnection, useFeed, useHasCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useWallClock } from "../../app/use_now";
import { useStore } from "../../app/use_store";
import type { Connection } from "../../transport/cluster_feed";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icons";
import styles from "./live_banner.module.css";
import { isWorthABanner, troubleText } from "./trouble_text";

export function LiveBanner() {
  const connection = useConnection();
  const hasCluster = useHasCluster();
  const outdated = useStore(useFeed().outdated);
  return (
    <>
      <p className="visually-hidden" role="status" data-testid="live-word">
        {isWorthABanner(connection, hasCluster) ? t.connection[connection.kind] : ""}
      </p>
      {isWorthABanner(connection, hasCluster) && <Trouble connection={connection} hasCluster={hasCluster} />}
      {connection.kind === "incompatible" && <ReloadBanner text={t.connection.incompatibleText} />}
      {connection.kind === "live" && outdated && <ReloadBanner text={t.connection.outdated} />}
    </>
  );
}

interface TroubleProps {
  readonly connection: Connection;
  readonly hasCluster: boolean;
}

function Trouble({ connection, hasCluster }: TroubleProps) {
  const feed = useFeed();
  return (
    <Banner look="trouble" testId="not-live">
      <span>
        <strong>
          <Since connection={connection} />
        </strong>{" "}
        {troubleText(connection, hasCluster)}
      </span>
      {connection.kind === "reconnecting" && (
        <Button small onClick={() => feed.reconnectNow()}>
          {t.connection.tryNow}
        </Button>
      )}
    </Banner>
  );
}

/** Nothing is lost by waiting: whoever writes something finishes it first. */
function ReloadBanner({ text }: { readonly text: string }) {
  return (
    <Banner look="news" testId="outdated">
      <span>{text}</span>
      <Button small look="primary" onClick={() => window.location.reload()}>
        {t.connection.reload}
      </Button>
    </Banner>
  );
}

interface BannerProps {
  readonly look: "trouble" | "news";
  readonly testId: string;
  readonly children: ReactNode;
}

function Banner({ look, testId, children }: BannerProps) {
  return (
    <section className={styles.banner} data-look={look} data-testid={testId} aria-label={t.connection.banner}>
      <Icon name={look === "trouble" ? "disconnected" : "info"} />
      {children}
    </section>
  );
}

function Since({ connection }: { readonly connection: Connection }) {
  const now = useWallClock(1000);
  if (!("since" in connection)) return t.connection.connectingText;
  return t.connection.notLiveFor(Math.max(0, Math.round(now - connection.since / 1000)));
}
