/**
 * Expected failures, as data.
 *
 * A service throws `new DomainError(code)`; the transport carries code, message and details to the caller;
 * the gateway alone turns the code into an HTTP status. Adding a code here without a sentence, or without a
 * status in the gateway's table, does not compile.
 */
export const errorSentences = {
  INVALID_INPUT: 'The request has fields that need another value.',
  NOT_FOUND: 'There is no such record.',
  UNAUTHENTICATED: 'Sign in to continue.',
  FORBIDDEN: "You don't have any permission",
  SINGLETON_EXISTS: 'This section holds one record and already has it. Update that record instead.',
  COLLECTION_FULL: 'This section is full. Delete a record before adding another.',
  DUPLICATE: 'Another record already has this value.',
  IMAGE_IN_USE: 'This picture is shown on the site. Take it out there first.',
  VERSION_MISMATCH: 'Somebody changed this record since you read it.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used with another request.',
  INVALID_CREDENTIALS: 'The e-mail address or the password is wrong.',
  EMAIL_TAKEN: 'An account with this e-mail address exists.',
  WEAK_PASSWORD: 'This password is too easy to guess. Choose another.',
  SECOND_FACTOR_REQUIRED: 'One more step: prove that it is you by your second factor.',
  SECOND_FACTOR_MISSING: 'Admins of this site need a second factor. Set one up to go on.',
  INVALID_CODE: 'This code is wrong, or was used already.',
  INVALID_PASSKEY: 'This passkey was not accepted. Try again, or sign in another way.',
  SIGN_IN_CANCELLED: 'You did not finish signing in with Google.',
  SIGN_IN_EXPIRED: 'This sign-in was begun too long ago, or in another browser. Try again.',
  SIGN_IN_REFUSED: 'What Google answered could not be trusted, so nobody was signed in. Try again.',
  ADDRESS_UNVERIFIED:
    'An account has this e-mail address, and Google has not verified that it is yours. Sign in with your password.',
  FRESH_SIGN_IN_REQUIRED: 'Confirm that it is you to go on.',
  SESSION_ENDED: 'Your session has ended. Sign in again.',
  LINK_EXPIRED: 'This link was used already, or has expired. Ask for a new one.',
  LAST_ADMIN: 'The last admin cannot be removed.',
  INVALID_TRANSITION: 'The record cannot change from its present state to that one.',
  PRICE_CHANGED: 'The price of this package is another one now.',
  ALREADY_PAID: 'This order is paid.',
  NOT_PAYABLE: 'This order cannot be paid now.',
  RATE_LIMITED: 'Too many attempts. Try again later.',
  OVERLOADED: 'The service has more work than it can take. Try again in a moment.',
  UNAVAILABLE: 'The service cannot be reached right now. Try again in a moment.',
  TIMEOUT: 'The service did not answer in time.',
  INTERNAL: 'Something went wrong on our side.',
} as const;

export type ErrorCode = keyof typeof errorSentences;

/** One bad field of an input: `field` is its path (`packagePrice`, `address.city`), `message` a sentence for a person. */
export interface FieldError {
  field: string;
  message: string;
}

export interface ErrorDetails {
  /** For SECOND_FACTOR_REQUIRED: by what the sign-in can be ended, until when, and the secret that names it. */
  secondFactor?: { methods: readonly string[]; token: string; expiresAt: string };
  /** For INVALID_INPUT and DUPLICATE: what is wrong, field by field. */
  fields?: FieldError[];
  /** For VERSION_MISMATCH: the record as it stands now. For PRICE_CHANGED: `{ packageName, packagePrice }`, or null for a package that is gone. For IMAGE_IN_USE: the picture. */
  current?: unknown;
  /** For RATE_LIMITED, OVERLOADED, UNAVAILABLE: seconds until another try makes sense. */
  retryAfterSeconds?: number;
}

/** What crosses the transport when a handler fails as expected. */
export interface ErrorData {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
}

export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
    message: string = errorSentences[code],
  ) {
    super(message);
  }

  toData(): ErrorData {
    return { code: this.code, message: this.message, details: this.details };
  }

  static fromData(data: ErrorData): DomainError {
    return new DomainError(data.code, data.details, data.message);
  }

  /** Bad input with one entry per field. */
  static invalid(fields: FieldError[]): DomainError {
    return new DomainError('INVALID_INPUT', { fields });
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorSentences, value);
}
