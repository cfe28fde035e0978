import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Ladder } from '../components/Ladder.js';
import { forgetFailedLoads } from './page-routes.js';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** The error message disappears when this changes. */
  pathname: string;
}

/** Shows an error message when rendering a page or screen throws, or its code cannot be loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    forgetFailedLoads();
    reportError(
      new Error(`The page failed to render: ${error.message}${info.componentStack ?? ''}`, { cause: error }),
    );
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { failed }: { failed: boolean }): void {
    // If this update is the one that failed, the error is about the new page.
    if (failed && before.pathname !== this.props.pathname) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <ErrorPage /> : this.props.children;
  }
}

function ErrorPage() {
  return (
    <section className="error-page wrap">
      <div className="error-page__text">
        <h1>We couldn’t show this page</h1>
        <p className="lead">Something went wrong on our side. Reload the page to try again.</p>
        <p>
          <button className="button" type="button" onClick={() => window.location.reload()}>
            Reload page
          </button>
        </p>
      </div>
      <Ladder form="gap" />
    </section>
  );
}
