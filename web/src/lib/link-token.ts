import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** For a value that never changes: there is nothing to listen to. */
const subscribeToNothing = () => () => {};

/**
 * The token of the link that led here; null if there is none, undefined on the server and during hydration. The token is in the fragment,
 * which browsers do not send to servers or in the Referer header, and is removed from the address immediately, so that it is not copied or
 * synchronized with the history. A reload therefore loses it.
 */
export function useLinkToken(): string | null | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [kept, setKept] = useState<string>();
  const isBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const found = new URLSearchParams(hash.slice(1)).get('token');
  if (found !== null && found !== kept) setKept(found);
  useEffect(() => {
    if (found !== null) void navigate(pathname, { replace: true });
  }, [found, pathname, navigate]);
  return isBrowser ? (found ?? kept ?? null) : undefined;
}
