import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import {
  DomainError,
  type ErrorCode,
  type ErrorDetails,
  errorSentences,
  type FieldError,
} from '#libs/contracts';

export const errorStatuses: Record<ErrorCode, number> = {
  INVALID_INPUT: 400,
  NOT_FOUND: 404,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  SINGLETON_EXISTS: 409,
  COLLECTION_FULL: 409,
  DUPLICATE: 409,
  IMAGE_IN_USE: 409,
  VERSION_MISMATCH: 412,
  IDEMPOTENCY_KEY_REUSED: 422,
  INVALID_CREDENTIALS: 401,
  EMAIL_TAKEN: 409,
  WEAK_PASSWORD: 400,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_MISSING: 403,
  INVALID_CODE: 400,
  INVALID_PASSKEY: 400,
  SIGN_IN_CANCELLED: 401,
  SIGN_IN_EXPIRED: 401,
  SIGN_IN_REFUSED: 401,
  ADDRESS_UNVERIFIED: 409,
  SESSION_ENDED: 401,
  LINK_EXPIRED: 400,
  FRESH_SIGN_IN_REQUIRED: 403,
  LAST_ADMIN: 409,
  INVALID_TRANSITION: 409,
  PRICE_CHANGED: 409,
  ALREADY_PAID: 409,
  NOT_PAYABLE: 409,
  RATE_LIMITED: 429,
  OVERLOADED: 503,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
  INTERNAL: 500,
};

/** Failures that only the gateway finds, so no service has codes for them. */
export const httpFailures = {
  MALFORMED_REQUEST: { status: 400, sentence: 'The request is malformed.' },
  CROSS_SITE_REQUEST: { status: 403, sentence: 'This request must come from a page of this site.' },
  REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to arrive.' },
  METHOD_NOT_ALLOWED: { status: 405, sentence: 'This address doesn’t support that method.' },
  PROTOCOL_VERSION: { status: 412, sentence: 'Uploads require tus 1.0.0 (header Tus-Resumable).' },
  BODY_TOO_LARGE: { status: 413, sentence: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, sentence: 'This address doesn’t take a body of that content type.' },
  RANGE_NOT_SATISFIABLE: { status: 416, sentence: 'The file has no bytes in the requested range.' },
  UPLOAD_CONTINUED_ELSEWHERE: {
    status: 423,
    sentence: 'This file is being uploaded elsewhere, for example in another tab.',
  },
  HEADERS_TOO_LARGE: { status: 431, sentence: 'The request headers are too large.' },
} as const;

export type HttpFailureCode = keyof typeof httpFailures;
export type ProblemCode = ErrorCode | HttpFailureCode;

export const problemCodes: readonly ProblemCode[] = [
  ...(Object.keys(errorSentences) as ErrorCode[]),
  ...(Object.keys(httpFailures) as HttpFailureCode[]),
];

export function statusOf(code: ProblemCode): number {
  return code in httpFailures
    ? httpFailures[code as HttpFailureCode].status
    : errorStatuses[code as ErrorCode];
}

export function sentenceOf(code: ProblemCode): string {
  return code in httpFailures
    ? httpFailures[code as HttpFailureCode].sentence
    : errorSentences[code as ErrorCode];
}

/** Only the gateway throws it. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';

  constructor(
    readonly code: HttpFailureCode,
    message: string = httpFailures[code].sentence,
  ) {
    super(message);
  }
}

/** RFC 9457, with a code that programs can rely on. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  /** The log entries about the request contain it too. */
  requestId: string;
  errors?: FieldError[];
  /** With VERSION_MISMATCH, PRICE_CHANGED, IMAGE_IN_USE, and INVALID_TRANSITION of a project or a brief: what is stored now. */
  current?: unknown;
  /** With SECOND_FACTOR_REQUIRED: the methods that can complete the sign-in. */
  secondFactor?: { methods: readonly string[] };
}

interface ProblemAnswer {
  problem: Problem;
  /** Seconds, for the `Retry-After` header. */
  retryAfterSeconds?: number;
  /** May be a bug, and belongs in the error log. */
  unexpected: boolean;
}

/** Most outages last only until a process has restarted. */
const defaultRetrySeconds = 1;

/**
 * Expected failures keep their message, and a request that Nest or Fastify refused gets one of our codes. Everything else becomes INTERNAL, which
 * tells the client only the request's id.
 */
export function problemAnswerOf(error: unknown, requestId: string): ProblemAnswer {
  if (error instanceof DomainError) return fromDomainError(error, requestId);
  if (error instanceof HttpFailure) return fromHttpFailure(error.code, requestId, error.message);
  if (error instanceof HttpException && error.getStatus() === 404) {
    return fromDomainError(new DomainError('NOT_FOUND', {}, 'There is nothing at this address.'), requestId);
  }
  // Nest wraps what Fastify refuses.
  const failure = frameworkFailure(error instanceof HttpException ? (error.cause ?? error) : error);
  if (failure) return fromHttpFailure(failure, requestId);
  return { ...fromDomainError(new DomainError('INTERNAL'), requestId), unexpected: true };
}

function fromDomainError(error: DomainError, requestId: string): ProblemAnswer {
  const status = errorStatuses[error.code];
  const { fields, current, secondFactor, retryAfterSeconds } = error.details as ErrorDetails;
  const hasRetryAfter = status === 429 || status === 503;
  return {
    problem: {
      ...problemHead(error.code, status, error.message, requestId),
      ...(fields ? { errors: fields } : {}),
      ...(current === undefined ? {} : { current }),
      ...(secondFactor ? { secondFactor: { methods: secondFactor.methods } } : {}),
    },
    ...(hasRetryAfter && {
      retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds ?? defaultRetrySeconds)),
    }),
    unexpected: error.code === 'INTERNAL',
  };
}

function fromHttpFailure(code: HttpFailureCode, requestId: string, detail?: string): ProblemAnswer {
  const { status, sentence } = httpFailures[code];
  return { problem: problemHead(code, status, detail ?? sentence, requestId), unexpected: false };
}

function problemHead(code: ProblemCode, status: number, detail: string, requestId: string): Problem {
  return { type: problemType(code), title: STATUS_CODES[status] ?? 'Error', status, detail, code, requestId };
}

/** A relative URI, so that it is valid whatever the site’s address is. */
export function problemType(code: ProblemCode): string {
  return `/docs#${code}`;
}

/**
 * Our code for a refusal by Fastify, from its documented code (https://fastify.dev/docs/latest/Reference/Errors/), or else from its 4xx status.
 */
function frameworkFailure(error: unknown): HttpFailureCode | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'BODY_TOO_LARGE';
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'UNSUPPORTED_MEDIA_TYPE';
  }
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? 'MALFORMED_REQUEST'
    : undefined;
}
