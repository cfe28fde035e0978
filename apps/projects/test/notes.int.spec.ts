import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Actor,
  briefContract,
  type Contract,
  projectContract,
  projectFileContract,
  reportContract,
  system,
  teamContract,
  threadContract,
} from '#libs/contracts';
import { transaction } from '#libs/database';
import { DataSource } from 'typeorm';
import { EntryRepository } from '../entry/entry.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { UnreadMessageWorker } from '../thread/unread-message.worker.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

/** Every text that only staff may read contains this. */
const marker = 'only-staff-may-read-this';

let projects: ProjectsUnderTest;
let id: string;
let noteId: string;
let fileId: string;
let messageId: string;
let reportToken: string;
const owner = customerNamed('owner');
const member = customerNamed('member');
const eve = adminNamed('eve');

beforeAll(async () => {
  projects = await startProjects({ INBOUND_MAIL_ADDRESS: 'reply@mail.test' });
  id = await projects.put({ accountId: owner.accountId });
  await projects.join(owner.accountId, member);
  const { call } = caller(owner);
  messageId = (await call(threadContract.postMessage, { id, text: 'Hello' }))._id;
  await projects.client.call(threadContract.postStaffMessage, { id, text: 'Welcome' }, { actor: eve });
  reportToken = (await call(reportContract.createReportLink, { id, days: 7, label: '' })).token;
});
afterAll(() => projects?.stop());

const caller = (actor: Actor) => ({
  call: ((contract: Contract, input: never) => projects.client.call(contract, input, { actor })) as <
    C extends Contract,
  >(
    contract: C,
    input: Parameters<typeof projects.client.call<C>>[1],
  ) => ReturnType<typeof projects.client.call<C>>,
});

/** Every query that the customer’s side may make. */
const queries = Object.entries({
  ...projectContract,
  ...briefContract,
  ...threadContract,
  ...projectFileContract,
  ...reportContract,
  ...teamContract,
}).filter(
  ([, { kind, access }]: [string, Contract]) =>
    kind === 'query' && (access === 'customer' || access === 'public'),
) as [string, Contract][];

/** A query that takes an id gets the ids of the project, a note, the note’s file and a message, one after another. */
const inputs: Record<string, () => object[]> = {
  listProjects: () => [
    { page: 1, limit: 100 },
    { page: 1, limit: 100, search: marker },
  ],
  getProjectSummary: () => [{}],
  getProject: withEachId,
  listDeliverables: withEachId,
  getOwnProjectData: () => [{}],
  getBrief: withEachId,
  getThread: () => [...withEachId(), { id, after: 0, limit: 100 }, { id, before: 1_000 }, { id, after: 3 }],
  listProjectFiles: withEachId,
  getUpload: withEachId,
  getFile: withEachId,
  getProjectReport: withEachId,
  listReportLinks: withEachId,
  readSharedReport: () => [{ token: reportToken }],
  getTeam: () => [{}],
  readTeamInvitation: () => [{ token: marker }],
};
function withEachId() {
  return [id, noteId, fileId, messageId].map((one) => ({ id: one }));
}

/** The answers to every query by the owner and by a member, as text. */
async function everyAnswer(): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [who, actor] of Object.entries({ owner, member }))
    for (const [name, contract] of queries)
      for (const input of inputs[name]!()) {
        const request = `${who} ${name} ${JSON.stringify(input)}`;
        answers[request] = await caller(actor)
          .call(contract, input)
          .then(
            // Reading the shared report changes the time at which it was last opened.
            (output: unknown) => JSON.stringify(output).replace(/"openedAt":(null|"[^"]*")/g, '"openedAt":0'),
            ({ code }: { code: string }) => code,
          );
      }
  return answers;
}

