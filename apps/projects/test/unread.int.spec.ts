import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Actor, messagesUnread, system, teamContract, threadContract } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { UnreadMessageWorker } from '../thread/unread-message.worker.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects({ INBOUND_MAIL_ADDRESS: 'reply@mail.test' });
});
afterAll(() => projects?.stop());

const member = customerNamed('member');
const [eve, mallory] = [adminNamed('eve'), adminNamed('mallory')];

let owner: ReturnType<typeof customerNamed>;
let id: string;
beforeEach(async () => {
  owner = customerNamed('owner');
  id = await projects.put({ accountId: owner.accountId });
});

const post = (text: string, actor: Actor = owner) =>
  projects.client.call(threadContract.postMessage, { id, text }, { actor });
const answer = (text: string, actor: Actor = eve) =>
  projects.client.call(threadContract.postStaffMessage, { id, text }, { actor });
const read = (seq: number, actor: Actor = owner) =>
  projects.client.call(threadContract.markRead, { id, seq }, { actor });
const readAsStaff = (seq: number, actor: Actor = eve) =>
  projects.client.call(threadContract.markStaffRead, { id, seq }, { actor });

/** Acts as if this many minutes had passed. Both replicas look for unread messages, each twice, at the same time. */
async function pass(minutes: number): Promise<void> {
  for (const statement of [
    'UPDATE thread_entries SET at = at - make_interval(mins => $2) WHERE project_id = $1',
    'UPDATE unread_checks SET due_at = due_at - make_interval(mins => $2) WHERE project_id = $1',
  ])
    await projects.sql.query(statement, [id, minutes]);
  const workers = projects.replicas.map(({ app }) => app.get(UnreadMessageWorker, { strict: false }));
  await Promise.all([...workers, ...workers].map((worker) => worker.run()));
}

/** `accountId` is the reader’s; null for all admins. */
type Batch = { accountId: string | null; side: 'customer' | 'staff'; afterSeq: number; upToSeq: number };
type UnreadEvent = Batch & { event: string; projectId: string };

/** The batches of the project that were published. First causes and awaits an event about another project, so that no batch is still on its way. */
async function batches(): Promise<Batch[]> {
  const events = projects.events as unknown as UnreadEvent[];
  const original = id;
  id = await projects.put({ accountId: owner.accountId });
  await answer('The last event');
  await pass(6);
  await eventually(() => expect(events.some(({ projectId }) => projectId === id)).toBe(true));
  id = original;
  return events
    .filter(({ event, projectId }) => event === messagesUnread.event && projectId === original)
    .map(({ accountId, side, afterSeq, upToSeq }) => ({ accountId, side, afterSeq, upToSeq }));
}

const batch = (reader: Actor | null, afterSeq: number, upToSeq: number, side: Batch['side']): Batch => ({
  accountId: reader && 'accountId' in reader ? reader.accountId : null,
  ...{ side, afterSeq, upToSeq },
});

test('five minutes after the first of several unread messages, one event is published about all of them, whichever replica finds them', async () => {
  await answer('One');
  await pass(4);
  await answer('Two');
  await pass(2);
  await pass(6);
  await pass(60);
  expect(await batches()).toEqual([batch(owner, 0, 2, 'customer')]);
  await answer('Three');
  await pass(6);
  expect(await batches()).toEqual([batch(owner, 0, 2, 'customer'), batch(owner, 2, 3, 'customer')]);
});

test('nobody is mailed about what they have read, what their own side wrote, or what was deleted', async () => {
  await projects.join(owner.accountId, member);
  await answer('One');
  await read(1);
  const deleted = await answer('Two');
  await projects.client.call(threadContract.deleteStaffMessage, { id, message: deleted._id }, { actor: eve });
  await pass(6);
  // Only the colleague is mailed, about the first message. The customer is on the same side, so the colleague's message is not unread for them.
  await post('Three', member);
  await pass(6);
  const toCustomers = (await batches()).filter(({ side }) => side === 'customer');
  expect(toCustomers).toEqual([batch(member, 0, 1, 'customer')]);
});

test('a colleague who becomes a member is not mailed about what was written before', async () => {
  await projects.join(owner.accountId, member, 'billing');
  await answer('One');
  await pass(6);
  const newRole = { id: member.accountId, role: 'member' } as const;
  await projects.client.call(teamContract.changeTeamRole, newRole, { actor: owner });
  await answer('Two');
  await pass(6);
  const all = await batches();
  expect(all).toHaveLength(3);
  expect(all).toEqual(
    expect.arrayContaining([
      batch(owner, 0, 1, 'customer'),
      batch(owner, 1, 2, 'customer'),
      batch(member, 1, 2, 'customer'),
    ]),
  );
});

