import { expect, test } from '@jest/globals';
import { DomainError } from '#libs/contracts';
import { isConnectionError, isTemporaryDatabaseError, toDomainError } from './database-errors.js';

const failed = (code: string) => toDomainError(Object.assign(new Error(), { code }));

test('a failure of the database is still recognized after it was turned into UNAVAILABLE', () => {
  expect(isConnectionError(failed('ECONNREFUSED'))).toBe(true);
  expect(isConnectionError(toDomainError(new Error('Connection terminated')))).toBe(true);
  const isTooSlow = failed('57014');
  expect([isConnectionError(isTooSlow), isTemporaryDatabaseError(isTooSlow)]).toEqual([false, true]);
  expect(isTemporaryDatabaseError(new DomainError('UNAVAILABLE'))).toBe(false);
});
