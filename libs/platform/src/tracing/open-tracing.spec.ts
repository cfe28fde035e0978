import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { openTracing } from './open-tracing.js';

/** What `drainOnSignal` gives a process in all. */
const drainTimeoutMs = 10_000;

test(
  'a collector whose name nobody resolves any more does not hold up the end of a process',
  async () => {
    const { tracing, close } = openTracing({
      service: 'gateway',
      endpoint: 'http://localhost:4318',
      ratio: 1,
    });
    tracing.begin({ kind: 'server', name: 'GET /', traceId: '0af7651916cd43dd8448eb211c80319c' })!.end();
    const waiting: ((error: Error) => void)[] = [];
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
      waiting.push(given.at(-1) as (error: Error) => void);
    }) as never);
    await close();
    expect(waiting).toHaveLength(1);
    lookup.mockRestore();
    waiting[0]!(new Error('No such host'));
  },
  drainTimeoutMs,
);

test('the last spans leave without another lookup, since Node cannot exit before one has ended', async () => {
  let batches = 0;
  const server = createServer((request, response) => {
    batches += 1;
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const endpoint = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { tracing, close } = openTracing({ service: 'gateway', endpoint, ratio: 1 });
  const span = () =>
    tracing.begin({ kind: 'server', name: 'GET /', traceId: '0af7651916cd43dd8448eb211c80319c' })!.end();
  // As many as leave at once.
  for (let count = 0; count < 512; count += 1) span();
  await eventually(() => expect(batches).toBe(1));
  server.closeAllConnections();
  span();
  const lookup = jest.spyOn(dns, 'lookup');
  await close();
  expect([batches, lookup.mock.calls.length]).toEqual([2, 0]);
  lookup.mockRestore();
  server.close();
});
