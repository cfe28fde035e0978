import { useLocation } from 'react-router-dom';

/** Where the person was going when a protected screen sent them here, or `otherwise`. */
export function useOrigin(otherwise: string): string {
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : otherwise;
}
