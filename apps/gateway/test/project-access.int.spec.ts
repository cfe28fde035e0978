import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  briefOperations,
  fileTransferOperations,
  type Operation,
  projectFileOperations,
  projectOperations,
  reportOperations,
  staffBriefOperations,
  staffProjectOperations,
  staffThreadOperations,
  threadOperations,
  threadUpdateOperations,
} from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import { EventReader } from './event-reader.js';
import {
  beginUpload,
  uploadContentTypeHeader,
  downloadFile,
  insertProject,
  sendBytes,
  tryToBeginUpload,
  tus,
  uploadFile,
} from './project-uploads.js';
import { sampleRequest } from './sample-requests.js';
import { accountIdOf, type SiteUnderTest, startSite } from './site.harness.js';

// Tests the calls about files and streams, which the gateway answers itself, for everybody. The other calls are tested only for people who must be
// refused; `access-matrix.int.spec.ts` of the projects service tests those calls for everybody.

/** The smallest PNG. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let site: SiteUnderTest;
let sql: pg.Client;
let projectId: string;
let people: Record<Who, Session>;
const customers = ['owner', 'member', 'billing', 'former member', 'another customer'] as const;
const everybody = [...customers, 'admin', 'visitor'] as const;
type Who = (typeof everybody)[number];
/** The calls of customers must not reveal to these people that the project exists. */
const outsiders = ['billing', 'former member', 'another customer', 'admin'] as const;

beforeAll(async () => {
  site = await startSite({ without: ['content', 'orders', 'messaging'] });
  sql = new pg.Client({ connectionString: site.databaseUrls.projects });
  await sql.connect();
  people = {
    owner: await site.customer(),
    member: await site.customer(),
    billing: await site.customer(),
    'former member': await site.customer(),
    'another customer': await site.customer(),
    admin: await site.admin(),
    visitor: site.visitor,
  };
  const ownerId = accountIdOf(people.owner);
  projectId = await insertProject(sql, ownerId);
  await insertProject(sql, accountIdOf(people['another customer']));
  await sql.query('INSERT INTO teams (owner_id, version) VALUES ($1, 1)', [ownerId]);
  for (const [who, role] of [
    ['member', 'member'],
    ['billing', 'billing'],
    ['former member', 'member'],
  ] as const)
    await sql.query(
      `INSERT INTO team_members (owner_id, account_id, role, name, email, joined_at) VALUES ($1, $2, $3, 'A colleague', $4, now())`,
      [ownerId, accountIdOf(people[who]), role, people[who].email],
    );
  const removal = await people.owner.delete(`/team/members/${accountIdOf(people['former member'])}`);
  expect(removal.status).toBe(200);
});
afterAll(async () => {
  await sql?.end();
  await site?.stop();
});

async function statuses(ask: (session: Session, who: Who) => Promise<{ status: number }>) {
  const found: Partial<Record<Who, number>> = {};
  for (const who of everybody) found[who] = (await ask(people[who], who)).status;
  return found;
}
/** The owner and the member get `allowed`, visitors must sign in, and everybody else is told that the project does not exist. */
const expectedStatuses = (allowed: number, more: Partial<Record<Who, number>> = {}) => ({
  ...{ owner: allowed, member: allowed, billing: 404, 'former member': 404, 'another customer': 404 },
  ...{ admin: 404, visitor: 401 },
  ...more,
});

/** Visitors must sign in; everybody else but the member is told that the member’s upload does not exist. */
async function expectClosedToOthers(ask: (session: Session) => Promise<{ status: number }>): Promise<void> {
  const { member: _, ...expected } = expectedStatuses(404);
  for (const [who, status] of Object.entries(expected))
    expect([who, (await ask(people[who as Who])).status]).toEqual([who, status]);
}

const attach = (fileId: string, to: 'message' | 'note') =>
  sql.query('UPDATE project_files SET attached_to = $1, attached_id = $2 WHERE id = $3', [
    ...[to, randomUUID(), fileId],
  ]);

