/** The main screen of one cluster: panels around the board, and the queue below. */
import { lazy, Suspense, useEffect } from "react";
import { Board } from "../features/board/board";
import { DragAndDrop } from "../features/board/drag_and_drop";
import { EventsPanel } from "../features/events/events_panel";
import { InspectorPanel } from "../features/inspector/inspector_panel";
import { Palette } from "../features/palette/palette";
import { QueueStrip } from "../features/queue/queue_strip";
import { TopBar } from "../features/toolbar/top_bar";
import { WorkloadsPanel } from "../features/workloads/workloads_panel";
import { Button, IconButton } from "../ui/button";
import { EmptyState } from "../ui/empty_state";
import { Splitter } from "../ui/splitter";
import { Tabs } from "../ui/tabs";
import { useClusterSlug, useConnection, useHasCluster } from "./cluster_context";
import { t } from "./messages.en";
import { PanelBoundary } from "./panel_boundary";
import { prefer, preferences } from "./preferences";
import { navigate } from "./routes";
import styles from "./shell.module.css";
import { useStore } from "./use_store";
import { clearWorkbench, openLeftTab, openRightTab, workbench } from "./workbench";

// CodeMirror is most of the page's code and is needed only here.
const EditorPanel = lazy(async () => ({ default: (await import("../features/editor/editor_panel")).EditorPanel }));

export function ClusterPage() {
  const ready = useHasCluster();
  const slug = useClusterSlug();
  const gone = useConnection().kind === "gone";
  useEffect(() => {
    clearWorkbench();
    document.title = `${slug} · ${t.productName}`;
  }, [slug]);
  return (
    <DragAndDrop>
      <div className={styles.shell} data-testid="cluster-page">
        <TopBar />
        <div className={styles.middle}>
          {gone && <Gone />}
          {!gone && (ready ? <Panels /> : <div className={styles.waiting}>{t.shell.loadingCluster}</div>)}
        </div>
        {ready && !gone && <Queue />}
      </div>
    </DragAndDrop>
  );
}

function Gone() {
  const connection = useConnection();
  return (
    <div className={styles.waiting}>
      <EmptyState title={t.connection.gone}>
        <p>{connection.kind === "gone" && connection.message}</p>
        <Button look="primary" onClick={() => navigate({ page: "start" })}>
          {t.topBar.allClusters}
        </Button>
      </EmptyState>
    </div>
  );
}

function Panels() {
  return (
    <>
      <LeftPanel />
      <main className={styles.board} aria-label={t.shell.board}>
        <PanelBoundary>
          <Board />
        </PanelBoundary>
      </main>
      <RightPanel />
    </>
  );
}

function LeftPanel() {
  const { leftOpen, leftWidth } = useStore(preferences);
  const { leftTab } = useStore(workbench);
  if (!leftOpen)
    return <Rail icon="chevron_right" label={t.shell.showLeft} onOpen={() => prefer({ leftOpen: true })} />;
  return (
    <>
      <aside className={styles.left} style={{ width: leftWidth }} aria-label={t.shell.leftPanel}>
        <Tabs
          label={t.shell.leftPanel}
          tabs={[
            { id: "palette", label: t.shell.palette },
            { id: "workloads", label: t.shell.workloads },
          ]}
          selected={leftTab}
          onSelect={openLeftTab}
          end={
            <IconButton
              icon="chevron_left"
              label={t.shell.hideLeft}
              small
              onClick={() => prefer({ leftOpen: false })}
            />
          }
        />
        <div className={styles.content} role="tabpanel">
          <PanelBoundary key={leftTab}>{leftTab === "palette" ? <Palette /> : <WorkloadsPanel />}</PanelBoundary>
        </div>
      </aside>
      <Splitter
        line="vertical"
        grows={1}
        size={leftWidth}
        least={168}
        most={420}
        label={t.shell.resizeLeft}
        onResize={(leftWidth) => prefer({ leftWidth })}
      />
    </>
  );
}

function RightPanel() {
  const { rightOpen, rightWidth } = useStore(preferences);
  const { rightTab } = useStore(workbench);
  if (!rightOpen) {
    return <Rail icon="chevron_left" label={t.shell.showRight} onOpen={() => prefer({ rightOpen: true })} />;
  }
  return (
    <>
      <Splitter
        line="vertical"
        grows={-1}
        size={rightWidth}
        least={280}
        most={900}
        label={t.shell.resizeRight}
        onResize={(rightWidth) => prefer({ rightWidth })}
      />
      <aside className={styles.right} style={{ width: rightWidth }} aria-label={t.shell.rightPanel}>
        <Tabs
          label={t.shell.rightPanel}
          tabs={[
            { id: "inspector", label: t.shell.inspector },
            { id: "events", label: t.shell.events },
            { id: "editor", label: t.shell.editor },
          ]}
          selected={rightTab}
          onSelect={openRightTab}
          end={
            <IconButton
              icon="chevron_right"
              label={t.shell.hideRight}
              small
              onClick={() => prefer({ rightOpen: false })}
            />
          }
        />
        <div className={styles.content} role="tabpanel">
          <PanelBoundary key={rightTab}>
            <Suspense fallback={<div className={styles.waiting}>{t.loading}</div>}>
              {rightTab === "inspector" && <InspectorPanel />}
              {rightTab === "events" && <EventsPanel />}
              {rightTab === "editor" && <EditorPanel />}
            </Suspense>
          </PanelBoundary>
        </div>
      </aside>
    </>
  );
}

function Queue() {
  const { queueOpen, queueHeight } = useStore(preferences);
  return (
    <>
      {queueOpen && (
        <Splitter
          line="horizontal"
          grows={-1}
          size={queueHeight}
          least={112}
          most={480}
          label={t.shell.resizeQueue}
          onResize={(queueHeight) => prefer({ queueHeight })}
        />
      )}
      <section
        className={styles.queue}
        style={queueOpen ? { height: queueHeight } : undefined}
        aria-label={t.shell.queue}
      >
        <PanelBoundary>
          <QueueStrip open={queueOpen} onToggle={() => prefer({ queueOpen: !queueOpen })} />
        </PanelBoundary>
      </section>
    </>
  );
}

interface RailProps {
  readonly icon: "chevron_left" | "chevron_right";
  readonly label: string;
  readonly onOpen: () => void;
}

function Rail({ icon, label, onOpen }: RailProps) {
  return (
    <div className={styles.rail}>
      <IconButton icon={icon} label={label} small onClick={onOpen} />
    </div>
  );
}
