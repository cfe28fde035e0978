import { createHash, randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  type Actor,
  fileLimits,
  identityContract,
  projectFileContract,
  replyLine,
  threadContract,
  visitor,
} from '#libs/contracts';
import {
  type FileStorage,
  FolderStorage,
  INBOUND_MAIL_STORAGE,
  inboundMailFileName,
  PROJECT_FILE_STORAGE,
  type ProjectFileStorage,
} from '#libs/file-storage';
import { LOGGER, type Logger } from '#libs/platform';
import { eventually, fullTest } from '#libs/testing';
import { Handles, StreamsServer } from '#libs/transport';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';
import { automaticHeaders, plainReply, replies, replyWithFiles } from './raw-mails.js';

const address = 'reply@northrank.example';

/** Stands in for identity: the confirmed address of each account, and the addresses of admins. */
const confirmedEmails = new Map<string, string>();
const adminEmails = new Set<string>();

@Controller()
class Identity {
  @Handles(identityContract.confirmedEmail)
  confirmedEmail({ accountId }: { accountId: string }) {
    return { email: confirmedEmails.get(accountId) ?? null };
  }
  @Handles(identityContract.adminEmails)
  adminEmails() {
    return [...adminEmails];
  }
}
@Module({ controllers: [Identity] })
class IdentityModule {}

type Person = Extract<Actor, { accountId: string }>;
const customer = customerNamed('ada');
const colleague = customerNamed('bernd');
const staff = adminNamed('sam.smith');

let projects: ProjectsUnderTest;
let storage: FolderStorage;
let closeIdentity: () => Promise<void>;
let projectId: string;

beforeAll(async () => {
  projects = await startProjects({ INBOUND_MAIL_ADDRESS: address });
  storage = new FolderStorage(`${projects.filesDir}/private/inbound-mail`);
  await startIdentity();
});
afterAll(async () => {
  await closeIdentity?.();
  await projects?.stop();
});
beforeEach(async () => {
  for (const person of [customer, colleague, staff]) confirmedEmails.set(person.accountId, person.email);
  adminEmails.clear();
  adminEmails.add(staff.email);
  projectId = await projects.put({ accountId: customer.accountId });
});

async function startIdentity(): Promise<void> {
  const strategy = new StreamsServer({ service: 'identity', redisUrl: projects.redisUrl });
  const app = await NestFactory.createMicroservice(IdentityModule, { strategy, logger: false });
  await app.listen();
  closeIdentity = () => app.close();
}

/** Gives this person a reply address in the project, and returns it. */
async function replyAddressOf({ accountId, role }: Person, token = randomToken()): Promise<string> {
  const side = role === 'admin' ? 'staff' : 'customer';
  await projects.sql.query(
    'INSERT INTO readers (project_id, account_id, side, reply_token) VALUES ($1, $2, $3, $4)',
    [projectId, accountId, side, token],
  );
  return address.replace('@', `+${token}@`);
}
const randomToken = () => randomUUID().replaceAll('-', '').slice(0, 26);
const digestOf = (raw: Buffer) => createHash('sha256').update(raw).digest('hex');

/** Stores and registers a mail as the gateway does. Returns the id of its row in `inbound_mails`. */
async function receive(raw: Buffer): Promise<string> {
  const mailId = randomUUID();
  await storage.put(mailId, [{ name: inboundMailFileName, body: raw }]);
  const sha256 = digestOf(raw);
  const { isNew } = await projects.client.call(
    threadContract.receiveStoredMail,
    { mailId, sha256 },
    { actor: visitor },
  );
  if (!isNew) await storage.remove(mailId);
  return sha256;
}

interface Row {
  state: string;
  why: string | null;
  project_id: string | null;
}
async function untilHandled(id: string): Promise<Row> {
  return eventually(async () => {
    const { rows } = await projects.sql.query<Row>(
      'SELECT state, why, project_id FROM inbound_mails WHERE id = $1',
      [id],
    );
    expect(rows[0]!.state).not.toBe('stored');
    return rows[0]!;
  });
}
const messages = async () =>
  (
    await projects.sql.query<{
      text: string;
      name: string;
      side: string;
      by_mail: boolean;
      folded: string | null;
    }>(
      `SELECT text, name, side, by_mail, folded FROM thread_entries WHERE project_id = $1 AND kind = 'message' ORDER BY seq`,
      [projectId],
    )
  ).rows;

