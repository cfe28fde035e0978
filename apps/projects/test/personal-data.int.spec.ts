import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  accountDeleted,
  briefContract,
  projectContract,
  reportContract,
  teamContract,
} from '#libs/contracts';
import { transaction } from '#libs/database';
import { eventually } from '#libs/testing';
import { EventPublisher } from '#libs/transport';
import { DeletedAccountService } from '../deleted-account/deleted-account.service.js';
import { EntryRepository, type NewEntry } from '../entry/entry.repository.js';
import { nameFromEmail } from '../person/person-name.js';
import { PersonRepository } from '../person/person.repository.js';
import { ProjectAssigneeRepository } from '../project/project-assignee.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { StaffService } from '../staff/staff.service.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

let projects: ProjectsUnderTest;
let publisher: EventPublisher;
beforeAll(async () => {
  projects = await startProjects();
  publisher = new EventPublisher({ redisUrl: projects.redisUrl, name: 'test' });
  await publisher.connect();
});
afterAll(async () => {
  await publisher?.close();
  await projects?.stop();
});

const at = new Date('2026-11-21T10:00:00Z');

async function append(projectId: string, entry: NewEntry): Promise<void> {
  const { app } = projects.replicas[0]!;
  await transaction(app.get(DataSource), async (tx) => {
    const project = await app.get(ProjectRepository, { strict: false }).lock(tx, projectId);
    await app.get(EntryRepository, { strict: false }).append(tx, project!, entry);
  });
}

const createPeople = () => {
  const tag = randomUUID().slice(0, 8);
  return {
    owner: customerNamed(`owner-${tag}`),
    member: customerNamed(`member-${tag}`),
    staff: adminNamed(`staff-${tag}`),
  };
};
type People = ReturnType<typeof createPeople>;

const messageBy = (side: 'customer' | 'staff', accountId: string, name: string, text: string): NewEntry => ({
  ...{ kind: 'message', messageId: randomUUID(), by: { side, accountId, name }, at, text },
});

/** A project in which these three people have written. It has files, a deliverable and ticked steps. */
async function putProjectWithWork({ owner, member, staff }: People): Promise<string> {
  const id = await projects.put({ accountId: owner.accountId, assignees: [staff.accountId] });
  await projects.join(owner.accountId, member);
  await append(id, messageBy('customer', owner.accountId, 'Ada Lovelace', 'Our site is slow'));
  await append(id, messageBy('customer', member.accountId, 'Ben Byron', 'Especially on phones'));
  await append(id, messageBy('staff', staff.accountId, 'Eve Staff', 'We will look at it'));
  await append(id, {
    ...{ kind: 'note', noteId: randomUUID(), at, text: 'A secret about them' },
    by: { side: 'staff', accountId: staff.accountId, name: 'Eve Staff' },
  });
  await append(id, {
    ...{ kind: 'event', what: 'accepted', state: 'accepted', at, text: 'Ada Lovelace accepted the work.' },
    by: { side: 'customer', accountId: owner.accountId, name: 'Ada Lovelace' },
  });
  await projects.sql.query(
    `INSERT INTO project_files (id, project_id, side, account_id, uploader_name, name, bytes, state, attached_to, attached_id, created_at)
     VALUES (gen_random_uuid(), $1, 'customer', $2, 'Ada Lovelace', 'logo.png', 10, 'ready', 'message', gen_random_uuid(), now()),
       (gen_random_uuid(), $1, 'customer', $2, 'Ada Lovelace', 'virus.png', 10, 'infected', 'message', gen_random_uuid(), now()),
       (gen_random_uuid(), $1, 'staff', $3, 'Eve Staff', 'secret.png', 10, 'ready', 'note', gen_random_uuid(), now())`,
    [id, owner.accountId, staff.accountId],
  );
  await projects.sql.query(`UPDATE project_files SET hidden = true WHERE name = 'secret.png'`);
  await projects.sql.query(
    `INSERT INTO deliverables (id, project_id, number, text, links, state, delivered_at, delivered_by, delivered_by_account,
       decided_at, decided_by, decided_by_account)
     VALUES (gen_random_uuid(), $1, 1, 'The audit', '{}', 'accepted', now(), 'Eve Staff', $2, now(), 'Ada Lovelace', $3)`,
    [id, staff.accountId, owner.accountId],
  );
  const step = (n: number, done: object | null) => ({ id: randomUUID(), text: `Step ${n}`, done });
  const ticked = { by: 'Eve Staff', accountId: staff.accountId, at: at.toISOString() };
  await projects.sql.query('UPDATE projects SET checklist = $2, removed_steps = $3 WHERE id = $1', [
    id,
    ...[[step(1, ticked), step(2, null)], [step(3, ticked)]].map((steps) => JSON.stringify(steps)),
  ]);
  return id;
}

