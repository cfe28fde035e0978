import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BillingDetails } from '#libs/contracts';
import { type AnswerOf, callApi, type Problem } from '../../lib/api.js';

export type TaxQuote = AnswerOf<'POST /tax-quote'>;

/** What the tax depends on. */
interface TaxQuoteRequest {
  packageName: string;
  packagePrice: string;
  customerCountry: string;
  billingDetails: Pick<BillingDetails, 'countryCode' | 'vatId'>;
}

/**
 * The tax that is added to an order’s price or included in it. Undefined until it has been read for the first time; while it is
 * read again, the previous tax stays. A failure to read it is ignored, because ordering does not depend on it. Nothing is read if `request` is null;
 * a new value of `attempt` reads the tax again.
 */
export function useTaxQuote(request: TaxQuoteRequest | null, attempt: number): TaxQuote | undefined {
  const { data } = useQuery<TaxQuote, Problem>({
    queryKey: ['tax-quote', request, attempt],
    async queryFn({ signal }) {
      const answer = await callApi('POST /tax-quote', { body: request!, signal });
      if (!answer.ok) throw answer.problem;
      return answer.value;
    },
    enabled: request !== null,
    placeholderData: keepPreviousData,
  });
  return data;
}
