import { useLocation } from 'react-router-dom';

/**
 * Where the person was going when a protected screen sent them here, or `otherwise`. It travels in the history entry, which no
 * link of another site can write, outlives a reload, and is handed from login to register and back.
 */
export function useOrigin(otherwise: string): string {
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : otherwise;
}
