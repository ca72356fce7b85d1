/** Renders a part of the page over a cluster whose frames the test says. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { DragAndDrop } from "../features/board/drag_and_drop";
import type { Frame, SnapshotFrame } from "../model/messages.generated";
import { snapshotFrame } from "../model/testing";
import type { FeedWorld, Socket } from "../transport/cluster_feed";
import { ClusterProvider, useHasCluster } from "./cluster_context";

// The pretended document has no popovers.
HTMLElement.prototype.hidePopover ??= () => undefined;

export interface RenderedCluster {
  readonly say: (frame: Frame) => void;
  readonly container: HTMLElement;
}

export function renderInCluster(children: ReactNode, snapshot: Partial<SnapshotFrame> = {}): RenderedCluster {
  cleanup();
  const socket: Socket = { onopen: null, onmessage: null, onclose: null, close: () => undefined };
  const world: FeedWorld = {
    open: () => socket,
    probe: async () => ({ kind: "trouble", why: "silent" }),
    nextFrame: (callback) => callback(),
    now: () => Date.now(),
    random: () => 0,
  };
  const say = (frame: Frame) => act(() => socket.onmessage?.({ data: JSON.stringify(frame) }));
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ClusterProvider slug="demo" world={world}>
        <DragAndDrop>
          <Ready>{children}</Ready>
        </DragAndDrop>
      </ClusterProvider>
    </QueryClientProvider>,
  );
  say(snapshotFrame(snapshot));
  return { say, container };
}

function Ready({ children }: { readonly children: ReactNode }) {
  return useHasCluster() ? children : null;
}
