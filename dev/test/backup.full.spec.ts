import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import type { Image, Invoice, Order, Project, ProjectFile, Thread } from '#libs/contracts';
import { inboundMailFileName, createInboundMailStorage } from '#libs/file-storage';
import { eventually, Session } from '#libs/testing';
import type { DatabaseUrls } from '../stack/databases.js';
import { MailCatcher } from '../stand-ins/mail/client.js';
import { S3StandIn } from '../stand-ins/s3/s3.js';
import { Launch, temporaryDataDir } from './launcher.js';

const admin = { email: 'admin@example.com', password: 'correct horse battery' };
const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'a secret of the bucket' };

const bucketSettings = ({ url }: S3StandIn) => ({
  IMAGES_S3_URL: url,
  IMAGES_S3_REGION: credentials.region,
  IMAGES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
  IMAGES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});

async function command(dataDir: string, bucket: S3StandIn, ...args: string[]) {
  const { PATH, HOME } = process.env;
  const run = promisify(execFile)(process.execPath, [resolve('dev/commands/backup.mjs'), ...args], {
    env: { PATH, HOME, DATA_DIR: dataDir, ...bucketSettings(bucket) },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );
}

const bytesIn = ({ objects }: S3StandIn) =>
  [...objects].map(([key, { body, type }]) => [key, type, body.toString('base64')]).sort();

/** A mail with a link, which is in the queue at the time of the backup. */
const queuedMailId = randomUUID();

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function totals(databases: DatabaseUrls): Promise<Record<string, unknown>> {
  const ask = async (url: string, sql: string) => (await query(url, sql))[0];
  return {
    content: await ask(databases.content, `SELECT count(*), sum(version) AS versions FROM entries`),
    orders: await ask(databases.orders, `SELECT count(*), sum(price_cents) AS cents FROM orders`),
    invoices: await ask(databases.orders, `SELECT count(*), max(number) AS last FROM invoices`),
    messages: await ask(databases.messaging, `SELECT count(*) FROM messages`),
    subscribers: await ask(databases.messaging, `SELECT count(*) FROM subscribers`),
    mails: await ask(
      databases.messaging,
      `SELECT count(*), count(*) FILTER (WHERE state = 'sent') AS sent FROM mails`,
    ),
    accounts: await ask(databases.identity, `SELECT count(*) FROM accounts`),
    projects: await ask(databases.projects, `SELECT count(*), max(number) AS last FROM projects`),
    entries: await ask(databases.projects, `SELECT count(*), max(text) AS last FROM thread_entries`),
    files: await ask(databases.projects, `SELECT count(*), sum(bytes) AS bytes FROM project_files`),
  };
}

/** Resolves when the file has a preview. */
async function sendFile(customer: Session, projectId: string, body: Buffer): Promise<ProjectFile> {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const begun = await customer.send('POST', '/project-uploads', {
    headers: {
      ...tus,
      'Upload-Length': String(body.length),
      'Upload-Metadata': `project ${base64(projectId)},name ${base64('screenshot.png')}`,
    },
  });
  const path = begun.headers.get('location')!;
  const headers = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
  expect((await customer.send('PATCH', path, { headers, body })).status).toBe(204);
  const { _id } = (await customer.get<{ file: ProjectFile }>(path)).json.file;
  const message = { text: 'See the screenshot.', files: [_id] };
  expect((await customer.post(`/project/${projectId}/messages`, message)).status).toBe(200);
  return eventually(async () => {
    const [sent] = (await customer.get<ProjectFile[]>(`/project/${projectId}/files`)).json;
    expect(sent).toMatchObject({ _id, preview: 'ready' });
    return sent!;
  });
}

describe('a backup', () => {
  const [original, empty] = [temporaryDataDir(), temporaryDataDir()];
  const folder = join(original.path, 'a-backup');
  let first: Launch;
  let second: Launch | undefined;
  let originalTotals: Record<string, unknown>;
  let bucket: S3StandIn;
  let anotherBucket: S3StandIn;
  let image: Image;
  let project: Project;
  let file: ProjectFile;
  let fileBytes: Buffer;
  beforeAll(async () => {
    [bucket, anotherBucket] = await Promise.all([
      S3StandIn.start('pictures', credentials, { pageSize: 2 }),
      S3StandIn.start('restored', credentials, { pageSize: 2 }),
    ]);
    first = new Launch(original.path, { ...env, ...bucketSettings(bucket) });
    const url = await first.ready();
    const customer = await Session.register(url, {
      email: 'buyer@example.com',
      password: 'a fine long password',
    });
    const [offer] = (await customer.get<{ packageName: string; packagePrice: string }[]>('/pricings')).json;
    for (let number = 1; number <= 3; number++) {
      const placed = await customer.post('/new-order', {
        packageName: offer!.packageName,
        packagePrice: offer!.packagePrice,
        customerEmail: customer.email,
        customerName: `Ada ${number}`,
        customerAddress: '12 St James’s Square',
        customerCountry: 'United Kingdom',
        paymentStatus: 'UnPaid',
        orderStatus: 'Pending',
        orderDate: new Date().toLocaleDateString('en-US', {
          month: '2-digit',
          day: '2-digit',
          year: 'numeric',
        }),
      });
      expect(placed.status).toBe(201);
    }
    const picture = sharp({ create: { width: 200, height: 100, channels: 3, background: '#ff0000' } });
    const body = await picture.png().toBuffer();
    const adminSession = await Session.signIn(url, admin);
    const uploaded = await adminSession.send<Image>('POST', '/images?alt=Red', { body });
    expect(uploaded.status).toBe(201);
    image = uploaded.json;
    expect(bucket.objects.size).toBe(image.files.length);
    await adminSession.put('/invoice-settings', {
      ...{ name: 'Northwind Ltd', addressLine1: '5 Quay Street', city: 'Dublin', countryCode: 'IE' },
    });
    const [order] = (await adminSession.get<Order[]>('/orders?search=Ada')).json;
    await adminSession.put(`/order/${order!._id}`, { paymentStatus: 'Paid' });
    await eventually(async () => {
      const [invoice] = (await adminSession.get<Invoice[]>(`/invoices?order=${order!._id}`)).json;
      expect(invoice?.file).toBe('ready');
    });
    project = await eventually(async () => {
      const [opened] = (await customer.get<Project[]>('/projects')).json;
      expect(opened).toBeDefined();
      return opened!;
    });
    fileBytes = body;
    file = await sendFile(customer, project._id, body);
    await createInboundMailStorage({ IMAGES_DIR: '', ...bucketSettings(bucket) }).put(randomUUID(), [
      { name: inboundMailFileName, body: Buffer.from('Subject: Re: Your report') },
    ]);
    // When every mail is sent, the effects of the orders are complete.
    await eventually(
      async () => {
        const { mails } = await totals(first.stack.databases);
        const { count, sent } = mails as { count: string; sent: string };
        expect(Number(count)).toBeGreaterThan(3);
        expect(sent).toBe(count);
      },
      { intervalMs: 200 },
    );
    await query(
      first.stack.databases.messaging,
      `INSERT INTO mails (id, template, params, to_address, message_id, state, priority, next_attempt_at)
       VALUES ('${queuedMailId}', 'resetPassword', '{"link":"https://site.test/reset-password#token=secret"}', 'ada@example.com', '<queued@site.test>',
         'queued', 0, now() + interval '1 day')`,
    );
    originalTotals = await totals(first.stack.databases);
  }, 180_000);
  afterAll(async () => {
    await first.stop();
    await second?.stop();
    await Promise.all([bucket.stop(), anotherBucket.stop()]);
    original.remove();
    empty.remove();
  });

  test('is taken while the site runs, and the command prints the longest time that writes waited, even if that was in an attempt that failed', async () => {
    // A long transaction: the first attempt gives up after two seconds.
    const writer = new pg.Client({ connectionString: first.stack.databases.identity });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('LOCK TABLE outbox_messages IN ROW EXCLUSIVE MODE');
    const taken = command(original.path, bucket, 'backup', folder);
    const waiting = () =>
      writer.query(`SELECT 1 FROM pg_locks WHERE mode = 'ShareLock' AND NOT granted
                      AND relation = 'outbox_messages'::regclass`);
    await eventually(async () => expect((await waiting()).rows).toHaveLength(1));
    await wait(2_200);
    await writer.end();
    const { code, output } = await taken;
    expect(Number(/writes waited (\d+) ms/.exec(output)?.[1])).toBeGreaterThanOrEqual(2_000);
    const counts = `${image.files.length} picture files, 1 invoices, 1 project files`;
    const expected = new RegExp(`${counts}; writes waited \\d+ ms`);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(expected) });
    expect(existsSync(join(folder, 'manifest.json'))).toBe(true);
  });

  test('cannot be taken of a site that was killed, and the command says so', async () => {
    const killed = temporaryDataDir();
    const databases = { content: 'postgres://127.0.0.1:1/content' };
    writeFileSync(join(killed.path, 'stack.json'), JSON.stringify({ databases }));
    const taken = await command(killed.path, bucket, 'backup', join(killed.path, 'copy'));
    expect(taken).toEqual({ code: 1, output: expect.stringContaining('is not running') });
    killed.remove();
  });

  test('cannot be restored while the site runs', async () => {
    const refused = await command(original.path, bucket, 'restore', folder);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('already running') });
  });

  test('restores the same totals, files and sign-ins (without --replace, only into empty databases), and sends no queued mail and none about earlier events', async () => {
    const restored = await command(empty.path, anotherBucket, 'restore', folder);
    expect(restored).toMatchObject({ code: 0 });
    const again = await command(empty.path, anotherBucket, 'restore', folder);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('not empty') });
    second = new Launch(empty.path, { ...env, ...bucketSettings(anotherBucket) });
    const url = await second.ready();
    expect(await totals(second.stack.databases)).toEqual(originalTotals);
    expect(bytesIn(anotherBucket)).toEqual(bytesIn(bucket));
    const privatePaths = [...anotherBucket.objects.keys()].filter((key) => key.startsWith('private/'));
    expect(privatePaths.map((key) => key.split('/')[1]).sort()).toEqual([
      ...['inbound-mail', 'invoices', 'project-files', 'project-previews'],
    ]);
    const shown = await fetch(url + image.address);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const buyer = await Session.signIn(url, {
      email: 'buyer@example.com',
      password: 'a fine long password',
    });
    expect((await buyer.get<unknown[]>('/orders')).json).toHaveLength(3);
    // The same people have access to the project's files.
    const { entries } = (await buyer.get<Thread>(`/project/${project._id}/thread`)).json;
    expect(entries).toContainEqual(expect.objectContaining({ text: 'See the screenshot.', files: [file] }));
    const download = (person: Session, suffix = '') =>
      fetch(`${url}/project-file/${file._id}${suffix}`, {
        headers: { Authorization: `Bearer ${person.bearer}` },
      });
    const served = await download(buyer);
    expect([served.status, Buffer.from(await served.arrayBuffer()).equals(fileBytes)]).toEqual([200, true]);
    const preview = await download(buyer, '/preview');
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await fetch(`${url}/project-file/${file._id}`)).status).toBe(401);
    const { status } = await Session.visitor(url).post('/add-message', {
      fullName: 'Grace',
      emailAddress: 'grace@example.com',
      subject: 'After the restore',
      message: 'Does it work?',
      messageStatus: 'UnRead',
    });
    expect(status).toBe(201);
    // The restored site has a mail catcher of its own, which is empty at first.
    const catcher = MailCatcher.at(second.stack.mail!.url);
    await eventually(
      async () => {
        const caught = await catcher.list();
        expect(caught.map(({ to, subject }) => [to, subject]).sort()).toEqual([
          [admin.email, 'New message: After the restore'],
          ['grace@example.com', expect.stringMatching(/^We’ve received your message to /)],
        ]);
        const former = originalTotals.mails as { count: string; sent: string };
        const { mails } = await totals(second!.stack.databases);
        expect(mails).toEqual({
          count: String(Number(former.count) + 2),
          sent: String(Number(former.sent) + 2),
        });
      },
      { intervalMs: 200 },
    );
    const [queued] = await query(
      second.stack.databases.messaging,
      `SELECT state, params, params_blanked AS blanked FROM mails WHERE id = '${queuedMailId}'`,
    );
    expect(queued).toEqual({ state: 'cancelled', params: {}, blanked: true });
    // Last, because a registration sends a mail, which would be counted above.
    const outsider = await Session.register(url, {
      email: 'outsider@example.com',
      password: 'a fine long password',
    });
    expect((await download(outsider)).status).toBe(404);
  }, 240_000);

  test('from an older version, which had no projects, is restored with an empty database of projects', async () => {
    await second?.stop();
    const older = join(original.path, 'an-older-backup');
    cpSync(folder, older, { recursive: true });
    rmSync(join(older, 'projects'), { recursive: true });
    const file = join(older, 'manifest.json');
    const { databases, ...manifest } = JSON.parse(readFileSync(file, 'utf8')) as {
      databases: Record<string, unknown>;
    };
    delete databases.projects;
    writeFileSync(file, JSON.stringify({ ...manifest, databases }));
    const restored = await command(empty.path, anotherBucket, 'restore', older, '--replace');
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('projects 0 rows') });
    second = new Launch(empty.path, { ...env, ...bucketSettings(anotherBucket) });
    await second.ready();
    // The projects service may have opened projects for the paid orders again.
    const { projects: _projects, entries: _entries, files: _files, ...others } = originalTotals;
    expect(await totals(second.stack.databases)).toMatchObject(others);
  }, 240_000);

  test('cannot be restored if the file of an invoice, a picture or a table is missing', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      databases: { orders: { tables: { name: string }[] } };
    };
    await second?.stop();
    const picture = join(folder, 'images', image._id, image.files[0]!.name);
    const table = join(folder, 'orders', `${manifest.databases.orders.tables[0]!.name}.copy.gz`);
    // The command checks tables, then pictures, then invoices, so each file is reported before those removed earlier.
    const [invoice] = readdirSync(join(folder, 'invoices'));
    for (const file of [join(folder, 'invoices', invoice!, 'invoice.pdf'), picture, table]) {
      rmSync(file);
      const damaged = await command(empty.path, anotherBucket, 'restore', folder, '--replace');
      // Tables are verified one by one, and all pictures or all invoices together, so their common folder is reported.
      const damagedPath = file === table ? file : dirname(dirname(file));
      expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining(`damaged: ${damagedPath}.`) });
    }
  });
});
