import { expect, test } from '@jest/globals';
import { DomainError } from '#libs/contracts';
import { isConnectionError, isTemporaryDatabaseError, toDomainError } from './database-errors.js';

const failureWithCode = (code: string) => toDomainError(Object.assign(new Error(), { code }));

test('a failure of the database is still recognized after it was turned into UNAVAILABLE', () => {
  expect(isConnectionError(failureWithCode('ECONNREFUSED'))).toBe(true);
  expect(isConnectionError(toDomainError(new Error('Connection terminated')))).toBe(true);
  const timeout = failureWithCode('57014');
  expect([isConnectionError(timeout), isTemporaryDatabaseError(timeout)]).toEqual([false, true]);
  expect(isTemporaryDatabaseError(new DomainError('UNAVAILABLE'))).toBe(false);
});