test('what staff write for staff changes no answer to the customer’s side, and is in no mail and no event', async () => {
  expect(queries.map(([name]) => name).sort()).toEqual(Object.keys(inputs).sort());
  // The note and its file will get these ids.
  [noteId, fileId] = [randomUUID(), randomUUID()];
  const before = await everyAnswer();
  expect(
    Object.keys(before).filter((request) =>
      ['TIMEOUT', 'UNAVAILABLE', 'INTERNAL', 'INVALID_INPUT'].includes(before[request]!),
    ),
  ).toEqual([]);

  const app = projects.replicas[0]!.app;
  await transaction(app.get(DataSource), async (tx) => {
    const project = (await app.get(ProjectRepository, { strict: false }).lock(tx, id))!;
    const by = { side: 'staff', accountId: eve.accountId, name: `Eve ${marker}` } as const;
    const entries = app.get(EntryRepository, { strict: false });
    await entries.append(tx, project, { kind: 'note', noteId, by, at: new Date(), text: marker });
    await entries.append(tx, project, { kind: 'staff_event', by, at: new Date(), text: marker });
  });
  await projects.sql.query(
    `INSERT INTO project_files (id, project_id, side, hidden, account_id, uploader_name, name, bytes, type, state, preview,
       attached_to, attached_id, created_at)
     VALUES ($1, $2, 'staff', true, $3, 'Eve', $4, 3, 'image/png', 'ready', 'ready', 'note', $5, now())`,
    [fileId, id, eve.accountId, `${marker}.png`, noteId],
  );
  const asEve = caller(eve);
  const secondNote = await asEve.call(threadContract.postNote, { id, text: marker });
  await asEve.call(threadContract.editNote, { id, note: secondNote._id, text: `${marker} again` });
  await asEve.call(threadContract.markStaffRead, { id, seq: 2 });
  const staffThread = JSON.stringify(await asEve.call(threadContract.getStaffThread, { id }));
  // Staff can read what they wrote.
  expect(staffThread.split(marker).length).toBeGreaterThan(4);

  const after = await everyAnswer();
  const changed = Object.keys(after).filter((request) => after[request] !== before[request]);
  // Only the position up to which staff have read is different, because of `markStaffRead`.
  const calls = new Set(changed.map((request) => request.split(' {')[0]));
  expect(calls).toEqual(new Set(['owner getThread', 'member getThread']));
  for (const request of changed)
    expect(after[request]).toBe(before[request]!.replace('"othersReadSeq":0', '"othersReadSeq":2'));
  expect(Object.values(after).join()).not.toContain(marker);

  // What the messaging service reads for mails, and what the events contain.
  const mails = await Promise.all(
    [
      { accountId: owner.accountId, side: 'customer' as const },
      { accountId: adminNamed('mallory').accountId, side: 'staff' as const },
    ].map((reader) =>
      projects.client.call(
        threadContract.getUnreadForMail,
        { projectId: id, ...reader, afterSeq: 0, upToSeq: 1_000 },
        { actor: system },
      ),
    ),
  );
  const forMail = await projects.client.call(
    projectContract.getForMail,
    { projectId: id },
    { actor: system },
  );
  // The worker publishes events about messages that have been unread for five minutes.
  await projects.sql.query(`UPDATE unread_checks SET due_at = now()`);
  await projects.sql.query(`UPDATE thread_entries SET at = at - interval '1 hour'`);
  await app.get(UnreadMessageWorker, { strict: false }).run();
  const { rows: events } = await projects.sql.query(`SELECT payload FROM outbox_messages`);
  expect(mails.map((mail) => mail?.messages.map(({ text }) => text))).toEqual([['Welcome'], ['Hello']]);
  for (const sent of [mails, forMail, events, projects.events])
    expect(JSON.stringify(sent)).not.toContain(marker);
});

test('a message can neither quote a note nor contain its file; the customer’s side cannot edit or delete the note, or delete the file', async () => {
  const asOwner = caller(owner);
  const refused = (code: string) => ({ code });
  const { postMessage, editMessage, deleteThreadMessage } = threadContract;
  await expect(asOwner.call(postMessage, { id, text: 'a', quote: noteId })).rejects.toMatchObject(
    refused('INVALID_INPUT'),
  );
  await expect(asOwner.call(postMessage, { id, text: 'a', files: [fileId] })).rejects.toMatchObject(
    refused('INVALID_INPUT'),
  );
  await expect(asOwner.call(editMessage, { id, message: noteId, text: 'a' })).rejects.toMatchObject(
    refused('NOT_FOUND'),
  );
  await expect(asOwner.call(deleteThreadMessage, { id, message: noteId })).rejects.toMatchObject(
    refused('NOT_FOUND'),
  );
  await expect(asOwner.call(projectFileContract.deleteProjectFile, { id: fileId })).rejects.toMatchObject(
    refused('NOT_FOUND'),
  );
  // Staff cannot send a note's file to the customer by mistake, or quote a note in a message.
  const asEve = caller(eve);
  await expect(
    asEve.call(threadContract.postStaffMessage, { id, text: 'a', files: [fileId] }),
  ).rejects.toMatchObject(refused('INVALID_INPUT'));
  await expect(
    asEve.call(threadContract.postStaffMessage, { id, text: 'a', quote: noteId }),
  ).rejects.toMatchObject(refused('INVALID_INPUT'));
});