describe('a reply is added to the thread', () => {
  test('when the customer sent it, in their name, with the quotation collapsed and the token removed', async () => {
    const token = randomToken();
    const to = await replyAddressOf(customer, token);
    const { raw } = replies({ to, from: customer.email })['Gmail on the web, in English']!;
    const quotesToken = raw
      .toString()
      .replace('<hello@northrank.example> wrote', `<${to}> wrote`)
      .replace(
        '> New message',
        `> Answer: mailto:reply%2B${token.toUpperCase()}@northrank.example, ${token}`,
      );
    expect(await untilHandled(await receive(Buffer.from(quotesToken)))).toEqual({
      state: 'posted',
      why: null,
      project_id: projectId,
    });
    const [message, ...others] = await messages();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      ...{ name: 'Ada Lovelace', side: 'customer', by_mail: true },
      text: expect.stringMatching(/^Looks good/),
      folded: expect.stringContaining('<reply@northrank.example> wrote:'),
    });
    expect(message!.folded).toContain('> Answer: mailto:reply@northrank.example, ');
    expect(JSON.stringify(message).toLowerCase()).not.toContain(token);
    // The mail is removed from storage only after the message was committed.
    await eventually(async () => {
      for await (const entry of storage.listEntries()) throw new Error(`${entry.id} is still stored`);
    });
  });

  test('when a colleague or staff sent it', async () => {
    await projects.join(customer.accountId, colleague);
    for (const person of [colleague, staff]) {
      const to = await replyAddressOf(person);
      const mail = plainReply({ to, from: person.email.toUpperCase(), messageId: '' }, `By ${person.email}`);
      expect(await untilHandled(await receive(mail))).toMatchObject({ state: 'posted' });
    }
    expect(await messages()).toMatchObject([
      { side: 'customer', name: 'A colleague' },
      { side: 'staff', name: 'Sam Smith', text: `By ${staff.email}` },
    ]);
    // The audit log has the message of staff, as if they had written it on the screen.
    const { rows } = await projects.sql.query('SELECT name, after FROM audit_entries WHERE record_id = $1', [
      projectId,
    ]);
    expect(rows).toEqual([{ name: expect.stringMatching(/^#\d+, SEO audit$/), after: { added: 'message' } }]);
  });

  test('that belongs to the first of its reply addresses with a known token', async () => {
    const outdated = address.replace('@', `+${randomToken()}@`);
    const to = `${outdated}, ${await replyAddressOf(customer)}`;
    const id = await receive(plainReply({ to, from: customer.email }, 'To both addresses.'));
    expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
    expect(await messages()).toMatchObject([{ text: 'To both addresses.' }]);
  });

  test('once, even if it arrives several times at the same time, and with different headers', async () => {
    const to = await replyAddressOf(customer);
    const once = plainReply({ to, from: customer.email }, 'Only once.');
    // The same message by another route: other headers, hence other bytes.
    const again = plainReply({ to, from: customer.email }, 'Only once.', ['Received: from mx.example']);
    const ids = await Promise.all([once, again, once, again, once].map(receive));
    const outcomes = await Promise.all([...new Set(ids)].map(untilHandled));
    expect(outcomes.map(({ state, why }) => why ?? state).sort()).toEqual(['posted', 'repeated']);
    expect(await messages()).toHaveLength(1);
  });

  test('even if it and an earlier one have no Message-ID', async () => {
    const to = await replyAddressOf(customer);
    for (const text of ['One', 'Two'])
      await untilHandled(await receive(plainReply({ to, from: customer.email, messageId: '' }, text)));
    expect((await messages()).map(({ text }) => text)).toEqual(['One', 'Two']);
  });

  test('as a whole mail, if the answer is below an original whose lines are not marked as quoted', async () => {
    const to = await replyAddressOf(customer);
    const written = `${replyLine}\nWhich page?\nThe first one.`;
    const id = await receive(plainReply({ to, from: customer.email }, written));
    expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
    expect(await messages()).toMatchObject([{ text: 'The whole mail is shown below.', folded: written }]);
  });

  test('cut off with an ellipsis if it is too long; the collapsed part has the whole text', async () => {
    const to = await replyAddressOf(customer);
    const text = `${'All work. '.repeat(3_000)}The end.`;
    await untilHandled(await receive(plainReply({ to, from: customer.email }, text)));
    const [message] = await messages();
    expect(message!.text).toMatch(/ …$/);
    expect(message!.text.length).toBeLessThanOrEqual(20_000);
    expect(message!.folded).toBe(text);
  });
});

describe('attachments', () => {
  const filesOf = async () =>
    (
      await projects.sql.query<{ name: string; bytes: string; type: string; attached_to: string }>(
        `SELECT name, bytes, type, attached_to FROM project_files WHERE project_id = $1 AND attached_to IS NOT NULL ORDER BY id`,
        [projectId],
      )
    ).rows;

  test('become files of the project, even if the mail has no text, with safe names and types read from their bytes', async () => {
    const to = await replyAddressOf(customer);
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 7)]);
    const files = [
      { name: '../../etc/passwd', content: Buffer.from('root') },
      { name: 'report.exe', content },
    ];
    expect(
      await untilHandled(await receive(replyWithFiles({ to, from: customer.email }, '', files))),
    ).toMatchObject({
      state: 'posted',
    });
    expect(await messages()).toMatchObject([{ text: '' }]);
    expect(await filesOf()).toEqual([
      { name: 'passwd', bytes: '4', type: expect.any(String), attached_to: 'message' },
      { name: 'report.exe', bytes: String(content.length), type: 'application/pdf', attached_to: 'message' },
    ]);
  });

  const keptPrivate = 'left out, to keep the sender’s reply address private';

  test('that contain the private reply address are left out, and named in the message; its token is removed from names', async () => {
    const token = randomToken();
    const to = await replyAddressOf(customer, token);
    const files = [
      {
        name: `to ${token}.eml`,
        content: Buffer.from(`Reply-To: ${to}\r\n\r\nYou have a new message.`),
      },
      { name: 'capitals.eml', content: Buffer.from(`Reply-To: <${to.toUpperCase()}>\r\n\r\nHello.`) },
      { name: `plan for ${to}.txt`, content: Buffer.from('Monday: crawl') },
    ];
    await untilHandled(await receive(replyWithFiles({ to, from: customer.email }, 'See this.', files)));
    expect((await messages())[0]!.text).toBe(
      `See this.\n\n2 attachments were ${keptPrivate}: to .eml, capitals.eml`,
    );
    expect((await filesOf()).map(({ name }) => name)).toEqual(['plan for reply@northrank.example.txt']);
  });

  test('that are mails are searched for the private reply address in any encoding, as are the mails and files in them', async () => {
    const token = randomToken();
    const to = await replyAddressOf(customer, token);
    const mail = (encoding: string, body: string) =>
      Buffer.from(`MIME-Version: 1.0\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`);
    const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
    const attached = (type: string, name: string, content: Buffer) =>
      replyWithFiles({ to: 'ada@example.com' }, 'Forwarded', [{ name, content }])
        .toString()
        .replace('application/octet-stream', type);
    const encoded = mail('base64', base64(`<${to}> wrote:`));
    const files = [
      { name: 'base64.eml', content: encoded },
      {
        name: 'broken.EML',
        content: mail('quoted-printable', to.replace(token, `${token.slice(0, 9)}=\r\n${token.slice(9)}`)),
      },
      { name: 'mail.eml', content: Buffer.from(attached('message/rfc822', 'mail.dat', encoded)) },
      { name: 'file.eml', content: Buffer.from(attached('text/plain', 'notes.txt', Buffer.from(to))) },
      { name: 'other.eml', content: mail('base64', base64('Nothing of the kind')) },
    ];
    await untilHandled(await receive(replyWithFiles({ to, from: customer.email }, 'See these.', files)));
    expect((await messages())[0]!.text).toBe(
      `See these.\n\n4 attachments were ${keptPrivate}: base64.eml, broken.EML, mail.eml, file.eml`,
    );
    expect((await filesOf()).map(({ name }) => name)).toEqual(['other.eml']);
  });

  test('beyond the 20 that a message can have are left out, and named in the message', async () => {
    const to = await replyAddressOf(customer);
    const files = Array.from({ length: 23 }, (_, index) => ({
      name: `${index + 1}.txt`,
      content: Buffer.from('x'),
    }));
    await untilHandled(await receive(replyWithFiles({ to, from: customer.email }, 'All of them.', files)));
    expect((await messages())[0]!.text).toBe(
      'All of them.\n\n3 attachments were left out, because a message can have at most 20 files: 21.txt, 22.txt, 23.txt',
    );
    expect(await filesOf()).toHaveLength(20);
  });
});

