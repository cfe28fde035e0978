import { useQueryClient } from '@tanstack/react-query';

/** Reads the numbers of unread messages again, because something was read. */
export function useUnreadChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['/projects/summary'], ['/staff-projects/summary']])
      void client.invalidateQueries({ queryKey });
  };
}
