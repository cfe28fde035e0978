import { useEffect, useEffectEvent } from 'react';

/** Calls `reset` when Back has restored this screen from the back/forward cache: the button that led to another site is then still busy. */
export function useResetOnBack(reset: () => void): void {
  const onShow = useEffectEvent(({ persisted }: PageTransitionEvent) => persisted && reset());
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => void onShow(event);
    window.addEventListener('pageshow', listener);
    return () => window.removeEventListener('pageshow', listener);
  }, []);
}
