import 'reflect-metadata';
import { afterEach, expect, jest, test } from '@jest/globals';
import { actors } from '#libs/testing';
import type { RequestContext } from '#libs/transport';
import { BuyerCalls } from '../payment/attempt/buyer-calls.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionService } from './subscription.service.js';

type Dependencies = ConstructorParameters<typeof SubscriptionService>;

afterEach(() => void jest.useRealTimers());

test('an inquiry that fails with an error of our own after the caller has stopped waiting is logged', async () => {
  jest.useFakeTimers();
  const [startedAt, createdAt, updatedAt] = Array.from({ length: 3 }, () => new Date());
  const plan = { id: 'plan', state: 'active', priceCents: 29_000, addedTaxRate: '0' };
  const subscription = Object.assign(new SubscriptionEntity(), plan, { startedAt, createdAt, updatedAt });
  let fail: (error: Error) => void = () => undefined;
  const inquire = () => new Promise<void>((_, reject) => (fail = reject));
  const warn = jest.fn();
  const service = new SubscriptionService(
    ...([
      ...[
        {},
        { relationOf: () => Promise.resolve('customer') },
        { find: () => Promise.resolve(subscription) },
      ],
      ...[{}, { inquire }, new BuyerCalls(), { get: () => ({}) }, {}, {}, { graceMs: 0 }, { warn }],
    ] as unknown as Dependencies),
  );
  const context = { actor: actors.customer, deadline: performance.now() + 10_000 };
  const refreshed = service.refresh({ id: 'plan' }, context as unknown as RequestContext);
  await jest.advanceTimersByTimeAsync(9_000);
  expect(await refreshed).toMatchObject({ _id: 'plan' });
  warn.mockClear();
  const error = new Error('a fault in our code');
  fail(error);
  await jest.advanceTimersByTimeAsync(0);
  expect(warn.mock.calls).toEqual([
    [{ subscriptionId: 'plan', err: error }, 'An inquiry about a plan failed'],
  ]);
});
