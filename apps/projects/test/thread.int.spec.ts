import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import {
  type Actor,
  broadcasts,
  type CallInput,
  system,
  threadContract,
  type ThreadEntry,
  type ThreadMessage,
} from '#libs/contracts';
import { transaction } from '#libs/database';
import { eventually } from '#libs/testing';
import { Broadcaster } from '#libs/transport';
import { EntryRepository } from '../entry/entry.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const owner = customerNamed('owner');
const member = customerNamed('grace.hopper');
const eve = adminNamed('eve.adams');
const mallory = adminNamed('mallory');

const anyTime = expect.any(String) as unknown;

type Post = Omit<CallInput<typeof threadContract.postMessage>, 'id'>;
const post = (id: string, message: Post, actor: Actor = owner) =>
  projects.client.call(threadContract.postMessage, { id, ...message }, { actor });
const answer = (id: string, message: Post, actor: Actor = eve) =>
  projects.client.call(threadContract.postStaffMessage, { id, ...message }, { actor });
const note = (id: string, text: string, actor: Actor = eve) =>
  projects.client.call(threadContract.postNote, { id, text }, { actor });
const read = (
  id: string,
  part: Omit<CallInput<typeof threadContract.getThread>, 'id'> = {},
  actor: Actor = owner,
) => projects.client.call(threadContract.getThread, { id, ...part }, { actor });
const readAsStaff = (id: string, part: Omit<CallInput<typeof threadContract.getThread>, 'id'> = {}) =>
  projects.client.call(threadContract.getStaffThread, { id, ...part }, { actor: eve });

/** As if everything in the project had been written this many minutes earlier. */
async function age(id: string, minutes: number): Promise<void> {
  for (const table of ['thread_entries', 'staff_entries'])
    await projects.sql.query(
      `UPDATE ${table} SET at = at - make_interval(mins => $2) WHERE project_id = $1`,
      [id, minutes],
    );
}

/** A file whose upload is complete. */
async function upload(projectId: string, { accountId }: { accountId: string }, side: 'customer' | 'staff') {
  const id = randomUUID();
  await projects.sql.query(
    `INSERT INTO project_files (id, project_id, side, account_id, uploader_name, name, bytes, type, state, expires_at, created_at)
     VALUES ($1, $2, $3, $4, 'Somebody', 'plan.pdf', 3, 'application/pdf', 'ready', now() + interval '1 day', now())`,
    [id, projectId, side, accountId],
  );
  return id;
}

const texts = (entries: readonly { text: string }[]) => entries.map(({ text }) => text);

describe('a thread', () => {
  test('shows the messages of both sides with their authors’ names, in order, to the customer, to colleagues and to staff', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    await projects.join(owner.accountId, member);
    const question = await post(id, { text: 'When do you **begin**?' });
    await post(id, { text: 'I wonder, too.' }, member);
    await answer(id, { text: 'Tomorrow.', quote: question._id });
    expect(question).toMatchObject({
      ...{ kind: 'message', seq: 1, text: 'When do you **begin**?', files: [], quote: null, folded: null },
      ...{ byMail: false, editedAt: null, deletedAt: null },
      by: { side: 'customer', accountId: owner.accountId, name: 'Ada Lovelace' },
    });
    for (const part of [await read(id), await read(id, {}, member), await readAsStaff(id)]) {
      expect(part.entries.map(({ seq, by: { side, name } }) => [seq, side, name])).toEqual([
        [1, 'customer', 'Ada Lovelace'],
        [2, 'customer', 'A colleague'],
        [3, 'staff', 'Eve Adams'],
      ]);
      expect(part.entries[2]).toMatchObject({
        quote: { _id: question._id, name: 'Ada Lovelace', text: 'When do you **begin**?' },
      });
      expect(part).toMatchObject({
        hasEarlier: false,
        hasLater: false,
        change: 3,
        readSeq: 0,
        othersReadSeq: 0,
      });
    }
  });

  test('refuses empty messages, quotes from other projects, and files that are not the author’s or were sent before', async () => {
    const [id, otherId] = [await projects.put({ accountId: owner.accountId }), await projects.put({})];
    const elsewhere = await answer(otherId, { text: 'Elsewhere' });
    const file = await upload(id, owner, 'customer');
    const theirs = await upload(id, eve, 'staff');
    const refused = { code: 'INVALID_INPUT' };
    await expect(post(id, {})).rejects.toMatchObject(refused);
    await expect(post(id, { text: 'a', quote: elsewhere._id })).rejects.toMatchObject(refused);
    await expect(post(id, { text: 'a', files: [theirs] })).rejects.toMatchObject(refused);
    await expect(post(id, { text: 'a', files: [randomUUID()] })).rejects.toMatchObject(refused);
    const sent = await post(id, { files: [file] });
    expect(sent).toMatchObject({ text: '', files: [{ _id: file, name: 'plan.pdf' }] });
    await expect(post(id, { text: 'again', files: [file] })).rejects.toMatchObject(refused);
    expect((await read(id)).entries).toEqual([sent]);
  });

  test('gets one message from a repeated request', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const again = { actor: owner, requestId: randomUUID() };
    const message = { id, text: 'Once' };
    const [one, two] = await Promise.all([
      projects.client.call(threadContract.postMessage, message, again),
      projects.client.call(threadContract.postMessage, message, again),
    ]);
    expect(two).toEqual(one);
    expect((await read(id)).entries).toEqual([one]);
  });

  test('can be read in parts, backwards from the end or forwards by changes, without a gap or a repetition', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    for (let n = 1; n <= 25; n += 1)
      await (n % 5 === 0 ? note(id, `Note ${n}`) : post(id, { text: `Message ${n}` }));
    const backwards: ThreadEntry[] = [];
    for (let before: number | undefined; ;) {
      const part = await read(id, { limit: 7, ...(before !== undefined && { before }) });
      expect(part.hasLater).toBe(before !== undefined);
      backwards.unshift(...part.entries);
      if (!part.hasEarlier) break;
      before = part.entries[0]!.seq;
    }
    const forwards: ThreadEntry[] = [];
    for (let after = 0; ;) {
      const part = await read(id, { limit: 7, after });
      forwards.push(...part.entries);
      after = part.change;
      if (!part.hasLater) break;
    }
    const expected = Array.from({ length: 25 }, (_, n) => n + 1)
      .filter((n) => n % 5 !== 0)
      .map((n) => `Message ${n}`);
    expect(texts(backwards)).toEqual(expected);
    expect(texts(forwards)).toEqual(expected);
    const staff = [];
    for (let after = 0; ;) {
      const part = await readAsStaff(id, { limit: 4, after });
      staff.push(...part.entries);
      after = part.change;
      if (!part.hasLater) break;
    }
    expect(staff.map(({ seq }) => seq)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
  });
});