const deleteAccount = ({ accountId, email }: { accountId: string; email: string }) =>
  publisher.publish([
    { id: randomUUID(), event: accountDeleted.event, payload: { accountId, email }, occurredAt: new Date() },
  ]);

/** The rows about a project that may name people, as text. */
async function stored(id: string): Promise<string> {
  const tables = [
    'thread_entries',
    'staff_entries',
    'project_files',
    'deliverables',
    'briefs',
    'readers',
    'project_assignees',
  ];
  const rows = await Promise.all(
    [
      `SELECT row_to_json(projects)::text AS row FROM projects WHERE id = $1`,
      ...tables.map((table) => `SELECT row_to_json(t)::text AS row FROM ${table} t WHERE project_id = $1`),
    ].map((statement) => projects.sql.query<{ row: string }>(statement, [id])),
  );
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n');
}

test('a copy of a person’s data contains their projects with everybody’s messages and the files that are not infected, but nothing that only staff can see', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  await projects.put({ accountId: customerNamed('other').accountId, title: 'Somebody else’s' });
  // What a long mail has beyond the message is in its collapsed part.
  await projects.sql.query(
    `UPDATE thread_entries SET folded = 'And in Norway' WHERE text = 'Especially on phones'`,
  );
  for (const person of [people.owner, people.member]) {
    const { projects: own } = await projects.client.call(
      projectContract.getOwnProjectData,
      {},
      { actor: person },
    );
    expect(own.map(({ _id }) => _id)).toEqual([id]);
    expect(own[0]!.messages.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Ada Lovelace: Our site is slow',
      'Ben Byron: Especially on phones\n\nAnd in Norway',
      'Eve Staff: We will look at it',
    ]);
    expect(own[0]!.files.map(({ name }) => name)).toEqual(['logo.png']);
    expect(JSON.stringify(own)).not.toMatch(/secret/i);
  }
  expect(
    (await projects.client.call(projectContract.getOwnProjectData, {}, { actor: customerNamed('new') }))
      .projects,
  ).toEqual([]);
});

