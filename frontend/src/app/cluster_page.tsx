/** The main screen of one cluster: panels around the board, and the queue below. */
import { lazy, Suspense, useEffect, useState } from "react";
import { Board } from "../features/board/board";
import { DragAndDrop } from "../features/board/drag_and_drop";
import { BreakpointBanner } from "../features/breakpoints/breakpoint_banner";
import { DroppedFiles } from "../features/editor/dropped_files";
import { EventsPanel } from "../features/events/events_panel";
import { FilmSlot } from "../features/film/film_slot";
import { InspectorPanel } from "../features/inspector/inspector_panel";
import { ObjectsPanel } from "../features/objects/objects_panel";
import { Palette } from "../features/palette/palette";
import { QueueStrip } from "../features/queue/queue_strip";
import { useStripHeight } from "../features/queue/strip_height";
import { OfThePresent } from "../features/rewind/of_the_present";
import { RewindBanner } from "../features/rewind/rewind_banner";
import { TimelineStrip } from "../features/timeline/timeline_strip";
import { LiveBanner } from "../features/toolbar/live_banner";
import { TopBar } from "../features/toolbar/top_bar";
import { Tour } from "../features/tour/tour";
import { WorkloadsPanel } from "../features/workloads/workloads_panel";
import { ActingContext } from "../ui/acting";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty_state";
import { Splitter } from "../ui/splitter";
import { useClusterSlug, useConnection, useHasCluster, useIsLive, useIsRewound } from "./cluster_context";
import { useFollowAddress } from "./follow_address";
import { t } from "./messages";
import { PanelBoundary } from "./panel_boundary";
import { prefer, preferences } from "./preferences";
import { navigate } from "./routes";
import styles from "./shell.module.css";
import { SidePanel } from "./side_panel";
import { useStore } from "./use_store";
import { openLeftTab, openRightTab, workbench } from "./workbench";

const SchedulersPanel = lazy(async () => ({
  default: (await import("../features/schedulers/schedulers_panel")).SchedulersPanel,
}));
// CodeMirror is most of the page's code and is needed only here and with the schedulers' configurations.
const EditorPanel = lazy(async () => ({ default: (await import("../features/editor/editor_panel")).EditorPanel }));

export function ClusterPage() {
  const ready = useHasCluster();
  const slug = useClusterSlug();
  const { kind } = useConnection();
  const gone = kind === "gone";
  const live = useIsLive();
  const rewound = useIsRewound();
  useFollowAddress(slug);
  useEffect(() => {
    document.title = `${slug} · ${t.productName}`;
  }, [slug]);
  return (
    <DragAndDrop>
      <ActingContext value={live}>
        <div className={styles.shell} data-live={kind === "live"} data-rewound={rewound} data-testid="cluster-page">
          <TopBar />
          <LiveBanner />
          {ready && !gone && <TimeBanners />}
          <div className={styles.middle}>
            {gone && <Gone />}
            {!gone && (ready ? <Panels /> : <Reading />)}
          </div>
          {ready && !gone && <Queue />}
          {ready && !gone && <Timeline />}
          {ready && !gone && <DroppedFiles />}
          {ready && !gone && <Tour />}
        </div>
      </ActingContext>
    </DragAndDrop>
  );
}

/** What time does: the past is shown, or a breakpoint stopped the clock. */
function TimeBanners() {
  return (
    <>
      <RewindBanner />
      <BreakpointBanner />
    </>
  );
}

const SLOW_MS = 6000;

/** Before the first snapshot; a server that does not answer has a banner above. */
function Reading() {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className={styles.waiting} data-testid="reading">
      <p>{slow ? t.shell.loadingSlow : t.shell.loadingCluster}</p>
    </main>
  );
}

function Gone() {
  const connection = useConnection();
  return (
    <main className={styles.waiting}>
      <EmptyState title={t.connection.gone}>
        <p>{connection.kind === "gone" && connection.message}</p>
        <Button onClick={() => window.location.reload()}>{t.retry}</Button>
        <Button look="primary" onClick={() => navigate({ page: "start" })}>
          {t.topBar.allClusters}
        </Button>
      </EmptyState>
    </main>
  );
}

