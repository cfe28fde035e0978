import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, Session } from '#libs/testing';
import { Launch, temporaryDataDir } from './launcher.js';

const message = {
  fullName: 'Ada',
  emailAddress: 'ada@example.com',
  subject: 'Hello',
  message: 'Is anybody there?',
  messageStatus: 'UnRead',
};

/** The default deadline of a call (`RpcClient`). */
const deadlineMs = 10_000;

/** For “A service hangs” in docs/testing.md. */
describe('a service that hangs', () => {
  const dataDir = temporaryDataDir();
  let site: Launch;
  let visitor: Session;
  let customer: Session;
  beforeAll(async () => {
    site = new Launch(dataDir.path);
    const url = await site.ready();
    visitor = Session.visitor(url);
    customer = await Session.register(url, { email: 'buyer@example.com', password: 'a fine long password' });
  }, 120_000);
  afterAll(async () => {
    await site.stop();
    dataDir.remove();
  });

  /** The median duration (ms) of 100 pairs of calls that do not need the hung service. */
  async function timeOtherCalls(): Promise<number> {
    const times: number[] = [];
    for (let count = 0; count < 100; count++) {
      const began = performance.now();
      expect((await visitor.get('/banner')).status).toBe(200);
      expect((await customer.get('/orders')).status).toBe(200);
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[50]!;
  }

  test('leads to 504 at the deadline, does not slow down other requests, and is replaced', async () => {
    expect((await visitor.post('/add-message', message)).status).toBe(201);
    // The first calls are slower, so they are not measured.
    await timeOtherCalls();
    const medianBefore = await timeOtherCalls();
    const { pid } = site.stack.services.messaging![0]!;
    process.kill(pid, 'SIGSTOP');
    const hungAt = performance.now();
    const waiting = Promise.all(Array.from({ length: 20 }, () => visitor.post('/add-message', message))).then(
      (answers) => ({ answers, answeredAfter: performance.now() - hungAt }),
    );
    const medianDuring = await timeOtherCalls();
    const { answers, answeredAfter } = await waiting;
    console.log(
      `other calls took ${medianBefore.toFixed(1)} ms before the hang and ${medianDuring.toFixed(1)} ms during it; ` +
        `504 came after ${Math.round(answeredAfter)} ms`,
    );
    // This limit is far above the noise of a median, and far below the delay if the waiting requests blocked others.
    expect(medianDuring).toBeLessThan(medianBefore * 5 + 20);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504]));
    expect(answeredAfter).toBeGreaterThan(deadlineMs * 0.9);
    expect(answeredAfter).toBeLessThan(deadlineMs * 1.5);

    await site.waitForOutput(/messaging does not answer/);
    await eventually(
      async () => {
        expect(site.stack.services.messaging![0]!.pid).not.toBe(pid);
        expect((await visitor.post('/add-message', message)).status).toBe(201);
      },
      { intervalMs: 200 },
    );
    console.log(`the service was replaced ${Math.round(performance.now() - hungAt)} ms after it hung`);
  }, 120_000);
});
