import { useAccount } from './current-screen.js';

/**
 * Without a filter, a customer gets their own records, and those of the customers in whose teams they have the role `billing`. An admin would get
 * everybody's, so the filter restricts the list to their own.
 */
export function useCustomerScreenFilter(): { own?: true } {
  return useAccount().role === 'Admin' ? { own: true } : {};
}
