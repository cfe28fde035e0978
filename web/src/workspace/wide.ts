import { useSyncExternalStore } from 'react';

/** There is room for two columns, such as a form and a preview. */
export const wide = '(width >= 1100px)';

export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(wide);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(wide).matches,
    () => false,
  );
}
