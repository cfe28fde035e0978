import { useAccount } from './current-screen.js';

/**
 * The filter of a list on a customer's screen. Without a filter, a customer gets their own records, and those of the customers in whose teams they
 * have the role `billing`. An admin gets everybody's, so the filter restricts an admin's list to their own.
 */
export function useCustomerScreenFilter(): { own?: true } {
  return useAccount().role === 'Admin' ? { own: true } : {};
}
