import { useAccount } from './current-screen.js';

/**
 * The filter of a list on a customer's screen: their own records and those that they pay for others. Admins see only their own there; without the
 * filter they would get everybody's.
 */
export function usePayableFilter(): { own?: true } {
  return useAccount().role === 'Admin' ? { own: true } : {};
}
