/**
 * What people read for each code, unless an error has its own message. INTERNAL stands for any unexpected failure. Only the gateway turns a code into
 * an HTTP status.
 */
export const errorSentences = {
  INVALID_INPUT: 'Please fix the highlighted fields.',
  NOT_FOUND: 'This record doesn’t exist. It may have been deleted.',
  UNAUTHENTICATED: 'Sign in to continue.',
  FORBIDDEN: "You don't have any permission",
  SINGLETON_EXISTS: 'This section holds only one record. Update the existing one instead.',
  COLLECTION_FULL: 'This section is full. Delete a record before you add another.',
  DUPLICATE: 'Another record already uses this value. Choose a different one.',
  IMAGE_IN_USE: 'This image is used on the site. Remove it there before you delete it.',
  VERSION_MISMATCH: 'Someone else changed this record after you opened it. Reload it and try again.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was already used for a different request. Use a new key.',
  INVALID_CREDENTIALS: 'The e-mail address or password is incorrect.',
  EMAIL_TAKEN: 'An account with this e-mail address already exists.',
  WEAK_PASSWORD: 'This password is too easy to guess. Choose a different one.',
  SECOND_FACTOR_REQUIRED: 'Use your second factor to finish signing in.',
  SECOND_FACTOR_MISSING: 'Admins need a second factor. Set one up to continue.',
  INVALID_CODE: 'This code is incorrect or was already used. Enter a new one.',
  INVALID_PASSKEY: 'This passkey didn’t work. Try again, or sign in another way.',
  SIGN_IN_CANCELLED: 'You didn’t finish signing in with Google. Try again.',
  SIGN_IN_EXPIRED: 'This sign-in has expired or was started in another browser. Try again.',
  SIGN_IN_REFUSED: 'We couldn’t verify Google’s answer, so you’re not signed in. Try again.',
  ADDRESS_UNVERIFIED:
    'An account already uses this e-mail address, and Google hasn’t verified that it’s yours. Sign in with your password.',
  FRESH_SIGN_IN_REQUIRED: 'Confirm it’s you to continue.',
  SESSION_ENDED: 'Your session has ended. Sign in again.',
  LINK_EXPIRED: 'This link has expired or was already used. Request a new one.',
  LAST_ADMIN: 'You can’t remove the last admin. Add another admin first.',
  INVALID_TRANSITION: 'The record’s current status doesn’t allow this change.',
  PRICE_CHANGED: 'The price has changed.',
  ALREADY_PAID: 'This order is already paid.',
  NOT_PAYABLE: 'This order can’t be paid right now.',
  RATE_LIMITED: 'Too many attempts. Try again later.',
  OVERLOADED: 'We’re handling too many requests right now. Try again in a moment.',
  UNAVAILABLE: 'This service isn’t available right now. Try again in a moment.',
  TIMEOUT: 'The service took too long to answer. Try again in a moment.',
  INTERNAL: 'Something went wrong on our side. Try again in a moment.',
} as const;

export type ErrorCode = keyof typeof errorSentences;

/** `field` is a path, e.g. `address.city`. */
export interface FieldError {
  field: string;
  message: string;
}

export interface ErrorDetails {
  /** For SECOND_FACTOR_REQUIRED. The token is secret. */
  secondFactor?: { methods: readonly string[]; token: string; expiresAt: string };
  /** For INVALID_INPUT, and other codes about certain fields, such as DUPLICATE. */
  fields?: FieldError[];
  /**
   * For VERSION_MISMATCH, and INVALID_TRANSITION of a project or a brief: the current record. For PRICE_CHANGED: the current offer, as
   * `{ packageName, packagePrice }`, or null if there is no such package. For IMAGE_IN_USE: the picture.
   */
  current?: unknown;
  /** For RATE_LIMITED, OVERLOADED, UNAVAILABLE. */
  retryAfterSeconds?: number;
}

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

  static invalid(fields: FieldError[]): DomainError {
    return new DomainError('INVALID_INPUT', { fields });
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorSentences, value);
}