describe('a thread of 1,000 messages and 1,000 notes', () => {
  test('is read from the newest entry to the oldest, and the entries of each part come from an index', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const others = [await projects.put({}), await projects.put({})];
    for (const projectId of [id, ...others])
      for (const statement of [
        `INSERT INTO thread_entries (project_id, seq, change, kind, message_id, side, account_id, name, at, text, entries_for_customer,
           entries_for_staff)
         SELECT $1, n * 2, n * 2, 'message', gen_random_uuid(), 'customer', gen_random_uuid(), 'Ada', now(), 'Message ' || n, 0, n
         FROM generate_series(1, 1000) AS n`,
        `INSERT INTO staff_entries (project_id, seq, change, kind, note_id, name, at, text)
         SELECT $1, n * 2 - 1, n * 2 - 1, 'note', gen_random_uuid(), 'Eve', now(), 'Note ' || n FROM generate_series(1, 1000) AS n`,
        `UPDATE projects SET seq = 2000 WHERE id = $1`,
      ])
        await projects.sql.query(statement, [projectId]);
    await projects.sql.query('ANALYZE thread_entries, staff_entries');
    for (const [side, get, entries] of [
      ['customer', read, 1_000],
      ['staff', readAsStaff, 2_000],
    ] as const) {
      let seen = 0;
      const rowsRead: number[] = [];
      for (let before: number | undefined; ;) {
        const statements = await statementsOf(/FROM\s+thread_entries e\b/, async () => {
          const part = await get(id, { limit: 50, ...(before !== undefined && { before }) });
          seen += part.entries.length;
          before = part.hasEarlier ? part.entries[0]!.seq : undefined;
        });
        expect(statements).toHaveLength(1);
        rowsRead.push(await rowsReadBy(statements[0]!));
        if (before === undefined) break;
      }
      expect([side, seen, rowsRead.length]).toEqual([side, entries, entries / 50]);
      // A part needs at most 51 entries of each table, and the reader's position a few more. Postgres may read some of them twice, but never the
      // whole thread.
      expect(Math.max(...rowsRead)).toBeLessThanOrEqual(200);
    }
  });

  interface Statement {
    text: string;
    values: unknown[];
  }

  /** The statements that this process sends to Postgres during `work`, if their text matches. */
  async function statementsOf(pattern: RegExp, work: () => Promise<void>): Promise<Statement[]> {
    const client = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
    const { query } = client;
    const statements: Statement[] = [];
    client.query = function (this: unknown, ...args: unknown[]) {
      const [text, values] = args;
      if (typeof text === 'string' && pattern.test(text))
        statements.push({ text, values: values as unknown[] });
      return query.apply(this, args);
    };
    try {
      await work();
    } finally {
      client.query = query;
    }
    return statements;
  }

  /** The number of rows that the statement reads of `thread_entries` and `staff_entries`. Fails if it scans one of them sequentially. */
  async function rowsReadBy({ text, values }: Statement): Promise<number> {
    const { rows } = await projects.sql.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const nodes: Plan[] = [rows[0]!['QUERY PLAN'][0].Plan];
    let count = 0;
    for (let node = nodes.pop(); node; node = nodes.pop()) {
      nodes.push(...(node.Plans ?? []));
      const isOfEntries = /_entries$/.test(node['Relation Name'] ?? '');
      if (!isOfEntries) continue;
      expect(node['Node Type']).not.toBe('Seq Scan');
      count += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    }
    return count;
  }

  interface Plan {
    'Node Type': string;
    'Relation Name'?: string;
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    Plans?: Plan[];
  }
});

