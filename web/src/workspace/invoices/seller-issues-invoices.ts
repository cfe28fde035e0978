import { useQuery } from '../query.js';

/** Whether the seller issues invoices. False until that is known. */
export const useSellerIssuesInvoices = (): boolean => useQuery('GET /billing-details').data?.offered ?? false;
