import type { ReactNode } from 'react';
import { usePageData } from '../../lib/site.js';
import { rememberReturnPath } from './return-path.js';

interface OtherSignInsProps {
  /** Where the person goes after signing in. */
  returnPath: string;
  /** Ways to sign in besides Google, below its button. */
  children?: ReactNode;
}

/** Ways to sign in without a password. Renders nothing if signing in with Google is not configured and there are no `children`. */
export function OtherSignIns({ returnPath, children }: OtherSignInsProps) {
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
