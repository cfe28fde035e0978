import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { interceptBackButton } from '../lib/back-button.js';
import { useMarkUnsaved } from './unsaved.js';

/** A way out that was asked for and is held up. */
export interface Leaving {
  go(): void;
  stay(): void;
}

/**
 * Holds people up who would leave unsaved changes behind: by a link, by Back and Forward, by closing the tab. The router's own
 * blocker belongs to its data mode, which this site does without (ADR 6), so the browser's events are caught before the
 * router hears of them. What the code itself navigates to passes: it is not the person who leaves.
 */
export function useLeaveGuard(unsaved: boolean): Leaving | undefined {
  useMarkUnsaved(unsaved);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [leaving, setLeaving] = useState<Leaving>();
  const passing = useRef(false);

  useEffect(() => {
    if (!unsaved) return;
    passing.current = false;
    const hold = (go: () => void) =>
      setLeaving({
        go() {
          passing.current = true;
          setLeaving(undefined);
          go();
        },
        stay: () => setLeaving(undefined),
      });

    const onClick = (event: MouseEvent) => {
      const target = pageInThisTab(event);
      if (!target || target.pathname === pathname) return;
      event.preventDefault();
      // Not only before the router, but also before another form's guard: it is asked once.
      event.stopImmediatePropagation();
      hold(() => void navigate(target.pathname + target.search + target.hash));
    };

    const here = historyIndex();
    let returning = false;
    const endInterception = interceptBackButton(() => {
      if (passing.current || (!returning && window.location.pathname === pathname)) return false;
      if (returning) {
        returning = false;
        return true;
      }
      const steps = historyIndex() - here;
      if (steps === 0) return false;
      // The address goes back to where the screen is.
      returning = true;
      window.history.go(-steps);
      hold(() => window.history.go(steps));
      return true;
    });

    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    return () => {
      window.removeEventListener('click', onClick, { capture: true });
      endInterception();
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [unsaved, navigate, pathname]);
  return leaving;
}

/** Where a click leads, if it leads to a page of this site in this tab. */
function pageInThisTab(event: MouseEvent): URL | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || (link.target && link.target !== '_self')) return undefined;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const target = new URL(link.href);
  return target.origin === window.location.origin ? target : undefined;
}

/** Where the router says this entry of the history stands. */
function historyIndex(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0;
}
