import type { ReactNode } from 'react';
import { usePageData } from '../../lib/site.js';
import { rememberReturnPath } from './return-path.js';

interface JoinWithGoogleProps {
  /** After signing in. */
  returnPath: string;
  /** Other ways to sign in, below the button. */
  children?: ReactNode;
}

/** Renders nothing if signing in with Google is not configured and there are no other ways. */
export function JoinWithGoogle({ returnPath, children }: JoinWithGoogleProps) {
  const { google } = usePageData();
  if (!google && !children) return null;
  return (
    <div className="session__others">
      <p className="session__or">or</p>
      {google && (
        <a
          className="button button--quiet"
          href={`/auth/google?return=${encodeURIComponent(returnPath)}`}
          onClick={() => rememberReturnPath(returnPath)}
        >
          <span className="session__google" />
          Join With Google
        </a>
      )}
      {children}
    </div>
  );
}
