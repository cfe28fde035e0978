import { DomainError } from '#libs/contracts';

/** Nobody has read and filled a form sooner, in milliseconds. */
const soonestMs = 1000;

interface FormChecks {
  website?: string;
  filledMs?: number;
}

/**
 * The body without the signs. What looks like a program's is refused aloud, never dropped in silence: a person whom the browser helped too well sends
 * it once more. INVALID_INPUT, RATE_LIMITED.
 */
export function refuseAutomation<B extends FormChecks>({ website, filledMs, ...body }: B) {
  if (website) {
    throw new DomainError(
      'INVALID_INPUT',
      { fields: [{ field: 'website', message: 'must be empty' }] },
      'This looks like an automated submission. If you’re a person, please send it again.',
    );
  }
  if (filledMs !== undefined && filledMs < soonestMs) {
    throw new DomainError(
      'RATE_LIMITED',
      { retryAfterSeconds: 1 },
      'That was faster than a person can type. Please wait a second and send it again.',
    );
  }
  return body;
}
