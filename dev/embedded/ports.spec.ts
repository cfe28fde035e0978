import { expect, test } from '@jest/globals';
import { freePort } from './ports.js';

test('whoever asks for a port gets one of their own, however many ask before anybody listens', async () => {
  const ports = await Promise.all(Array.from({ length: 1000 }, () => freePort()));
  expect(new Set(ports).size).toBe(1000);
});
