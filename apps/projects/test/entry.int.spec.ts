import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { transaction } from '#libs/database';
import { actors } from '#libs/testing';
import { ProjectAccess } from '../access/project-access.js';
import { EntryRepository, type NewEntry } from '../entry/entry.repository.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const at = new Date('2026-11-21T10:00:00Z');
const customer = { side: 'customer', accountId: actors.customer.accountId, name: 'Ada' } as const;
const staff = { side: 'staff', accountId: actors.admin.accountId, name: 'Eve' } as const;
const site = { side: 'system', accountId: null, name: 'The site' } as const;

/** The two replicas take turns. */
let turn = 0;
function fromReplica<T>(type: new (...args: never[]) => T): T {
  return projects.replicas[turn++ % 2]!.app.get(type, { strict: false });
}

function append(projectId: string, entry: NewEntry): Promise<number> {
  const app = projects.replicas[turn++ % 2]!.app;
  return transaction(app.get(DataSource), async (tx) => {
    const project = await app.get(ProjectRepository, { strict: false }).lock(tx, projectId);
    return app.get(EntryRepository, { strict: false }).append(tx, project!, entry);
  });
}

const message = (by: typeof customer | typeof staff | typeof site): NewEntry => ({
  ...{ kind: 'message', messageId: randomUUID(), by, at, text: 'Hello' },
});
const note = (): NewEntry => ({ kind: 'note', noteId: randomUUID(), by: staff, at, text: 'Careful' });

describe('entries of a project', () => {
  test('that are added at the same time are numbered without gaps; notes are in another table', async () => {
    const id = await projects.put();
    const entries = Array.from({ length: 20 }, (_, n) => (n % 4 === 0 ? note() : message(customer)));
    const numbers = await Promise.all(entries.map((entry) => append(id, entry)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    const rows = async (table: string) =>
      (await projects.sql.query<{ kind: string }>(`SELECT kind FROM ${table} WHERE project_id = $1`, [id]))
        .rows;
    expect(await rows('thread_entries')).toEqual(Array.from({ length: 15 }, () => ({ kind: 'message' })));
    expect(await rows('staff_entries')).toEqual(Array.from({ length: 5 }, () => ({ kind: 'note' })));
  });

  test('are unread for the other side until they are marked as read; notes and the opening of the project are never unread', async () => {
    const id = await projects.put();
    const entries: NewEntry[] = [
      { kind: 'event', what: 'opened', state: 'in_progress', by: site, at, text: 'The project began.' },
      // Unread for the customer only.
      message(site),
      ...[message(customer), note(), message(customer), message(staff)],
      { kind: 'event', what: 'delivered', state: 'delivered', by: staff, at, text: 'Eve handed over work.' },
    ];
    for (const entry of entries) await append(id, entry);
    const unread = async (reader: typeof customer | typeof staff) =>
      (await fromReplica(ReaderRepository).countUnread(reader, [id])).get(id);
    expect([await unread(customer), await unread(staff)]).toEqual([3, 2]);

    const mark = (reader: typeof customer | typeof staff, seq: number) =>
      transaction(fromReplica(DataSource), (tx) =>
        fromReplica(ReaderRepository).markRead(tx, id, reader, seq),
      );
    // Entry 4 is the note between the customer’s two messages.
    expect(await mark(staff, 4)).toEqual({ readSeq: 4, unread: 1 });
    expect([await unread(customer), await unread(staff)]).toEqual([3, 1]);
    expect(await mark(customer, 6)).toEqual({ readSeq: 6, unread: 1 });
    expect(await mark(customer, 2)).toEqual({ readSeq: 6, unread: 1 });
    expect(await mark(staff, 1_000)).toEqual({ readSeq: 7, unread: 0 });
    expect([await unread(customer), await unread(staff)]).toEqual([1, 0]);
  });
});

describe('access to a project', () => {
  const owner = customerNamed('owner');
  const [member, billing, outsider] = ['member', 'billing', 'outsider'].map(customerNamed);

  test('is for its customer, colleagues with the role `member`, and staff; nobody else can find out whether the project exists', async () => {
    const id = await projects.put({ accountId: owner.accountId });
    await projects.join(owner.accountId, member!);
    await projects.join(owner.accountId, billing!, 'billing');
    const access = fromReplica(ProjectAccess);
    expect((await access.forCustomer(owner, id)).role).toBe('owner');
    expect((await access.forCustomer(member!, id)).role).toBe('member');
    for (const other of [billing!, outsider!, adminNamed('eve')]) {
      for (const anyId of [id, randomUUID(), 'x'])
        await expect(access.forCustomer(other, anyId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await access.ownerIdsFor(member!)).toEqual([member!.accountId, owner.accountId]);
    expect(await access.ownerIdsFor(billing!)).toEqual([billing!.accountId]);

    expect((await access.forStaff(adminNamed('eve'), id)).project.id).toBe(id);
    await expect(access.forStaff(adminNamed('eve'), randomUUID())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    for (const anyId of [id, randomUUID()])
      await expect(access.forStaff(owner, anyId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
