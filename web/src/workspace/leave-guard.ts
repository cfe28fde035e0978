import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { interceptBackButton } from '../lib/back-button.js';
import { useMarkUnsaved } from './unsaved.js';

/** An attempt to leave that waits for confirmation. */
export interface Leaving {
  go(): void;
  stay(): void;
}

/** True while a confirmed click is repeated, so that no guard asks again. */
let isRepeating = false;

/**
 * Stops the person from leaving a screen with unsaved changes by a link, or by Back or Forward, and returns the attempt, which the caller shows in a
 * `LeaveDialog`. If the person closes the tab, the browser asks. The router's own blocker needs its data mode, which this site does not use (ADR 6).
 * Instead, the browser's events are intercepted before the router sees them. Navigation by code is not intercepted.
 */
export function useLeaveGuard(unsaved: boolean): Leaving | undefined {
  useMarkUnsaved(unsaved);
  const { pathname } = useLocation();
  const [leaving, setLeaving] = useState<Leaving>();
  const isConfirmed = useRef(false);

  useEffect(() => {
    if (!unsaved) return;
    isConfirmed.current = false;
    const askBefore = (go: () => void) =>
      setLeaving({
        go() {
          isConfirmed.current = true;
          setLeaving(undefined);
          go();
        },
        stay: () => setLeaving(undefined),
      });

    const onClick = (event: MouseEvent) => {
      const link = linkInThisTab(event);
      if (isRepeating || !link || link.pathname === pathname) return;
      event.preventDefault();
      // Stops the router and the guards of other forms, so that the person is asked once.
      event.stopImmediatePropagation();
      askBefore(() => {
        isRepeating = true;
        link.click();
        isRepeating = false;
      });
    };

    const here = historyIndex();
    // True until the browser reports that the address of this screen was restored.
    let returning = false;
    const endInterception = interceptBackButton(() => {
      if (isConfirmed.current || (!returning && window.location.pathname === pathname)) return false;
      if (returning) {
        returning = false;
        return true;
      }
      const steps = historyIndex() - here;
      if (steps === 0) return false;
      returning = true;
      window.history.go(-steps);
      askBefore(() => window.history.go(steps));
      return true;
    });

    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    return () => {
      window.removeEventListener('click', onClick, { capture: true });
      endInterception();
      window.removeEventListener('beforeunload', onUnload);
      // An attempt that was not answered must not come back with the next change.
      setLeaving(undefined);
    };
  }, [unsaved, pathname]);
  return leaving;
}

/** The clicked link, if it opens a page or screen of this site in this tab. */
function linkInThisTab(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.hasAttribute('download') || (link.target && link.target !== '_self'))
    return undefined;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  return link.origin === window.location.origin ? link : undefined;
}

/** The router's index of the current history entry; 0 for an entry that the router did not make. */
function historyIndex(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0;
}
