import { Component, type ComponentType, type ReactNode } from "react";
import type { Logger } from "../services/logger.ts";

type Props = { logger: Logger; Fallback: ComponentType<{ onRetry: () => void }>; children: ReactNode };

export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.logger.warn("a view failed", error);
  }

  override render() {
    const { Fallback, children } = this.props;
    return this.state.hasFailed ? <Fallback onRetry={() => this.setState({ hasFailed: false })} /> : children;
  }
}
