import { describe, expect, test } from '@jest/globals';
import { BadRequestException, NotFoundException } from '@nestjs/common';
import { DomainError, type ErrorCode, errorSentences } from '#libs/contracts';
import { HttpFailure, httpFailures, problemAnswerOf, errorStatuses } from './problem.js';

const requestId = '019a0000-0000-4000-8000-000000000001';
const codes = Object.keys(errorSentences) as ErrorCode[];

describe('a DomainError keeps its code and message', () => {
  test.each(codes)('%s', (code) => {
    const { problem, unexpected } = problemAnswerOf(new DomainError(code), requestId);
    const status = errorStatuses[code];
    expect(problem).toMatchObject({
      type: `/docs#${code}`,
      status,
      code,
      detail: errorSentences[code],
      requestId,
    });
    // The title is 'Error' if Node does not know the status.
    expect(problem.title).not.toBe('Error');
    expect(unexpected).toBe(code === 'INTERNAL');
  });
});

test('only our own faults are 5xx', () => {
  const ours = codes.filter((code) => errorStatuses[code] >= 500);
  expect(ours).toEqual(['OVERLOADED', 'UNAVAILABLE', 'TIMEOUT', 'INTERNAL']);
});

test('a problem lists the invalid fields, or contains the current record if the version is stale', () => {
  const fields = [{ field: 'packagePrice', message: 'is required' }];
  expect(problemAnswerOf(DomainError.invalid(fields), requestId).problem.errors).toEqual(fields);
  const current = { _id: 'x', version: 3 };
  expect(
    problemAnswerOf(new DomainError('VERSION_MISMATCH', { current }), requestId).problem.current,
  ).toEqual(current);
});

test.each([
  ['RATE_LIMITED', { retryAfterSeconds: 12.3 }, 13],
  ['OVERLOADED', { retryAfterSeconds: 0 }, 1],
  ['UNAVAILABLE', {}, 1],
  ['NOT_FOUND', {}, undefined],
  ['TIMEOUT', {}, undefined],
] as const)('the Retry-After of %s with the details %j is %s', (code, details, seconds) => {
  expect(problemAnswerOf(new DomainError(code, details), requestId).retryAfterSeconds).toBe(seconds);
});

test.each(Object.entries(httpFailures))(
  '%s has the status and the sentence of its HTTP failure',
  (code, { status, sentence }) => {
    const { problem } = problemAnswerOf(new HttpFailure(code as 'MALFORMED_REQUEST'), requestId);
    expect(problem).toMatchObject({ code, status, detail: sentence });
  },
);

describe('an error of Nest or Fastify', () => {
  const refused = (code: string) => Object.assign(new Error('refused'), { code, statusCode: 400 });
  test.each([
    ['for an unknown address', 404, 'NOT_FOUND', new NotFoundException()],
    ['for too large a body', 413, 'BODY_TOO_LARGE', refused('FST_ERR_CTP_BODY_TOO_LARGE')],
    ['for an unsupported type', 415, 'UNSUPPORTED_MEDIA_TYPE', refused('FST_ERR_CTP_INVALID_MEDIA_TYPE')],
    ['for another reason', 400, 'MALFORMED_REQUEST', refused('FST_ERR_ANYTHING_ELSE')],
    [
      'that Nest has wrapped',
      413,
      'BODY_TOO_LARGE',
      new BadRequestException('x', { cause: refused('FST_ERR_CTP_BODY_TOO_LARGE') }),
    ],
  ])('%s becomes %i %s', (_, status, code, error) => {
    expect(problemAnswerOf(error, requestId).problem).toMatchObject({ status, code });
  });
});

test.each([
  ['a TypeError', new TypeError('secret of the database')],
  ['a string', 'secret'],
  ['undefined', undefined],
  ['null', null],
  ['an object', { password: 'x' }],
])('when %s is thrown, the answer says nothing about it, but has the request’s id', (_, thrown) => {
  const { problem, unexpected } = problemAnswerOf(thrown, requestId);
  expect(unexpected).toBe(true);
  expect(problem).toEqual({
    type: '/docs#INTERNAL',
    title: 'Internal Server Error',
    status: 500,
    detail: errorSentences.INTERNAL,
    code: 'INTERNAL',
    requestId,
  });
});
