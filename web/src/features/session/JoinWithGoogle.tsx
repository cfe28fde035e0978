import { usePageData } from '../../lib/site.js';
import { rememberOrigin } from './origin.js';

/** Leads away to Google, and from there to where the person was going. Not offered where it is not set up. */
export function JoinWithGoogle({ origin }: { origin: string }) {
  if (!usePageData().google) return null;
  return (
    <div className="session__others">
      <p className="session__or">or</p>
      <a
        className="button button--quiet"
        href={`/auth/google?return=${encodeURIComponent(origin)}`}
        onClick={() => rememberOrigin(origin)}
      >
        <span className="session__google" />
        Join With Google
      </a>
    </div>
  );
}