test('the five minutes begin with the first message that is still unread', async () => {
  await answer('Read in time');
  await pass(3);
  await read(1);
  await answer('Two');
  await pass(3);
  expect(await batches()).toEqual([]);
  await pass(3);
  expect(await batches()).toEqual([batch(owner, 1, 2, 'customer')]);
});

test('a note causes no event', async () => {
  await projects.client.call(threadContract.postNote, { id, text: 'Careful' }, { actor: eve });
  await pass(6);
  expect(await batches()).toEqual([]);
});

test('messages to staff are mailed to the assigned people or, if nobody is assigned and no admin has read them, to all admins', async () => {
  await post('One');
  await pass(6);
  await pass(6);
  expect(await batches()).toEqual([batch(null, 0, 1, 'staff')]);
  await post('Two');
  await readAsStaff(2, mallory);
  await pass(6);
  expect(await batches()).toHaveLength(1);
  for (const { accountId, email } of [eve, mallory])
    await projects.sql.query(
      'INSERT INTO project_assignees (project_id, account_id, email) VALUES ($1, $2, $3)',
      [id, accountId, email],
    );
  await post('Three');
  await readAsStaff(3, mallory);
  await pass(6);
  // All admins were mailed about the first message, so Eve’s batch begins after it. Mallory has read all three, and gets none.
  expect(await batches()).toEqual([batch(null, 0, 1, 'staff'), batch(eve, 1, 3, 'staff')]);
});

test('all admins are mailed about a message whose author has deleted their account since', async () => {
  await post('Goodbye');
  await projects.sql.query('UPDATE thread_entries SET account_id = NULL WHERE project_id = $1', [id]);
  await pass(6);
  expect(await batches()).toEqual([batch(null, 0, 1, 'staff')]);
});

test('the mail has the messages of the batch that are still unread, and a reply address of the reader’s own', async () => {
  const unread = (reader: { accountId: string }, side: Batch['side'], afterSeq: number, upToSeq: number) =>
    projects.client.call(
      threadContract.getUnreadForMail,
      { projectId: id, accountId: reader.accountId, side, afterSeq, upToSeq },
      { actor: system },
    );
  await answer('One');
  await answer('Two');
  await projects.client.call(threadContract.postNote, { id, text: 'A note' }, { actor: eve });
  await post('Mine');
  await answer('Later');
  await read(1);
  const mail = await unread(owner, 'customer', 0, 4);
  expect(mail).toMatchObject({
    project: { _id: id, title: 'SEO audit' },
    side: 'customer',
    messages: [{ name: 'Eve', text: 'Two', files: [] }],
    more: 0,
    authors: [eve.accountId],
    replyAddress: expect.stringMatching(/^reply\+[a-z2-7]{26}@mail\.test$/) as unknown as string,
  });
  expect((await unread(owner, 'customer', 0, 4))?.replyAddress).toBe(mail?.replyAddress);
  const forStaff = await unread(eve, 'staff', 0, 4);
  expect(forStaff?.messages).toEqual([expect.objectContaining({ name: 'Ada Lovelace', text: 'Mine' })]);
  expect(forStaff?.replyAddress).not.toBe(mail?.replyAddress);
  await read(5);
  expect(await unread(owner, 'customer', 0, 5)).toBeNull();
  // There is no mail for somebody who may not read the project.
  expect(await unread(customerNamed('outsider'), 'customer', 0, 5)).toBeNull();
  expect(await unread({ accountId: randomUUID() }, 'customer', 0, 5)).toBeNull();
});

test('the mail about a long batch contains only the newest messages, and says how many are left out', async () => {
  for (let n = 1; n <= 22; n += 1) await answer(`Message ${n}`);
  const mail = await projects.client.call(
    threadContract.getUnreadForMail,
    { projectId: id, accountId: owner.accountId, side: 'customer', afterSeq: 0, upToSeq: 22 },
    { actor: system },
  );
  expect([mail?.messages.length, mail?.messages[0]?.text, mail?.messages.at(-1)?.text, mail?.more]).toEqual([
    ...[20, 'Message 3', 'Message 22', 2],
  ]);
});
