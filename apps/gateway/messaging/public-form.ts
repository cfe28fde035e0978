import { z } from 'zod';
import { DomainError } from '#libs/contracts';

/** Nobody has read and filled a form sooner, in milliseconds. */
const soonestMs = 1000;

/** What a page adds to a form's documented body. Who leaves it out is under no suspicion. */
export const formSigns = {
  website: z.string().max(1000).optional().describe('A field that people do not see; filled, it is refused.'),
  filledMs: z
    .number()
    .min(0)
    .optional()
    .describe('Milliseconds from seeing the form to sending it; under 1000 it is refused.'),
};

export interface FormSigns {
  website?: string;
  filledMs?: number;
}

/**
 * The body without the signs. What looks like a program's is refused aloud, never dropped in silence: a person whom the browser helped too well sends
 * it once more. INVALID_INPUT, RATE_LIMITED.
 */
export function refuseAutomation<B extends FormSigns>({ website, filledMs, ...body }: B) {
  if (website) {
    throw new DomainError(
      'INVALID_INPUT',
      { fields: [{ field: 'website', message: 'must be empty' }] },
      'This looks as if a program had filled the form. If you are a person, please send it once more.',
    );
  }
  if (filledMs !== undefined && filledMs < soonestMs) {
    throw new DomainError(
      'RATE_LIMITED',
      { retryAfterSeconds: 1 },
      'That was faster than a person can write. Please wait a second and send it again.',
    );
  }
  return body;
}
