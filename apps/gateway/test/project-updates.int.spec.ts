import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Thread, ThreadMessage } from '#libs/contracts';
import { eventually, type Session, fullTest } from '#libs/testing';
import { EventReader } from './event-reader.js';
import { insertProject } from './project-uploads.js';
import { accountIdOf, startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let database: pg.Client;
let admin: Session;
let customer: Session;
let id: string;
const openReaders: EventReader[] = [];

beforeAll(async () => {
  site = await startSite({ without: ['messaging', 'orders'], processes: ['projects'], gateways: 2 });
  database = new pg.Client({ connectionString: site.databaseUrls.projects });
  await database.connect();
  admin = await site.admin();
});
afterAll(async () => {
  await database?.end();
  await site?.stop();
});

beforeEach(async () => {
  customer = await site.customer();
  id = await insertProject(database, accountIdOf(customer));
});
afterEach(() => {
  for (const reader of openReaders.splice(0)) reader.stop();
});

/** Adds `member` to the customer's team, and returns the member's account id. */
async function join(member: Session): Promise<string> {
  const [ownerId, accountId] = [accountIdOf(customer), accountIdOf(member)];
  await database.query('INSERT INTO teams (owner_id, version) VALUES ($1, 1) ON CONFLICT DO NOTHING', [
    ownerId,
  ]);
  await database.query(
    `INSERT INTO team_members (owner_id, account_id, role, name, email, joined_at) VALUES ($1, $2, 'member', 'Grace', 'g@example.com', now())`,
    [ownerId, accountId],
  );
  return accountId;
}

const otherGateway = () => site.gateways[1]!.url;
const post = async (text: string) => {
  const answer = await customer.post<ThreadMessage>(`/project/${id}/messages`, { text });
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /);
  return answer.json;
};
const postAsStaff = (text: string) => admin.post(`/staff-project/${id}/messages`, { text });
async function follow(person: Session, { path = `/project/${id}/updates`, headers = {} } = {}) {
  const reader = await EventReader.open(person, path, headers);
  openReaders.push(reader);
  return reader;
}
const asStaff = () => ({ path: `/staff-project/${id}/updates` });
const textsOf = ({ entries }: EventReader) => entries.map((entry) => entry.text);
/**
 * What arrives within two seconds is usually due to a broadcast, because streams are compared with their threads only every three seconds. Each
 * attempt also reads the project, so that attempts take longer on a busy machine, as `eventually` expects.
 */
const promptly = (check: () => void, promisedMs = 2_000) =>
  eventually(
    async () => {
      await admin.get(`/staff-project/${id}`);
      check();
    },
    { promisedMs },
  );
/** Six seconds are enough for two comparisons of streams with their threads. */
const withinSeconds = (check: () => void) => promptly(check, 6_000);

