import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that reads the numbers of unread messages and changes again. Call it when something was read. */
export function useUnreadChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [['/projects/summary'], ['/staff-projects/summary']])
      void client.invalidateQueries({ queryKey });
  };
}
