import { useQuery } from '../query.js';

/** Whether this site issues invoices. False until it is known. */
export const useIssuesInvoices = (): boolean => useQuery('GET /billing-details').data?.offered ?? false;
