import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askProvider, NoAnswerYet } from './provider-request.js';

let server: Server;
let url: string;

beforeAll(async () => {
  // Never answers.
  server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a request that gets no answer ends at its deadline', async () => {
  const failure = new NoAnswerYet('there was no complete answer in time');
  await expect(askProvider({ url, timeoutMs: 50, maxBytes: 100 })).rejects.toEqual(failure);
});

test('a request that the caller cancels, while or before it runs, says so instead of blaming the provider', async () => {
  const caller = new AbortController();
  const request = { url, timeoutMs: 10_000, maxBytes: 100, signal: caller.signal };
  const failure = new NoAnswerYet('the request was cancelled');
  const running = expect(askProvider(request)).rejects.toEqual(failure);
  caller.abort();
  await running;
  await expect(askProvider(request)).rejects.toEqual(failure);
});