test('the name of a deleted customer is removed from projects, and the work stays', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  await deleteAccount(people.owner);
  await eventually(async () => expect(await stored(id)).not.toMatch(/Ada|Lovelace/));
  const text = await stored(id);
  // `put` stores this address of the customer with every project.
  expect(text).not.toContain('ada@example.com');
  // Only the row of the project still has the id of its customer.
  expect(text.split(people.owner.accountId)).toHaveLength(2);
  for (const kept of [
    'Our site is slow',
    'A former customer accepted the work.',
    'The audit',
    'logo.png',
    'Ben Byron',
  ])
    expect(text).toContain(kept);
  // Their team is gone, and with it the access of their colleagues.
  await expect(
    projects.client.call(reportContract.listReportLinks, { id }, { actor: people.member }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the name of a deleted colleague or admin is removed from projects', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  await deleteAccount(people.member);
  await deleteAccount(people.staff);
  await eventually(async () => expect(await stored(id)).not.toMatch(/Ben|Byron|Eve/));
  const text = await stored(id);
  for (const { accountId } of [people.member, people.staff]) expect(text).not.toContain(accountId);
  for (const kept of [
    'Especially on phones',
    'We will look at it',
    'a former admin',
    'Ada Lovelace',
    'Step 2',
  ])
    expect(text).toContain(kept);
});

test('all names of a deleted admin are removed from assignments', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  const by = { side: 'staff', accountId: randomUUID(), name: 'Sam Smith' } as const;
  // In this order: made from the address in the assignment, made from the account's address, shown with the admin's messages, chosen by the admin.
  for (const name of ['Eve', nameFromEmail(people.staff.email), 'Eve Staff', 'The Hopper'])
    await append(id, { kind: 'staff_event', by, at, text: `Sam Smith assigned Ben Byron, ${name}.` });
  const { app } = projects.replicas[0]!;
  await app
    .get(PersonRepository, { strict: false })
    .setName(app.get(DataSource).manager, people.staff.accountId, 'The Hopper');
  await deleteAccount(people.staff);
  await eventually(async () => expect(await stored(id)).not.toContain(people.staff.accountId));
  const { rows } = await projects.sql.query<{ text: string }>(
    `SELECT text FROM staff_entries WHERE project_id = $1 AND kind = 'staff_event' ORDER BY seq`,
    [id],
  );
  expect(rows.map(({ text }) => text)).toEqual(
    Array.from({ length: 4 }, () => 'Sam Smith assigned Ben Byron, a former admin.'),
  );
});

test('the name of a deleted admin is also removed from an assignment by an admin who was deleted before', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  const assigner = adminNamed('sam');
  const by = { side: 'staff', accountId: assigner.accountId, name: 'Sam Smith' } as const;
  await append(id, { kind: 'staff_event', by, at, text: 'Sam Smith assigned Ben Byron, Eve Staff.' });
  await deleteAccount(assigner);
  await eventually(async () => expect(await stored(id)).not.toContain('Sam Smith'));
  await deleteAccount(people.staff);
  await eventually(async () => expect(await stored(id)).not.toMatch(/Eve/));
});

test('deleting a customer does not remove the name of an assigned admin, even if the customer’s address contains the same name', async () => {
  const { owner } = createPeople();
  const id = await projects.put({ accountId: owner.accountId });
  const by = { side: 'staff', accountId: randomUUID(), name: 'Sam Smith' } as const;
  const text = `Sam Smith assigned ${nameFromEmail(owner.email)}.`;
  await append(id, messageBy('customer', owner.accountId, 'Ada Lovelace', 'Our site is slow'));
  await append(id, { kind: 'staff_event', by, at, text });
  await deleteAccount(owner);
  await eventually(async () => expect(await stored(id)).not.toContain('Ada Lovelace'));
  expect(await stored(id)).toContain(text);
});

test('the name of a deleted colleague who only saved a draft of the brief is removed, even if the draft was being saved during the deletion', async () => {
  const { owner, member } = createPeople();
  const id = await projects.put({ accountId: owner.accountId, state: 'waiting_for_brief' });
  await projects.giveBrief(id);
  await projects.join(owner.accountId, member);
  const draft = await projects.client.call(briefContract.saveBrief, { id, answers: {} }, { actor: member });
  expect(draft.savedBy).toBe('A colleague');
  const expectNoName = async () => {
    const text = await stored(id);
    expect(text).not.toContain(member.accountId);
    expect(text).toContain('"saved_by":"a former customer"');
  };
  await deleteAccount(member);
  await eventually(expectNoName);
  await projects.sql.query(
    `UPDATE briefs SET saved_by = 'A colleague', saved_by_account = $2 WHERE project_id = $1`,
    [id, member.accountId],
  );
  await projects.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
  await expectNoName();
});

test('the next sweep removes a deleted customer’s name from a message that was being sent during the deletion', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  await deleteAccount(people.owner);
  await eventually(async () => expect(await stored(id)).not.toContain('Ada'));
  await append(id, messageBy('customer', people.owner.accountId, 'Ada Lovelace', 'One more thing'));
  await projects.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
  const text = await stored(id);
  expect(text).not.toContain('Ada');
  expect(text).toContain('One more thing');
});

