import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

const subscribeToNothing = () => () => {};

/**
 * The token of the link that was opened: null if it has none, undefined on the server and during hydration. The token is in the fragment, which
 * browsers do not send to servers or in the Referer header. It is removed from the address immediately, so that it is not copied or synchronized
 * with the history. A reload therefore loses it.
 */
export function useLinkToken(): string | null | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [keptToken, setKeptToken] = useState<string>();
  const isBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const tokenInAddress = new URLSearchParams(hash.slice(1)).get('token');
  if (tokenInAddress !== null && tokenInAddress !== keptToken) setKeptToken(tokenInAddress);
  useEffect(() => {
    if (tokenInAddress !== null) void navigate(pathname, { replace: true });
  }, [tokenInAddress, pathname, navigate]);
  return isBrowser ? (tokenInAddress ?? keptToken ?? null) : undefined;
}