async function uploadMessageFile(bytes: Buffer = picture): Promise<string> {
  const { _id } = await uploadFile(people.member, projectId, bytes, { name: 'logo.png' });
  await attach(_id, 'message');
  return _id;
}
/** Only staff may see the file. */
async function uploadNoteFile(): Promise<string> {
  const more = { side: 'staff', hidden: 'true', name: 'logo.png' };
  const { _id } = await uploadFile(people.admin, projectId, picture, more);
  await attach(_id, 'note');
  return _id;
}
const withPreview = (id: string) =>
  eventually(async () => {
    const { rows } = await sql.query('SELECT preview FROM project_files WHERE id = $1', [id]);
    expect(rows).toEqual([{ preview: 'ready' }]);
    return id;
  });

/** A call that the gateway answers itself needs a test here. */
const tests: Record<string, () => Promise<void>> = {
  beginProjectUpload: async () => {
    const begin = (more: Record<string, string>) =>
      statuses((session) => tryToBeginUpload(session, projectId, 5, more));
    expect(await begin({})).toEqual(expectedStatuses(201));
    const refused = { owner: 403, member: 403, billing: 403, 'former member': 403, 'another customer': 403 };
    expect(await begin({ side: 'staff' })).toEqual({ ...refused, admin: 201, visitor: 401 });
  },
  getProjectUpload: async () => {
    const path = await beginUpload(people.member, projectId, 5);
    for (const method of ['GET', 'HEAD'])
      expect(await statuses((session) => session.send(method, path, { headers: tus }))).toEqual(
        expectedStatuses(404, { member: 200 }),
      );
  },
  sendProjectUpload: async () => {
    const path = await beginUpload(people.member, projectId, 5);
    const send = (session: Session) => sendBytes(session, path, 0, Buffer.from('x'));
    await expectClosedToOthers(send);
    // The bytes that the others sent were not stored.
    const { json } = await people.member.get<{ offset: number }>(path);
    expect(json.offset).toBe(0);
    expect((await send(people.member)).status).toBe(204);
  },
  cancelProjectUpload: async () => {
    const path = await beginUpload(people.member, projectId, 5);
    const cancel = (session: Session) => session.send('DELETE', path, { headers: tus });
    await expectClosedToOthers(cancel);
    expect((await cancel(people.member)).status).toBe(204);
  },
  downloadProjectFile: async () => {
    const { _id: unattached } = await uploadFile(people.member, projectId, picture);
    const ofMessage = await uploadMessageFile();
    const ofNote = await uploadNoteFile();
    for (const method of ['GET', 'HEAD']) {
      const download = (id: string) => statuses((session) => session.send(method, `/project-file/${id}`));
      expect(await download(unattached)).toEqual(expectedStatuses(404, { member: 200 }));
      expect(await download(ofMessage)).toEqual(expectedStatuses(200, { admin: 200 }));
      expect(await download(ofNote)).toEqual(expectedStatuses(404, { admin: 200 }));
      expect(await download(randomUUID())).toEqual(expectedStatuses(404));
    }
    for (const who of ['billing', 'former member', 'another customer'] as const) {
      const part = await downloadFile(people[who], ofMessage, { Range: 'bytes=0-1' });
      expect([part.status, part.headers.get('content-range')]).toEqual([404, null]);
    }
  },
  previewProjectFile: async () => {
    const preview = (id: string) => statuses((session) => session.get(`/project-file/${id}/preview`));
    const ofMessage = await withPreview(await uploadMessageFile());
    expect(await preview(ofMessage)).toEqual(expectedStatuses(200, { admin: 200 }));
    const ofNote = await withPreview(await uploadNoteFile());
    expect(await preview(ofNote)).toEqual(expectedStatuses(404, { admin: 200 }));
  },
  followThread: () => expectStream(`/project/${projectId}/updates`, expectedStatuses(200)),
  followStaffThread: () =>
    expectStream(`/staff-project/${projectId}/updates`, {
      ...{ owner: 403, member: 403, billing: 403, 'former member': 403, 'another customer': 403 },
      ...{ admin: 200, visitor: 401 },
    }),
};

const openReaders: EventReader[] = [];
afterEach(() => {
  for (const reader of openReaders.splice(0)) reader.stop();
});