describe('what was written', () => {
  test('can be changed by its author for 15 minutes; once changed, it is returned again by requests with `after`', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const [first, second] = [await post(id, { text: 'Frist' }), await post(id, { text: 'Second' })];
    const edit = (message: string, text: string, actor: Actor = owner) =>
      projects.client.call(threadContract.editMessage, { id, message, text }, { actor });
    const edited = await edit(first._id, 'First');
    expect(edited).toMatchObject({ seq: 1, text: 'First', editedAt: anyTime });
    const changed = await read(id, { after: 2 });
    expect(changed).toMatchObject({ entries: [edited], change: 3, hasLater: false });
    expect(texts((await read(id)).entries)).toEqual(['First', 'Second']);
    for (const part of [await read(id, { before: 3 }), await readAsStaff(id, { before: 3 })])
      expect(part).toMatchObject({ entries: [{ seq: 1 }, { seq: 2 }], hasLater: false });
    // The same text is no change.
    await edit(first._id, 'First');
    expect((await read(id)).change).toBe(3);

    for (const [message, actor] of [
      [second._id, member],
      [randomUUID(), owner],
      ['x', owner],
    ] as const)
      await expect(edit(message, 'Mine', actor)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const asStaff = { id, message: second._id, text: 'Mine' };
    await expect(
      projects.client.call(threadContract.editStaffMessage, asStaff, { actor: eve }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await age(id, 16);
    await expect(edit(second._id, 'Late')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test('can be deleted by its author: text, files and quotes are gone, and an entry marked as deleted remains', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const file = await upload(id, owner, 'customer');
    const message = await post(id, { text: 'Secret', files: [file] });
    await answer(id, { text: 'I see', quote: message._id });
    await age(id, 60);
    const remove = () =>
      projects.client.call(
        threadContract.deleteThreadMessage,
        { id, message: message._id },
        { actor: owner },
      );
    const removed = await remove();
    expect(removed).toMatchObject({ seq: 1, text: '', files: [], deletedAt: anyTime });
    expect(await remove()).toEqual(removed);
    const { entries, change } = await read(id, { after: 2 });
    expect([entries, change]).toEqual([[removed], 3]);
    expect((await read(id)).entries[1]).toMatchObject({ quote: { _id: message._id, text: '' } });
    expect(JSON.stringify([await read(id), await readAsStaff(id)])).not.toContain('Secret');
    await expect(
      projects.client.call(
        threadContract.editMessage,
        { id, message: message._id, text: 'Back' },
        { actor: owner },
      ),
    ).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    const kept = await post(id, { text: 'Mine' });
    await expect(
      projects.client.call(threadContract.deleteThreadMessage, { id, message: kept._id }, { actor: member }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('in a note can be changed and deleted by its author only', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const written = await note(id, 'Careful');
    const change = (text: string, actor: Actor) =>
      projects.client.call(threadContract.editNote, { id, note: written._id, text }, { actor });
    expect(await change('Very careful', eve)).toMatchObject({ kind: 'note', seq: 1, text: 'Very careful' });
    await expect(change('Mine', mallory)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const remove = (actor: Actor) =>
      projects.client.call(threadContract.deleteNote, { id, note: written._id }, { actor });
    await expect(remove(mallory)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await remove(eve)).toMatchObject({ text: '', deletedAt: anyTime });
    expect((await readAsStaff(id, { after: 2 })).entries).toHaveLength(1);
  });

  test('by staff is in the audit log, once for each change; saving the same text or deleting again is not a change', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const { editStaffMessage, deleteStaffMessage, editNote, deleteNote } = threadContract;
    const { _id: message } = await answer(id, { text: 'Frist' });
    const { _id: noted } = await note(id, 'Carefull');
    const text = 'Corrected';
    for (let round = 0; round < 2; round += 1) {
      await projects.client.call(editStaffMessage, { id, message, text }, { actor: eve });
      await projects.client.call(editNote, { id, note: noted, text }, { actor: eve });
    }
    for (let round = 0; round < 2; round += 1) {
      await projects.client.call(deleteStaffMessage, { id, message }, { actor: eve });
      await projects.client.call(deleteNote, { id, note: noted }, { actor: eve });
    }
    const { rows } = await projects.sql.query<{ after: object }>(
      'SELECT after FROM audit_entries WHERE record_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.map(({ after }) => after)).toEqual([
      ...[{ added: 'message' }, { added: 'note' }],
      ...[{ changed: 'message' }, { changed: 'note' }],
      ...[{ deleted: 'message' }, { deleted: 'note' }],
    ]);
  });
});

describe('read marks', () => {
  const mark = (id: string, seq: number) =>
    projects.client.call(threadContract.markRead, { id, seq }, { actor: owner });
  const markAsStaff = (id: string, seq: number) =>
    projects.client.call(threadContract.markStaffRead, { id, seq }, { actor: eve });

  test('come with the number of unread messages from the other side, never move back, and show how far the others have read', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const messages: ThreadMessage[] = [];
    for (const text of ['One', 'Two', 'Three']) messages.push(await answer(id, { text }));
    expect(await mark(id, 1)).toEqual({ readSeq: 1, unread: 2 });
    expect(await mark(id, 3)).toEqual({ readSeq: 3, unread: 0 });
    expect(await mark(id, 2)).toEqual({ readSeq: 3, unread: 0 });
    expect(await readAsStaff(id)).toMatchObject({ readSeq: 0, othersReadSeq: 3 });
    await post(id, { text: 'Thanks' });
    expect(await markAsStaff(id, 3)).toEqual({ readSeq: 3, unread: 1 });
    expect(await read(id)).toMatchObject({ readSeq: 3, othersReadSeq: 3 });
  });

  test('reveal nothing about notes to the customer', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    await answer(id, { text: 'Hello' });
    const before = await read(id);
    for (const text of ['a', 'b', 'c']) await note(id, text);
    await markAsStaff(id, 4);
    expect(await read(id)).toEqual({ ...before, othersReadSeq: 1 });
    expect(await mark(id, 1_000_000)).toEqual({ readSeq: 1, unread: 0 });
  });
});

describe('open streams', () => {
  const positions = (readers: CallInput<typeof threadContract.getThreadPositions>['readers']) =>
    projects.client.call(threadContract.getThreadPositions, { readers }, { actor: system });

  test('get the position of each thread, and null for readers who may not read it', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    const [billing, outsider] = [customerNamed('billing'), customerNamed('outsider')];
    await projects.join(owner.accountId, billing, 'billing');
    await post(id, { text: 'One' });
    await note(id, 'Two');
    const as = ({ accountId }: { accountId: string }, asStaff = false, projectId = id) => ({
      ...{ projectId, accountId, asStaff },
    });
    const others = [
      as(billing),
      as(outsider),
      as(eve),
      as(owner, false, randomUUID()),
      as(owner, false, 'x'),
    ];
    const seen = { change: 1, readSeq: 0, othersReadSeq: 0 };
    expect(await positions([as(eve, true), as(owner), ...others, as(member)])).toEqual([
      { ...seen, change: 2 },
      seen,
      ...others.map(() => null),
      seen,
    ]);
  });

  test('receive a hint about each change after it was committed, and none if it is not', async () => {
    const heard: Record<string, unknown>[] = [];
    const broadcaster = new Broadcaster({ redisUrl: projects.redisUrl, name: 'test' });
    await broadcaster.connect();
    await broadcaster.subscribe(broadcasts.projectChanged, (hint) => heard.push(hint));
    const id = await projects.put({ accountId: owner.accountId });
    const app = projects.replicas[0]!.app;
    const makeChange = (meanwhile: () => Promise<void>) =>
      transaction(app.get(DataSource), async (tx) => {
        const project = (await app.get(ProjectRepository, { strict: false }).lock(tx, id))!;
        await app.get(EntryRepository, { strict: false }).takeNumber(tx, project);
        await meanwhile();
      });
    const failing = makeChange(() => Promise.reject(new Error('rolled back')));
    await expect(failing).rejects.toThrow('rolled back');
    // The hint about another project, which is sent before this change is committed, is heard first.
    const otherId = await projects.put({ accountId: owner.accountId });
    await makeChange(async () => {
      await post(otherId, { text: 'Hello' });
      await eventually(() => expect(heard).toEqual([{ projectId: otherId }]));
    });
    await eventually(() => expect(heard).toEqual([{ projectId: otherId }, { projectId: id }]));
    await broadcaster.close();
  });
});
