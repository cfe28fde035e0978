import { expect, test } from '@jest/globals';
import { redact } from './redact.js';

test('redact hides secrets at any depth and leaves the original unchanged', () => {
  const input = {
    credentials: { email: 'a', password: 'p' },
    list: [{ password: 'q' }],
    password: { deep: 1 },
  };
  const copy = redact(input, ['password']);
  expect(copy).toEqual({
    credentials: { email: 'a', password: '[redacted]' },
    list: [{ password: '[redacted]' }],
    password: '[redacted]',
  });
  expect(input.credentials.password).toBe('p');
});