async function expectStream(path: string, expected: Partial<Record<Who, number>>): Promise<void> {
  const follow = async (session: Session, who: Who) => {
    if (who === 'visitor') return session.get(path);
    const reader = await EventReader.open(session, path);
    openReaders.push(reader);
    return reader;
  };
  expect(await statuses(follow)).toEqual(expected);
  expect(await statuses((session) => session.send('HEAD', path))).toEqual(expected);
}

const gatewayOperations = { ...fileTransferOperations, ...threadUpdateOperations };

describe('the calls that the gateway answers itself', () => {
  test.each(Object.keys(gatewayOperations))('%s succeeds only for those who have access', (name) => {
    if (!tests[name]) throw new Error(`${name} has no test here`);
    return tests[name]();
  });
});

function requestAbout(operation: Operation, id: string) {
  const { method, body } = sampleRequest(operation);
  const path = operation.path.replace(':id', id).replace(/:\w+/g, randomUUID());
  return (session: Session) => session.send(method, path, body ? { body } : {});
}
const callsBelow = (prefix: string, groups: Record<string, Operation>[]) =>
  groups
    .flatMap((group) => Object.entries(group))
    .filter(([, { path }]) => path.startsWith(prefix))
    .map(([name, operation]) => [name, operation] as const);

describe('the calls of customers', () => {
  const groups = [
    projectOperations,
    briefOperations,
    threadOperations,
    reportOperations,
    projectFileOperations,
  ];
  const calls = callsBelow('/project/:id', groups);

  test.each(calls)('%s answers outsiders as if the project did not exist', async (_name, operation) => {
    for (const who of outsiders) {
      const [existing, invented] = [
        await requestAbout(operation, projectId)(people[who]),
        await requestAbout(operation, randomUUID())(people[who]),
      ];
      expect([who, existing.status]).toEqual([who, 404]);
      const { instance: _one, requestId: _two, ...problem } = existing.json as Record<string, unknown>;
      const { instance: _three, requestId: _four, ...same } = invented.json as Record<string, unknown>;
      expect(problem).toEqual(same);
    }
    expect((await requestAbout(operation, projectId)(people.visitor)).status).toBe(401);
  });

  test('more than fifteen calls are tested', () => expect(calls.length).toBeGreaterThan(15));
});

describe('the calls of staff', () => {
  const calls = callsBelow('/staff-project/:id', [
    ...[staffProjectOperations, staffBriefOperations, staffThreadOperations, projectFileOperations],
  ]);

  test.each(calls)('%s is closed to customers, even for their own projects', async (_name, operation) => {
    for (const id of [projectId, randomUUID()]) {
      const ask = requestAbout(operation, id);
      for (const who of customers) expect([who, (await ask(people[who])).status]).toEqual([who, 403]);
      expect((await ask(people.visitor)).status).toBe(401);
    }
  });

  test('more than fourteen calls are tested', () => expect(calls.length).toBeGreaterThan(14));
});

test('a member who is removed can no longer continue an upload, read files or open the stream', async () => {
  const member = await site.customer();
  const ownerId = accountIdOf(people.owner);
  await sql.query(
    `INSERT INTO team_members (owner_id, account_id, role, name, email, joined_at) VALUES ($1, $2, 'member', 'Grace', 'g@example.com', now())`,
    [ownerId, accountIdOf(member)],
  );
  const file = await uploadMessageFile();
  const path = await beginUpload(member, projectId, 10);
  expect((await sendBytes(member, path, 0, Buffer.from('12345'))).status).toBe(204);
  expect((await member.get(`/project-file/${file}`)).status).toBe(200);
  expect((await people.owner.delete(`/team/members/${accountIdOf(member)}`)).status).toBe(200);
  expect((await sendBytes(member, path, 5, Buffer.from('67890'))).status).toBe(404);
  expect((await member.send('HEAD', path, { headers: { ...tus, ...uploadContentTypeHeader } })).status).toBe(
    404,
  );
  expect((await member.get(`/project-file/${file}`)).status).toBe(404);
  expect((await member.get(`/project/${projectId}/updates`)).status).toBe(404);
});
