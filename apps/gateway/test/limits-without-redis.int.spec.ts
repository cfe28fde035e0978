import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, fullTest, Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { startSite, type SiteUnderTest } from './site.harness.js';

const settings = { LIMIT_SIGN_IN: '3/3600', TRUSTED_PROXIES: '127.0.0.0/8, ::1' };

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSite({ without: ['content', 'messaging', 'orders', 'projects'], gateways: 2, settings });
});
afterAll(() => site?.stop());

const credentials = { email: 'nobody@example.com', password: 'not the password' };

function signIn(url: string, address: string) {
  const headers = { 'X-Forwarded-For': address };
  return Session.visitor(url).post<Problem>('/auth/login', credentials, { headers });
}

/** Sorted, because the calls are concurrent. */
async function statuses(url: string, address: string, count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => signIn(url, address)));
  return answers.map(({ status }) => status).sort();
}

// Each test continues with the state of the previous one.
test('with Redis both gateways count together', async () => {
  const [first, second] = site.gateways.map(({ url }) => url) as [string, string];
  expect(await statuses(first, '198.51.100.1', 2)).toEqual([401, 401]);
  expect(await statuses(second, '198.51.100.1', 3)).toEqual([401, 429, 429]);
});

test('without Redis each gateway counts on its own, and only calls above the limit get 429', async () => {
  const [first, second] = site.gateways.map(({ url }) => url) as [string, string];
  await site.redis.kill();
  // Three calls are within the limit, and get 503 because services are called over Redis.
  for (const url of [first, second])
    expect(await statuses(url, '198.51.100.2', 5)).toEqual([429, 429, 503, 503, 503]);
});

test('when Redis is back, both gateways count together again', async () => {
  await site.redis.restartEmpty();
  const [first, second] = site.gateways.map(({ url }) => url) as [string, string];
  let attempts = 0;
  await eventually(async () => {
    // Each attempt of `eventually` uses another address, because the calls of earlier attempts were counted, too.
    const address = `2001:db8:${(attempts += 1).toString(16)}::1`;
    expect(await statuses(first, address, 3)).toEqual([401, 401, 401]);
    expect([await statuses(second, address, 1), await statuses(first, address, 1)]).toEqual([[429], [429]]);
  });
});

fullTest('while Redis does not answer, a gateway counts on its own', async () => {
  const [first] = site.gateways.map(({ url }) => url) as [string];
  process.kill(site.redis.pid, 'SIGSTOP');
  try {
    expect(await statuses(first, '198.51.100.3', 5)).toEqual([429, 429, 503, 503, 503]);
  } finally {
    process.kill(site.redis.pid, 'SIGCONT');
  }
});
