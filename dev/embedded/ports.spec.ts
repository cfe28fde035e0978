import { expect, test } from '@jest/globals';
import { freePort } from './ports.js';

test('every call returns a different port, even if nobody listens on the earlier ones yet', async () => {
  const ports = await Promise.all(Array.from({ length: 1000 }, () => freePort()));
  expect(new Set(ports).size).toBe(1000);
});