describe('attachments in a project with little room', () => {
  const usedRoom = async () => {
    const { rows } = await projects.sql.query<{ bytes: string; files: number }>(
      `SELECT coalesce(sum(bytes), 0) AS bytes, count(*)::int AS files FROM project_files WHERE project_id = $1 AND deleted_at IS NULL`,
      [projectId],
    );
    return { bytes: Number(rows[0]!.bytes), files: rows[0]!.files };
  };
  /** Leaves room for this many bytes. */
  const leaveRoom = (bytes: number) =>
    projects.sql.query(
      `INSERT INTO project_files (id, project_id, side, account_id, uploader_name, name, bytes, state, attached_to, attached_id, created_at)
       VALUES (gen_random_uuid(), $1, 'customer', $2, 'Ada', 'x', $3, 'ready', 'message', gen_random_uuid(), now())`,
      [projectId, customer.accountId, fileLimits.projectBytes - bytes],
    );
  /** The files of messages, without the one that `leaveRoom` inserts. */
  const filesOf = async () =>
    (
      await projects.sql.query<{ name: string }>(
        `SELECT name FROM project_files WHERE project_id = $1 AND attached_to IS NOT NULL AND name <> 'x' ORDER BY id`,
        [projectId],
      )
    ).rows.map(({ name }) => name);
  const file = (name: string, bytes: number) => ({ name, content: Buffer.alloc(bytes, 'x') });
  const leftOut = 'because the project can’t store more files';

  test('that do not fit are named in the message, whose text and other files arrive', async () => {
    const to = await replyAddressOf(customer);
    await leaveRoom(1_000);
    const files = [file('plan.txt', 400), file('large.zip', 601), file('end.txt', 600)];
    const id = await receive(replyWithFiles({ to, from: customer.email }, 'See this.', files));
    expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
    expect((await messages()).map(({ text }) => text)).toEqual([
      `See this.\n\nOne attachment was left out, ${leftOut}: large.zip`,
    ]);
    expect(await filesOf()).toEqual(['plan.txt', 'end.txt']);
    expect(await usedRoom()).toEqual({ bytes: fileLimits.projectBytes, files: 3 });
    // The sender sees on the screen which files are missing.
    const { entries } = await projects.client.call(
      threadContract.getThread,
      { id: projectId, limit: 10 },
      { actor: customer },
    );
    expect(entries.at(-1)).toMatchObject({ text: expect.stringContaining('large.zip'), byMail: true });
  });

  test('that do not fit are named even if the mail has no text and no attachment fits', async () => {
    const to = await replyAddressOf(customer);
    await leaveRoom(0);
    const files = [file('one.txt', 1), file('two.txt', 1)];
    await untilHandled(await receive(replyWithFiles({ to, from: customer.email }, '', files)));
    expect((await messages()).map(({ text }) => text)).toEqual([
      `2 attachments were left out, ${leftOut}: one.txt, two.txt`,
    ]);
    expect(await filesOf()).toEqual([]);
  });

  test('arrive although the storage failed at first: a failed attempt takes no room', async () => {
    const to = await replyAddressOf(customer);
    await leaveRoom(1_000);
    let attempts = 0;
    const spies = projects.replicas.map(({ app }) => {
      const { files } = app.get<ProjectFileStorage>(PROJECT_FILE_STORAGE, { strict: false });
      const put = files.put.bind(files);
      return jest.spyOn(files, 'put').mockImplementation((...stored) => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new Error('The storage is read-only')) : put(...stored);
      });
    });
    const mail = replyWithFiles({ to, from: customer.email }, 'See this.', [file('plan.txt', 1_000)]);
    try {
      await untilHandled(await receive(mail));
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(attempts).toBe(2);
    expect((await messages()).map(({ text }) => text)).toEqual(['See this.']);
    expect(await filesOf()).toEqual(['plan.txt']);
  });

  test('that are too many for the project are left out, too', async () => {
    const to = await replyAddressOf(customer);
    await projects.sql.query(
      `INSERT INTO project_files (id, project_id, side, account_id, uploader_name, name, bytes, state, attached_to, attached_id, created_at)
       SELECT gen_random_uuid(), $1, 'customer', $2, 'Ada', 'x', 1, 'ready', 'message', gen_random_uuid(), now() FROM generate_series(1, $3)`,
      [projectId, customer.accountId, fileLimits.projectFiles - 1],
    );
    const files = [file('last.txt', 1), file('more.txt', 1)];
    await untilHandled(await receive(replyWithFiles({ to, from: customer.email }, '', files)));
    expect((await messages()).map(({ text }) => text)).toEqual([
      `One attachment was left out, ${leftOut}: more.txt`,
    ]);
    expect(await filesOf()).toEqual(['last.txt']);
  });

  test('never take more room than there is, even if mails and uploads arrive at the same time', async () => {
    const grace = customerNamed('grace');
    confirmedEmails.set(grace.accountId, grace.email);
    await projects.join(customer.accountId, grace);
    const [mine, theirs] = [await replyAddressOf(customer), await replyAddressOf(grace)];
    await leaveRoom(2_500);
    const mail = (who: Person, to: string, n: number) =>
      replyWithFiles({ to, from: who.email, messageId: `<${n}@x>` }, `Mail ${n}`, [file(`${n}.txt`, 1_000)]);
    const mails = [1, 2, 3, 4, 5, 6].map((n) => (n % 2 ? mail(customer, mine, n) : mail(grace, theirs, n)));
    const upload = () =>
      projects.client.call(
        projectFileContract.beginUpload,
        { projectId, asStaff: false, hidden: false, name: 'upload.txt', bytes: 1_000 },
        { actor: customer },
      );
    const [received, begun] = await Promise.all([
      Promise.all(mails.map(receive)),
      Promise.allSettled([upload(), upload(), upload()]),
    ]);
    for (const id of received) expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
    const uploads = begun.filter(({ status }) => status === 'fulfilled').length;
    expect(await usedRoom()).toEqual({ bytes: fileLimits.projectBytes - 500, files: 3 });
    expect((await filesOf()).length + uploads).toBe(2);
    const texts = (await messages()).map(({ text }) => text);
    expect(texts).toHaveLength(6);
    expect(texts.filter((text) => text.includes(leftOut))).toHaveLength(6 - (await filesOf()).length);
  });
});

