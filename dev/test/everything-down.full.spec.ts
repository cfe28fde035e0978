import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, eventually, Session } from '#libs/testing';
import { serverPid } from './faults/servers.js';
import { Launch, temporaryDataDir } from './launcher.js';

const reads: [path: string, accept: string][] = [
  ...['/', '/pricing/', '/service/', '/contact', '/terms', '/privacy'].map(
    (path) => [path, 'text/html'] as [string, string],
  ),
  // The sitemap and robots.txt are the same whatever `accept` says.
  ...[
    '/banner',
    '/service-items',
    '/pricings',
    '/testimonials',
    '/site-content',
    '/sitemap.xml',
    '/robots.txt',
  ].map((path) => [path, 'application/json'] as [string, string]),
];
const message = {
  fullName: 'Ada',
  emailAddress: 'ada@example.com',
  subject: 'Hello',
  message: 'Is anybody there?',
  messageStatus: 'UnRead',
};

/** For “Everything behind the gateway is down” in docs/testing.md. */
describe('with everything behind the gateway down', () => {
  const dataDir = temporaryDataDir();
  const credentials = { email: 'buyer@example.com', password: 'a fine long password' };
  let site: Launch;
  let visitor: Session;
  let customer: Session;
  let before: Answer[];
  let pids: number[];
  const readAll = () =>
    Promise.all(reads.map(([path, accept]) => visitor.get(path, { headers: { accept } })));

  beforeAll(async () => {
    site = new Launch(dataDir.path);
    const url = await site.ready();
    visitor = Session.visitor(url);
    customer = await Session.register(url, credentials);
    const written = { ...message, subject: 'Before the outage' };
    expect((await visitor.post('/add-message', written)).status).toBe(201);
    before = await readAll();
    expect(before.map(({ status }) => status)).toEqual(reads.map(() => 200));
    const { gateway, ...behind } = site.stack.services;
    expect(gateway).toHaveLength(1);
    pids = [
      ...Object.values(behind).flatMap((replicas) => replicas.map(({ pid }) => pid)),
      serverPid(site, 'redis'),
      serverPid(site, 'postgres'),
    ];
    // The supervisor is paused, because it would restart the killed processes.
    site.child.kill('SIGSTOP');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }, 120_000);
  afterAll(async () => {
    site.child.kill('SIGCONT');
    await site.stop();
    dataDir.remove();
  });

  test('writes get 503 with Retry-After', async () => {
    const calls: [Session, string, object][] = [
      [visitor, '/add-message', message],
      [visitor, '/add-subscriber', { email: 'ada@example.com' }],
      [visitor, '/auth/login', credentials],
      [customer, '/new-order', {}],
    ];
    for (const [session, path, body] of calls) {
      await eventually(
        async () => {
          const { status, headers } = await session.post(path, body);
          expect([path, status, Number(headers.get('retry-after'))]).toEqual([path, 503, expect.any(Number)]);
          expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        },
        { intervalMs: 200 },
      );
    }
  });

  test('public pages, public JSON, the sitemap and robots.txt are unchanged', async () => {
    const answers = await readAll();
    answers.forEach((answer, index) => {
      const [path] = reads[index]!;
      expect([path, answer.status, answer.text === before[index]!.text]).toEqual([path, 200, true]);
    });
  });

  test('everything recovers by itself, and a message from before the outage is kept', async () => {
    site.child.kill('SIGCONT');
    const written = { ...message, subject: 'After the outage' };
    await eventually(
      async () => {
        expect((await visitor.post('/add-message', written)).status).toBe(201);
        expect((await customer.get('/orders')).status).toBe(200);
      },
      { intervalMs: 200 },
    );
    const { admin } = site.stack;
    const password = /Password\s+(\S+)/.exec(site.output)![1]!;
    const adminSession = await Session.signIn(site.stack.url, { email: admin.email, password });
    const messages = await adminSession.get<{ subject: string }[]>('/messages');
    const subjects = messages.json.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'Before the outage')).toHaveLength(1);
    expect(subjects).toContain('After the outage');
  });
});
