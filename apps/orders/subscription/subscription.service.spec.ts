import 'reflect-metadata';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { Logger } from '#libs/platform';
import { actors } from '#libs/testing';
import type { RequestContext } from '#libs/transport';
import { BuyerCalls } from '../payment/attempt/buyer-calls.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionService } from './subscription.service.js';

type Dependencies = ConstructorParameters<typeof SubscriptionService>;

afterEach(() => void jest.useRealTimers());

test('a caller waits four seconds for an inquiry; an error of our own after that is logged as an error', async () => {
  jest.useFakeTimers();
  const [startedAt, createdAt, updatedAt] = Array.from({ length: 3 }, () => new Date());
  const plan = { id: 'plan', state: 'active', priceCents: 29_000, addedTaxRate: '0' };
  const subscription = Object.assign(new SubscriptionEntity(), plan, { startedAt, createdAt, updatedAt });
  let fail: (error: Error) => void = () => undefined;
  const inquire = () => new Promise<void>((_, reject) => (fail = reject));
  const [warn, error] = [jest.fn(), jest.fn()];
  const logger = { warn, error } as unknown as Logger;
  const service = new SubscriptionService(
    ...([
      ...[
        {},
        { relationOf: () => Promise.resolve('customer') },
        { find: () => Promise.resolve(subscription) },
      ],
      ...[{}, { inquire }, new BuyerCalls(logger), { get: () => ({}) }, {}, {}, { graceMs: 0 }, logger],
    ] as unknown as Dependencies),
  );
  const context = { actor: actors.customer, deadline: performance.now() + 10_000 };
  const refreshed = service.refresh({ id: 'plan' }, context as unknown as RequestContext);
  await jest.advanceTimersByTimeAsync(4_000);
  expect(await refreshed).toMatchObject({ _id: 'plan' });
  const fault = new Error('a fault in our code');
  fail(fault);
  await jest.advanceTimersByTimeAsync(0);
  expect(error.mock.calls).toEqual([
    [
      { subscriptionId: 'plan', err: fault },
      'A call to the provider failed after the caller had stopped waiting',
    ],
  ]);
});