describe('a mail is dropped', () => {
  const dropReasonOf = async (raw: Buffer) => {
    const { state, why } = await untilHandled(await receive(raw));
    expect(state).toBe('dropped');
    expect(await messages()).toEqual([]);
    return why;
  };

  test('if the address that it was sent to has an unknown token, no token, or another domain', async () => {
    const to = await replyAddressOf(customer);
    for (const wrong of [
      address,
      `reply+${randomToken()}@northrank.example`,
      to.replace('northrank.example', 'other.example'),
    ])
      expect(await dropReasonOf(plainReply({ to: wrong, from: customer.email }, 'Hi'))).toBe('unknown_token');
  });

  test('if another person sent it, or the account’s address is no longer confirmed', async () => {
    const to = await replyAddressOf(customer);
    expect(await dropReasonOf(plainReply({ to, from: 'eve@example.com' }, 'Hi'))).toBe('other_sender');
    expect(await dropReasonOf(plainReply({ to, from: staff.email }, 'Hi'))).toBe('other_sender');
    confirmedEmails.delete(customer.accountId);
    expect(await dropReasonOf(plainReply({ to, from: customer.email }, 'Hi'))).toBe('other_sender');
  });

  test('if the sender does not belong to the team, or has the role billing in it', async () => {
    const owner = customerNamed('owner');
    projectId = await projects.put({ accountId: owner.accountId });
    const to = await replyAddressOf(colleague);
    expect(await dropReasonOf(plainReply({ to, from: colleague.email }, 'Hi'))).toBe('not_permitted');
    await projects.join(owner.accountId, colleague, 'billing');
    expect(await dropReasonOf(plainReply({ to, from: colleague.email, messageId: '<2@x>' }, 'Hi'))).toBe(
      'not_permitted',
    );
  });

  test('if the sender is no longer an admin', async () => {
    const to = await replyAddressOf(staff);
    adminEmails.clear();
    expect(await dropReasonOf(plainReply({ to, from: staff.email }, 'Hi'))).toBe('not_permitted');
  });

  test.each(Object.entries(automaticHeaders))('if it is %s', async (_what, headers) => {
    const to = await replyAddressOf(customer);
    expect(await dropReasonOf(plainReply({ to, from: customer.email }, 'I am away.', headers))).toBe(
      'automatic',
    );
  });

  test('if it has neither text nor files, or is nested too deeply', async () => {
    const to = await replyAddressOf(customer);
    expect(await dropReasonOf(plainReply({ to, from: customer.email }, ''))).toBe('empty');
    const nested = Array.from(
      { length: 200 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    );
    expect(await dropReasonOf(Buffer.from(nested.join('')))).toBe('unreadable');
  });
});

fullTest('a mail is handled when identity can be reached again', async () => {
  const to = await replyAddressOf(customer);
  await closeIdentity();
  const id = await receive(plainReply({ to, from: customer.email }, 'Later.'));
  await eventually(async () => {
    const { rows } = await projects.sql.query('SELECT tries, state FROM inbound_mails WHERE id = $1', [id]);
    expect(rows[0]).toEqual({ tries: 2, state: 'stored' });
  });
  await startIdentity();
  expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
});

test('an old mail that another process has taken over meanwhile is neither given up nor removed from storage', async () => {
  const to = await replyAddressOf(customer);
  const raw = plainReply({ to, from: customer.email }, 'From this morning.');
  const id = digestOf(raw);
  const fileId = randomUUID();
  await storage.put(fileId, [{ name: inboundMailFileName, body: raw }]);
  await projects.replicas[0]!.app.get(DataSource).transaction(async (tx) => {
    // The process that takes the mail will wait for this lock.
    await tx.query('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [projectId]);
    await projects.sql.query(
      `INSERT INTO inbound_mails (id, received_at, state, file_id) VALUES ($1, now() - interval '7 hours', 'stored', $2)`,
      [id, fileId],
    );
    // As if another process had taken the mail over, with a lease of two seconds.
    await eventually(async () => {
      const { rowCount } = await projects.sql.query(
        `UPDATE inbound_mails SET lease = gen_random_uuid(), next_try_at = now() + interval '2 seconds'
         WHERE id = $1 AND lease IS NOT NULL`,
        [id],
      );
      expect(rowCount).toBe(1);
    });
  });
  expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
  expect(await messages()).toMatchObject([{ text: 'From this morning.' }]);
});

test('a mail that cannot be read is dropped as unreadable, also if it waited for hours', async () => {
  const fileId = randomUUID();
  const id = digestOf(Buffer.from(fileId));
  const nested = Array.from(
    { length: 200 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  );
  await storage.put(fileId, [{ name: inboundMailFileName, body: Buffer.from(nested.join('')) }]);
  await projects.sql.query(
    `INSERT INTO inbound_mails (id, received_at, state, file_id) VALUES ($1, now() - interval '7 hours', 'stored', $2)`,
    [id, fileId],
  );
  expect(await untilHandled(id)).toMatchObject({ state: 'dropped', why: 'unreadable' });
});

test('a posted mail that cannot be removed from storage is not reported as one that will be tried again', async () => {
  const logged: string[] = [];
  const spies = projects.replicas.flatMap(({ app }) => [
    jest
      .spyOn(app.get<FileStorage>(INBOUND_MAIL_STORAGE, { strict: false }), 'remove')
      .mockRejectedValue(new Error('The storage is read-only')),
    jest
      .spyOn(app.get<Logger>(LOGGER, { strict: false }), 'error')
      .mockImplementation((_details: unknown, message?: unknown) => void logged.push(String(message))),
  ]);
  const to = await replyAddressOf(customer);
  const id = await receive(plainReply({ to, from: customer.email }, 'Posted.'));
  expect(await untilHandled(id)).toMatchObject({ state: 'posted' });
  await eventually(async () => expect(logged).toHaveLength(1));
  expect(logged).toEqual(['A handled mail could not be removed from storage; a later sweep removes it']);
  for (const spy of spies) spy.mockRestore();
});
