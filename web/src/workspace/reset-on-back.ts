import { useEffect, useEffectEvent } from 'react';

/** After so many ms on the way to another site, the person has perhaps stopped the browser: the button that led there must then work again. */
export const stoppedAfterMs = 10_000;

/** Calls `reset` when Back has restored this screen from the back/forward cache: the button that led to another site is then still busy. */
export function useResetOnBack(reset: () => void): void {
  const onShow = useEffectEvent(({ persisted }: PageTransitionEvent) => persisted && reset());
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => void onShow(event);
    window.addEventListener('pageshow', listener);
    return () => window.removeEventListener('pageshow', listener);
  }, []);
}
