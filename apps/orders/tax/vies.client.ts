import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ORDERS_CONFIG } from '../config.module.js';
import { askProvider } from '../provider-request/provider-request.js';
import type { TaxConfig } from './tax-settings.js';

const answerSchema = z.union([
  z.object({
    valid: z.boolean(),
    /** `VALID`, `INVALID`, or why VIES does not know, e.g. `MS_UNAVAILABLE`. */
    userError: z.string().optional(),
  }),
  z.object({ actionSucceed: z.literal(false), errorWrappers: z.array(z.object({ error: z.string() })) }),
]);

/** The registers of some member states take seconds. */
const timeoutMs = 4_000;
const maxBytes = 16_384;

/**
 * Asks VIES, the European Commission's register of VAT IDs (https://ec.europa.eu/taxation_customs/vies/#/technical-information). It is often
 * unavailable for some member states: then it says nothing about the VAT ID, even where its answer contains `valid: false`.
 */
@Injectable()
export class ViesClient {
  constructor(@Inject(ORDERS_CONFIG) private readonly config: TaxConfig) {}

  /** Null if VIES does not say in time whether the VAT ID is valid, or if `VIES_URL` is not set. Never rejects. */
  async ask(vatId: string): Promise<'valid' | 'invalid' | null> {
    const { VIES_URL: url } = this.config;
    if (!url) return null;
    try {
      const { body } = await askProvider({
        url: `${url}/check-vat-number`,
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.from(JSON.stringify({ countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2) })),
        ...{ timeoutMs, maxBytes },
      });
      return meaningOf(answerSchema.parse(JSON.parse(body.toString())));
    } catch {
      return null;
    }
  }
}

function meaningOf(answer: z.output<typeof answerSchema>): 'valid' | 'invalid' | null {
  if ('errorWrappers' in answer)
    return answer.errorWrappers.some(({ error }) => error === 'INVALID_INPUT') ? 'invalid' : null;
  const { valid, userError = 'INVALID' } = answer;
  if (valid) return 'valid';
  // `VALID` means that the register has answered; `valid` is what it said.
  return userError === 'VALID' || userError === 'INVALID' ? 'invalid' : null;
}
