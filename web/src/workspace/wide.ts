import { useSyncExternalStore } from 'react';

/** Matches if there is room for two columns, such as a form and a preview. */
export const wideMedia = '(width >= 1100px)';

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(wideMedia);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(wideMedia).matches,
    () => false,
  );
}
