import { DomainError } from '#libs/contracts';

/** Milliseconds. People need longer to fill in a form. */
const minFillMs = 1000;

interface FormChecks {
  /** A honeypot: people do not see this field. */
  website?: string;
  /** Milliseconds from seeing the form to sending it. */
  filledMs?: number;
}

/**
 * Returns the body without the fields of these checks. Throws INVALID_INPUT, RATE_LIMITED. Does not pretend success to a bot, because the sender may
 * be a person whose browser filled in the hidden field. After the error, that person can send the form again: the form has emptied the field.
 */
export function acceptPublicForm<B extends FormChecks>({ website, filledMs, ...body }: B) {
  if (website) {
    throw new DomainError(
      'INVALID_INPUT',
      { fields: [{ field: 'website', message: 'must be empty' }] },
      'This looks like an automated submission. If you’re a person, please send the form again.',
    );
  }
  if (filledMs !== undefined && filledMs < minFillMs) {
    throw new DomainError(
      'RATE_LIMITED',
      { retryAfterSeconds: 1 },
      'That was faster than a person can type. Please wait a second and send the form again.',
    );
  }
  return body;
}
