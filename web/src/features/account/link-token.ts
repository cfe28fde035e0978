import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

const never = () => () => {};

/**
 * The token of the link that led here; null without one, undefined while the server's shell is all there is. It comes in the fragment, which no
 * browser sends to a server or names as a referrer, and is taken out of the address at once: what is left there could be copied,
 * photographed or synchronised. The screen alone keeps it, so a reload needs the mail once more.
 */
export function useLinkToken(): string | null | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [kept, setKept] = useState<string>();
  const isBrowser = useSyncExternalStore(
    never,
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