describe('an open thread', () => {
  test('shows what is written through another gateway, and the id of each event is the position to continue from', async () => {
    await post('Before');
    const reader = await follow(customer.at(otherGateway()));
    expect(reader.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(reader.answer.headers['content-encoding']).toBeUndefined();
    // The first event has no entries; its id is the position at which the stream begins.
    await eventually(() =>
      expect(reader.events).toMatchObject([{ id: '1', data: { entries: [], change: 1 } }]),
    );
    const message = await post('Hello');
    await postAsStaff('Welcome');
    await promptly(() => expect(textsOf(reader)).toEqual(['Hello', 'Welcome']));
    expect(reader.entries[0]).toEqual(message);
    expect(reader.lastId).toBe('3');
    await customer.put(`/project/${id}/messages/${message._id}`, { text: 'Hello!' });
    await promptly(() => expect(textsOf(reader)).toEqual(['Hello', 'Welcome', 'Hello!']));
    // What the others have read shows as well.
    await admin.post(`/staff-project/${id}/read`, { seq: 3 });
    await promptly(() => expect(reader.events.at(-1)?.data).toMatchObject({ entries: [], othersReadSeq: 3 }));
  });

  test('shows notes to staff, and nothing of them to the customer', async () => {
    const [mine, staff] = [await follow(customer), await follow(admin.at(otherGateway()), asStaff())];
    await admin.post(`/staff-project/${id}/notes`, { text: 'Careful' });
    await promptly(() => expect(textsOf(staff)).toEqual(['Careful']));
    await post('Hello');
    await promptly(() => expect(textsOf(mine)).toEqual(['Hello']));
    expect(mine.events.map(({ data }) => data.entries.length)).toEqual([0, 1]);
  });

  test('can be continued from the last id at another gateway, without gaps or repetitions', async () => {
    const writing = (async () => {
      for (let n = 1; n <= 40; n += 1) await post(`Message ${n}`);
    })();
    const seen: string[] = [];
    let lastId = '0';
    for (let connection = 1; seen.length < 40; connection += 1) {
      const person = connection % 2 === 1 ? customer : customer.at(otherGateway());
      // A browser reconnects with the URL of its first request, here with `after=0`. `Last-Event-ID` takes precedence over `after`.
      const reader = await follow(person, {
        path: `/project/${id}/updates?after=0`,
        headers: connection === 1 ? {} : { 'last-event-id': lastId },
      });
      const enough = Math.min(40, seen.length + 9);
      await eventually(() => expect(seen.length + reader.entries.length).toBeGreaterThanOrEqual(enough));
      reader.stop();
      seen.push(...textsOf(reader));
      lastId = reader.lastId;
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => `Message ${n + 1}`));
  });

  fullTest('begins at the position in its address if `Last-Event-ID` is not a valid id', async () => {
    await post('Hello');
    for (const lastId of ['9999999999', '2000000001', '-1', 'x']) {
      const reader = await follow(customer, {
        path: `/project/${id}/updates?after=0`,
        headers: { 'last-event-id': lastId },
      });
      expect(reader.status).toBe(200);
      await eventually(() => expect(textsOf(reader)).toEqual(['Hello']));
      reader.stop();
    }
  });

  test('shows within seconds what no broadcast has announced', async () => {
    const reader = await follow(customer);
    await database.query(`UPDATE projects SET seq = 1 WHERE id = $1`, [id]);
    await database.query(
      `INSERT INTO thread_entries (project_id, seq, change, kind, message_id, side, name, at, text, entries_for_customer, entries_for_staff)
       VALUES ($1, 1, 1, 'message', gen_random_uuid(), 'staff', 'Eve', now(), 'Unheard', 1, 0)`,
      [id],
    );
    await withinSeconds(() => expect(textsOf(reader)).toEqual(['Unheard']));
  });
});

describe('a stream ends', () => {
  test('immediately when its session ends', async () => {
    const readers = [await follow(customer), await follow(customer.at(otherGateway()))];
    await eventually(() => expect(readers.map(({ events }) => events.length)).toEqual([1, 1]));
    expect((await customer.post('/auth/logout', undefined)).status).toBe(200);
    await promptly(() => expect(readers.map(({ isEnded }) => isEnded)).toEqual([true, true]));
    expect((await follow(customer)).status).toBe(401);
  });

  test('immediately when a member is removed from the team, and shows nothing that is written afterwards', async () => {
    const member = await site.customer();
    const memberId = await join(member);
    const reader = await follow(member.at(otherGateway()));
    await eventually(() => expect(reader.events).toHaveLength(1));
    expect((await customer.delete(`/team/members/${memberId}`)).status).toBe(200);
    await post('Among us');
    await promptly(() => expect(reader.isEnded).toBe(true));
    expect(reader.entries).toEqual([]);
    expect((await follow(member)).status).toBe(404);
  });

  fullTest('within seconds when a membership ends without a broadcast', async () => {
    const member = await site.customer();
    const memberId = await join(member);
    const reader = await follow(member);
    await eventually(() => expect(reader.events).toHaveLength(1));
    await database.query('DELETE FROM team_members WHERE account_id = $1', [memberId]);
    await withinSeconds(() => expect(reader.isEnded).toBe(true));
  });

  fullTest('immediately when an admin is removed', async () => {
    const { session, adminUserId } = await site.secondAdmin(`second-${randomUUID()}@example.com`);
    const reader = await eventually(async () => {
      const opened = await follow(session.at(otherGateway()), asStaff());
      expect(opened.status).toBe(200);
      return opened;
    });
    expect((await admin.delete(`/users/${adminUserId}`)).status).toBe(200);
    await promptly(() => expect(reader.isEnded).toBe(true));
    expect((await follow(session, asStaff())).status).toBe(403);
  });

  test('when its gateway stops, which does not wait for the reader to leave', async () => {
    const third = await site.startGateway();
    const reader = await follow(customer.at(third.url));
    await eventually(() => expect(reader.events).toHaveLength(1));
    const stopped = third.close();
    await promptly(() => expect(reader.isEnded).toBe(true));
    await stopped;
  });

  fullTest('before it has begun, with 503, if its gateway stops', async () => {
    const third = await site.startGateway();
    // Until the rollback, the projects service cannot read the thread.
    await database.query('BEGIN; LOCK TABLE projects');
    const opening = follow(customer.at(third.url));
    let stopped: Promise<void>;
    try {
      await eventually(async () => {
        const { rowCount } = await database.query(
          `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
           WHERE NOT granted AND datname = current_database()`,
        );
        expect(rowCount).toBeGreaterThan(0);
      });
      stopped = third.close();
      await eventually(() => expect(fetch(third.url)).rejects.toThrow());
    } finally {
      await database.query('ROLLBACK');
    }
    expect((await opening).status).toBe(503);
    await stopped;
  });
});