function Panels() {
  return (
    <>
      <LeftPanel />
      <main className={styles.board} aria-label={t.shell.board} data-tour="board">
        <PanelBoundary>
          <Board />
        </PanelBoundary>
        <PanelBoundary>
          <FilmSlot />
        </PanelBoundary>
      </main>
      <RightPanel />
    </>
  );
}

const LEFT_LABELS = {
  panel: t.shell.leftPanel,
  show: t.shell.showLeft,
  hide: t.shell.hideLeft,
  resize: t.shell.resizeLeft,
};

const LEFT_TABS = [
  { id: "palette", label: t.shell.palette },
  { id: "workloads", label: t.shell.workloads },
  { id: "objects", label: t.objects.tab },
] as const;

function LeftPanel() {
  const { leftOpen, leftWidth } = useStore(preferences);
  const { leftTab } = useStore(workbench);
  return (
    <SidePanel
      side="left"
      open={leftOpen}
      onOpen={(leftOpen) => prefer({ leftOpen })}
      width={leftWidth}
      widths={[168, 420]}
      onResize={(leftWidth) => prefer({ leftWidth })}
      tabs={LEFT_TABS}
      tab={leftTab}
      onTab={openLeftTab}
      labels={LEFT_LABELS}
    >
      {leftTab === "palette" && <Palette />}
      {leftTab === "workloads" && <WorkloadsPanel />}
      {leftTab === "objects" && <ObjectsPanel />}
    </SidePanel>
  );
}

const RIGHT_LABELS = {
  panel: t.shell.rightPanel,
  show: t.shell.showRight,
  hide: t.shell.hideRight,
  resize: t.shell.resizeRight,
};

const RIGHT_TABS = [
  { id: "inspector", label: t.shell.inspector },
  { id: "events", label: t.shell.events },
  { id: "editor", label: t.shell.editor },
  { id: "schedulers", label: t.schedulers.tab },
] as const;

function RightPanel() {
  const rewound = useIsRewound();
  const { rightOpen, rightWidth } = useStore(preferences);
  const { rightTab } = useStore(workbench);
  return (
    <SidePanel
      side="right"
      open={rightOpen}
      onOpen={(rightOpen) => prefer({ rightOpen })}
      width={rightWidth}
      widths={[280, 900]}
      onResize={(rightWidth) => prefer({ rightWidth })}
      tabs={RIGHT_TABS}
      tab={rightTab}
      onTab={openRightTab}
      labels={RIGHT_LABELS}
    >
      <Suspense fallback={<div className={styles.waiting}>{t.loading}</div>}>
        {rightTab === "inspector" && <InspectorPanel />}
        {rightTab === "events" && <EventsPanel />}
        {rightTab === "editor" && (rewound ? <OfThePresent /> : <EditorPanel />)}
        {rightTab === "schedulers" && (rewound ? <OfThePresent /> : <SchedulersPanel />)}
      </Suspense>
    </SidePanel>
  );
}

function Timeline() {
  return (
    <PanelBoundary>
      <TimelineStrip />
    </PanelBoundary>
  );
}

function Queue() {
  const { queueOpen, queueHeight } = useStore(preferences);
  const height = useStripHeight(queueHeight);
  return (
    <section
      className={styles.queue}
      style={queueOpen ? { height } : undefined}
      aria-label={t.shell.queue}
      data-tour="queue"
    >
      <PanelBoundary>
        <QueueStrip open={queueOpen} onToggle={() => prefer({ queueOpen: !queueOpen })} />
      </PanelBoundary>
      {queueOpen && (
        <Splitter
          line="horizontal"
          grows={-1}
          size={height}
          least={112}
          most={480}
          label={t.shell.resizeQueue}
          onResize={(queueHeight) => prefer({ queueHeight })}
        />
      )}
    </section>
  );
}
