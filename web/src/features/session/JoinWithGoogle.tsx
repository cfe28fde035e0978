import type { ReactNode } from 'react';
import { usePageData } from '../../lib/site.js';
import { rememberOrigin } from './origin.js';

interface JoinWithGoogleProps {
  /** Where the person was going. */
  origin: string;
  /** Further ways, below it. */
  children?: ReactNode;
}

/** Leads away to Google, and from there to where the person was going. Not offered where it is not set up. */
export function JoinWithGoogle({ origin, children }: JoinWithGoogleProps) {
  const { google } = usePageData();
  if (!google && !children) return null;
  return (
    <div className="session__others">
      <p className="session__or">or</p>
      {google && (
        <a
          className="button button--quiet"
          href={`/auth/google?return=${encodeURIComponent(origin)}`}
          onClick={() => rememberOrigin(origin)}
        >
          <span className="session__google" />
          Join With Google
        </a>
      )}
      {children}
    </div>
  );
}
