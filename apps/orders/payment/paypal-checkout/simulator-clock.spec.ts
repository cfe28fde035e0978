import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { PaypalSimulatorClock } from './simulator-clock.js';

let server: Server;
let clock: PaypalSimulatorClock;
let answer: string;
let postStatus = 200;
beforeAll(async () => {
  server = createServer(({ method }, response) => {
    response.writeHead(method === 'POST' ? postStatus : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  clock = new PaypalSimulatorClock({ origin, timeoutMs: 5_000 });
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

test('the clock of the simulator says how far it is ahead of real time', async () => {
  answer = '{"ahead":60000}';
  expect(await clock.readAheadMs()).toBe(60_000);
});

test('a clock that is past the requested time says how far it is ahead of real time', async () => {
  answer = '{"ahead":60000}';
  // The simulator's answer if its clock is later than the requested time.
  postStatus = 409;
  expect(await clock.advanceTo(new Date())).toBe(60_000);
});

test.each(['<html>', '{}'])('the unreadable answer %s counts as no answer yet', async (unreadable) => {
  answer = unreadable;
  await expect(clock.readAheadMs()).rejects.toThrow(NoAnswerYet);
});
