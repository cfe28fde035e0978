import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BillingDetails } from '#libs/contracts';
import { type AnswerOf, callApi, type Problem } from '../../lib/api.js';

export type TaxQuote = AnswerOf<'POST /tax-quote'>;

export interface TaxQuoteRequest {
  packageName: string;
  packagePrice: string;
  customerCountry: string;
  billingDetails: Pick<BillingDetails, 'countryCode' | 'vatId'>;
}

/**
 * `quote` is undefined until one has been read, and after a failure: ordering does not depend on it. While a new quote is read, the previous quote
 * stays and `isOutdated` is true. Nothing is read if `request` is null. A new value of `refreshCount` reads the quote again.
 */
export function useTaxQuote(
  request: TaxQuoteRequest | null,
  refreshCount: number,
): { quote: TaxQuote | undefined; isOutdated: boolean } {
  const { data, isPlaceholderData } = useQuery<TaxQuote, Problem>({
    queryKey: ['tax-quote', request, refreshCount],
    async queryFn({ signal }) {
      const answer = await callApi('POST /tax-quote', { body: request!, signal });
      if (!answer.ok) throw answer.problem;
      return answer.value;
    },
    enabled: request !== null,
    placeholderData: keepPreviousData,
  });
  return { quote: data, isOutdated: isPlaceholderData };
}
