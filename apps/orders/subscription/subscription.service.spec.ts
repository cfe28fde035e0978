import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Actor, DomainError } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { actors } from '#libs/testing';
import type { RequestContext } from '#libs/transport';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import { BuyerCalls } from '../payment/attempt/buyer-calls.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionService } from './subscription.service.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

type Dependencies = ConstructorParameters<typeof SubscriptionService>;

/** One with an unpaid charge. */
function subscription(): SubscriptionEntity {
  const [startedAt, createdAt, updatedAt] = Array.from({ length: 3 }, () => new Date());
  const plan = { id: 'plan', state: 'past_due', priceCents: 29_000, addedTaxRate: '0' };
  const charge = { providerStatus: 'charging', desiredStatus: 'charging', outstandingCents: 29_000 };
  return Object.assign(new SubscriptionEntity(), {
    ...{ ...plan, ...charge },
    ...{ startedAt, createdAt, updatedAt },
  });
}

/** A service that knows one plan. Tests replace and check its mocks. `usedIds` are the ids of earlier requests. */
function setUp({ usedIds = [] as string[] } = {}) {
  const [warn, error] = [jest.fn(), jest.fn()];
  const logger = { warn, error } as unknown as Logger;
  const calls = new BuyerCalls(logger);
  const inquire = jest.fn(() => Promise.resolve());
  /** In order: the request ids that the inbox got, `record` for an entry of the audit log, and `charge`. */
  const steps: string[] = [];
  const record = jest.fn(() => {
    steps.push('record');
    return Promise.resolve();
  });
  const chargeOutstanding = jest.fn(() => {
    steps.push('charge');
    return Promise.resolve();
  });
  const inbox = {
    findReply: () => Promise.resolve(undefined),
    once: async ({ requestId }: { requestId: string }, work: (tx: object) => unknown) => {
      if (usedIds.includes(requestId)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
      steps.push(requestId);
      return work({});
    },
  };
  const find = () => Promise.resolve(subscription());
  const service = new SubscriptionService(
    ...([
      inbox,
      { relationOf: ({ role }: { role: string }) => Promise.resolve(role) },
      { find, lock: find },
      {},
      { inquire },
      calls,
      { get: () => ({ label: 'PayPal', subscriptions: { chargeOutstanding } }) },
      {},
      { record },
      { graceMs: 0 },
      logger,
    ] as unknown as Dependencies),
  );
  return { service, calls, inquire, chargeOutstanding, record, steps, warn, error };
}

const requestBy = (actor: Actor) =>
  ({ actor, requestId: 'request', deadline: performance.now() + 10_000 }) as unknown as RequestContext;

describe('an inquiry for which a caller waits', () => {
  test('goes on without the caller after four seconds, and is logged if it fails after that', async () => {
    const { service, inquire, warn, error } = setUp();
    let fail: (error: Error) => void = () => undefined;
    inquire.mockImplementation(() => new Promise<void>((_, reject) => (fail = reject)));
    const answered = jest.fn();
    void service.refresh({ id: 'plan' }, requestBy(actors.customer)).then(answered);
    await jest.advanceTimersByTimeAsync(3_999);
    expect(answered).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(answered).toHaveBeenCalledWith(expect.objectContaining({ _id: 'plan' }));
    expect([warn.mock.calls, error.mock.calls]).toEqual([[], []]);

    fail(new NoAnswerYet('no answer'));
    await jest.advanceTimersByTimeAsync(0);
    expect([warn.mock.calls, error.mock.calls]).toEqual([
      [
        [
          { subscriptionId: 'plan', reason: 'no answer' },
          'A call to the provider failed after the caller had stopped waiting',
        ],
      ],
      [],
    ]);
  });

  test('is logged once if it fails within four seconds', async () => {
    const { service, inquire, warn } = setUp();
    inquire.mockRejectedValue(new NoAnswerYet('no answer'));
    await service.refresh({ id: 'plan' }, requestBy(actors.customer));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(warn.mock.calls).toEqual([
      [{ subscriptionId: 'plan', reason: 'no answer' }, 'An inquiry about a plan failed'],
    ]);
  });
});

describe('a request to charge an unpaid amount again', () => {
  const retryBy = async ({ service }: ReturnType<typeof setUp>, actor: Actor) => {
    await service.retry({ id: 'plan' }, requestBy(actor)).catch((error: unknown) => error);
  };

  test('by an admin is recorded in the audit log before the charge', async () => {
    const setup = setUp();
    await retryBy(setup, actors.admin);
    expect(setup.steps).toEqual(['request:retry', 'record', 'charge', 'request']);
  });

  test('by a customer reserves its id before the charge, but is not recorded in the audit log', async () => {
    const setup = setUp();
    await retryBy(setup, actors.customer);
    expect(setup.steps).toEqual(['request:retry', 'charge', 'request']);
    expect(setup.record).not.toHaveBeenCalled();
  });

  test('with an id that was used for another plan is refused at once, without an inquiry', async () => {
    const { service, chargeOutstanding, inquire } = setUp({ usedIds: ['request:retry'] });
    const retried = service.retry({ id: 'plan' }, requestBy(actors.customer));
    await expect(retried).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(chargeOutstanding).not.toHaveBeenCalled();
    expect(inquire).not.toHaveBeenCalled();
  });

  test('by an admin charges nothing and is not recorded in the audit log if too many calls are under way', async () => {
    const setup = setUp();
    const unanswered = () => new Promise<never>(() => {});
    // `BuyerCalls` runs at most 16 calls at the same time.
    for (let call = 1; call <= 16; call += 1)
      void setup.calls.run(requestBy(actors.customer), unanswered, {}).catch(() => {});
    await retryBy(setup, actors.admin);
    expect(setup.chargeOutstanding).not.toHaveBeenCalled();
    expect(setup.record).not.toHaveBeenCalled();
  });
});
