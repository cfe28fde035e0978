import { useQuery } from '../query.js';

/** False until it is known. */
export const useIssuesInvoices = (): boolean => useQuery('GET /billing-details').data?.offered ?? false;
