/** A panel that fails says so and can be tried again; the rest of the page goes on. */
import { Component, type ReactNode } from "react";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty_state";
import { t } from "./messages";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly problem: Error | undefined;
}

export class PanelBoundary extends Component<Props, State> {
  override state: State = { problem: undefined };

  static getDerivedStateFromError(problem: Error): State {
    return { problem };
  }

  override render() {
    const { problem } = this.state;
    if (!problem) return this.props.children;
    if (isUnloaded(problem)) return <Unloaded />;
    return (
      <EmptyState title={t.shell.panelFailed}>
        <code>{problem.message}</code>
        <Button onClick={() => this.setState({ problem: undefined })}>{t.retry}</Button>
      </EmptyState>
    );
  }
}

/** Code that is loaded when needed: the server does not answer, or has another build of it. */
const isUnloaded = (problem: Error): boolean => /dynamically imported module|Unable to preload/.test(problem.message);

function Unloaded() {
  return (
    <EmptyState title={t.shell.chunkFailed}>
      <Button acts onClick={() => window.location.reload()}>
        {t.connection.reload}
      </Button>
    </EmptyState>
  );
}
