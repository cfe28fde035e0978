import dns from 'node:dns';
import { expect, jest, test } from '@jest/globals';
import { openTracing } from './open-tracing.js';

/** As in `drainOnSignal`. */
const drainTimeoutMs = 10_000;

test(
  'an unanswered lookup of the collector’s name does not keep a process from ending in time',
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
