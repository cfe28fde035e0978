import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that reads again how many entries are unread. Call it when entries were marked as read. */
export function useRefetchUnreadCount(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['/projects/summary'], ['/staff-projects/summary']])
      void client.invalidateQueries({ queryKey });
  };
}