test('opening a stream requires access to the project and a valid position, and HEAD is answered without opening a stream', async () => {
  const outsider = await site.customer();
  expect((await follow(outsider)).status).toBe(404);
  expect((await follow(customer, { path: `/project/${randomUUID()}/updates` })).status).toBe(404);
  expect((await follow(customer, asStaff())).status).toBe(403);
  expect((await site.visitor.get(`/project/${id}/updates`)).status).toBe(401);
  expect((await follow(customer, { path: `/project/${id}/updates?after=x` })).status).toBe(400);
  const head = await customer.send('HEAD', `/project/${id}/updates`);
  expect([head.status, head.text]).toEqual([200, '']);
});

test('one account has at most six streams at a gateway, and each stream that ends makes room', async () => {
  const readers: EventReader[] = [];
  for (let n = 1; n <= 6; n += 1) readers.push(await follow(customer));
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const refused = await customer.get(`/project/${id}/updates`);
  expect([refused.status, refused.json]).toMatchObject([503, { code: 'OVERLOADED' }]);
  expect(refused.headers.get('retry-after')).toBe('10');
  readers[0]!.stop();
  await eventually(async () => expect((await follow(customer)).status).toBe(200));
});

test('a stream is counted as open, and not as a slow request', async () => {
  const metric = async (name: string, label = '') => {
    const text = await (await fetch(`http://127.0.0.1:${site.gateways[0]!.healthPort}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && one.includes(label));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const openStreams = () => metric('http_event_streams');
  const requests = () => metric('http_request_seconds_count', 'route="GET /project/:id/updates"');
  await eventually(async () => expect(await openStreams()).toBe(0));
  const before = await requests();
  const reader = await follow(customer);
  expect(await openStreams()).toBe(1);
  reader.stop();
  await eventually(async () => expect(await openStreams()).toBe(0));
  // A refused stream is counted like any other request.
  await customer.get(`/project/${randomUUID()}/updates`);
  await eventually(async () => expect(await requests()).toBe(before + 1));
});

fullTest(
  'a service that is killed loses no acknowledged message and adds none twice, and open streams miss nothing',
  async () => {
    const reader = await follow(customer.at(otherGateway()));
    const texts = Array.from({ length: 40 }, (_, n) => `Message ${n + 1}`);
    let acknowledged = 0;
    const send = async (some: string[]) => {
      for (const text of some) {
        const headers = { 'Idempotency-Key': randomUUID() };
        await eventually(async () => {
          const sent = await customer.post(`/project/${id}/messages`, { text }, { headers });
          expect([sent.status, text]).toEqual([200, text]);
        });
        acknowledged += 1;
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map((n) => send(texts.filter((_, index) => index % 4 === n))));
    for (const enough of [6, 18, 30]) {
      await eventually(() => expect(acknowledged).toBeGreaterThanOrEqual(enough));
      await site.projects.at(-1)!.kill();
      await site.startProjects();
    }
    await writing;
    const stored = (await customer.get<Thread>(`/project/${id}/thread?limit=100`)).json.entries;
    expect(stored.map(({ text }) => text).sort()).toEqual(texts.toSorted());
    await eventually(() =>
      expect(reader.entries.map(({ seq }) => seq)).toEqual(stored.map(({ seq }) => seq)),
    );
  },
);
