import { useQueryClient } from '@tanstack/react-query';

/** Returns a function to call when entries were marked as read: it fetches the counts of unread messages and updates again. */
export function useUnreadChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['/projects/summary'], ['/staff-projects/summary']])
      void client.invalidateQueries({ queryKey });
  };
}
