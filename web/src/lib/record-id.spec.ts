import { expect, test } from '@jest/globals';
import { isRecordId } from './record-id.js';

test('a record id is a UUID and nothing else', () => {
  expect(isRecordId('0190a5f4-5c1e-7000-8000-000000000001')).toBe(true);
  for (const other of ['about', '0190a5f4', '', undefined]) expect(isRecordId(other)).toBe(false);
});
