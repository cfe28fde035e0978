import { useQueryClient } from '@tanstack/react-query';

/** Returns a function to call when entries were marked as read: it reads again how many entries are unread. */
export function useUnreadChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['/projects/summary'], ['/staff-projects/summary']])
      void client.invalidateQueries({ queryKey });
  };
}