test('the next sweep revokes a report link and removes an invitation that a customer made during the deletion of their account', async () => {
  const { owner } = createPeople();
  const id = await projects.put({ accountId: owner.accountId });
  await deleteAccount(owner);
  await eventually(async () => expect(await stored(id)).toContain('a former customer'));
  const asOwner = { actor: owner };
  const sweep = () => projects.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
  await projects.client.call(reportContract.createReportLink, { id, label: '', days: 7 }, asOwner);
  await sweep();
  expect(await projects.client.call(reportContract.listReportLinks, { id }, asOwner)).toEqual([]);
  const invitation = { email: 'grace@example.com', name: 'Grace', role: 'member' } as const;
  await projects.client.call(teamContract.createTeamInvitation, invitation, asOwner);
  await sweep();
  const { rowCount } = await projects.sql.query('SELECT FROM team_invitations WHERE owner_id = $1', [
    owner.accountId,
  ]);
  expect(rowCount).toBe(0);
});

test('the next sweep removes a deleted admin’s name and address from an assignment that was being made during the deletion', async () => {
  const people = createPeople();
  const id = await putProjectWithWork(people);
  await deleteAccount(people.staff);
  await eventually(async () => expect(await stored(id)).not.toContain('Eve'));
  // If an admin has not chosen a name, an assignment calls them by the name in their address.
  await projects.sql.query(
    'INSERT INTO project_assignees (project_id, account_id, email) VALUES ($1, $2, $3)',
    [id, people.staff.accountId, 'grace.hopper@staff.example.com'],
  );
  const by = { side: 'staff', accountId: randomUUID(), name: 'Sam Smith' } as const;
  await append(id, { kind: 'staff_event', by, at, text: 'Sam Smith assigned Ben Byron, Grace Hopper.' });
  const labels = 'Sam Smith changed the labels to blog, Grace Hopper.';
  await append(id, { kind: 'staff_event', by, at, text: labels });
  await projects.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
  const text = await stored(id);
  // A label is not the admin's name.
  expect(text).toContain(labels);
  expect(text.replace(labels, '')).not.toMatch(/grace|hopper/i);
  expect(text).not.toContain(people.staff.accountId);
  expect(text).toContain('Sam Smith assigned Ben Byron, a former admin.');
});

test('the name that an admin chose is also removed from an assignment that was being stored while their account was deleted', async () => {
  const { staff } = createPeople();
  const id = await projects.put();
  const { app } = projects.replicas[0]!;
  await app
    .get(PersonRepository, { strict: false })
    .setName(app.get(DataSource).manager, staff.accountId, 'The Hopper');
  await transaction(app.get(DataSource), async (tx) => {
    const project = await app.get(ProjectRepository, { strict: false }).lock(tx, id);
    const [name] = await app.get(StaffService, { strict: false }).namesToStore([staff], tx);
    expect(name).toBe('The Hopper');
    await deleteAccount(staff);
    // The deletion has either ended, or is blocked by a lock that this transaction holds.
    await eventually(async () => {
      const { rowCount } = await projects.sql.query(
        `SELECT FROM deleted_accounts WHERE account_id = $1
         UNION ALL SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        [staff.accountId],
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    await app.get(ProjectAssigneeRepository, { strict: false }).replace(tx, id, [staff]);
    const by = { side: 'staff', accountId: randomUUID(), name: 'Sam Smith' } as const;
    const text = `Sam Smith assigned ${name}.`;
    await app
      .get(EntryRepository, { strict: false })
      .append(tx, project!, { kind: 'staff_event', by, at, text });
  });
  await eventually(async () => {
    const { rowCount } = await projects.sql.query('SELECT FROM deleted_accounts WHERE account_id = $1', [
      staff.accountId,
    ]);
    expect(rowCount).toBe(1);
  });
  await app.get(DeletedAccountService, { strict: false }).sweep();
  const text = await stored(id);
  expect(text).not.toContain(staff.accountId);
  expect(text).toContain('Sam Smith assigned a former admin.');
});
