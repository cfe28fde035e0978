import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { ProjectFile } from '#libs/contracts';
import { eventually, type Session, fullTest } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import {
  beginUpload,
  downloadFile,
  insertProject,
  metadata,
  offsetOf,
  sendBytes,
  sendPart,
  tus,
  uploadFile,
} from './project-uploads.js';
import { accountIdOf, type SiteUnderTest, startSite } from './site.harness.js';

const oneByte = Buffer.from('x');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let site: SiteUnderTest;
let sql: pg.Client;
let admin: Session;
let owner: Session;
let outsider: Session;
let projectId: string;
beforeAll(async () => {
  site = await startSite({
    without: ['content', 'orders', 'messaging'],
    processes: ['projects'],
    gateways: 2,
  });
  sql = new pg.Client({ connectionString: site.databaseUrls.projects });
  await sql.connect();
  [admin, owner, outsider] = [await site.admin(), await site.customer(), await site.customer()];
  projectId = await insertProject(sql, accountIdOf(owner));
});
afterAll(async () => {
  await sql?.end();
  await site?.stop();
});

const begin = (session: Session, bytes: number, more?: Record<string, string>) =>
  beginUpload(session, projectId, bytes, more);
const upload = (session: Session, body: Uint8Array, more?: Record<string, string>) =>
  uploadFile(session, projectId, body, more);

describe('an upload', () => {
  test('continues at another gateway after a dropped connection, and nothing is lost or doubled', async () => {
    const body = randomBytes(3_000_000);
    const path = await begin(owner, body.length);
    (await sendPart(owner, path, body.subarray(0, 1_000_000), body.length)).destroy();
    const atOtherGateway = owner.at(site.gateways[1]!.url);
    await eventually(async () => expect(await offsetOf(atOtherGateway, path)).toBe(1_000_000));
    expect((await sendBytes(atOtherGateway, path, 0, body)).status).toBe(409);
    const rest = await sendBytes(atOtherGateway, path, 1_000_000, body.subarray(1_000_000));
    expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(body.length)]);
    const { json } = await owner.get<{ offset: number; file: ProjectFile }>(path);
    expect([json.offset, json.file.bytes]).toEqual([body.length, body.length]);
    expect(sha256((await downloadFile(owner, json.file._id)).body)).toBe(sha256(body));
  });

  test('is interrupted with 423 when another request asks how much has arrived, and a new request can then send the rest', async () => {
    const body = randomBytes(3_000);
    const path = await begin(owner, body.length);
    const first = await sendPart(owner, path, body.subarray(0, 1_000), body.length);
    let answer: IncomingMessage | undefined;
    first.once('response', (response) => (answer = response));
    await eventually(async () => {
      expect(await offsetOf(owner, path)).toBe(1_000);
      expect(answer).toBeDefined();
    });
    first.end(body.subarray(1_000));
    const problem = (await json(answer!)) as Problem;
    expect([answer!.statusCode, problem.code, problem.detail]).toEqual([
      ...[423, 'UPLOAD_CONTINUED_ELSEWHERE'],
      'This file is being uploaded elsewhere, for example in another tab.',
    ]);
    expect(answer!.headers['content-type']).toMatch('application/problem+json');
    expect((await sendBytes(owner, path, 1_000, body.subarray(1_000))).status).toBe(204);
  });

  test('becomes one file although the projects service is killed while the last bytes arrive', async () => {
    const body = randomBytes(500_000);
    const path = await begin(owner, body.length);
    expect((await sendBytes(owner, path, 0, body.subarray(0, 400_000))).status).toBe(204);
    const sending = sendBytes(owner, path, 400_000, body.subarray(400_000));
    await site.projects[0]!.kill();
    await site.startProjects();
    await sending;
    await eventually(async () => expect(await offsetOf(owner, path)).toBeGreaterThanOrEqual(400_000));
    const offset = await offsetOf(owner, path);
    if (offset < body.length) await sendBytes(owner, path, offset, body.subarray(offset));
    const { json } = await owner.get<{ file: ProjectFile }>(path);
    expect(sha256((await downloadFile(owner, json.file._id)).body)).toBe(sha256(body));
    const { rows } = await sql.query('SELECT count(*)::int AS files FROM project_files WHERE bytes = $1', [
      body.length,
    ]);
    expect(rows).toEqual([{ files: 1 }]);
  });

  test('does not exist for other customers and for admins', async () => {
    const path = await begin(owner, 10);
    for (const session of [outsider, admin]) {
      for (const method of ['HEAD', 'GET', 'DELETE'])
        expect((await session.send(method, path, { headers: tus })).status).toBe(404);
      expect((await sendBytes(session, path, 0, oneByte)).status).toBe(404);
    }
    expect((await site.visitor.get(path)).status).toBe(401);
    expect((await sendBytes(site.visitor, path, 0, oneByte)).status).toBe(401);
    expect((await owner.send('DELETE', path, { headers: tus })).status).toBe(204);
    expect((await owner.get(path)).status).toBe(404);
  });

  test('is refused with 503 while four others of the same person stall, but accepted from another person', async () => {
    const sending: ClientRequest[] = [];
    for (let n = 0; n < 4; n += 1) sending.push(await sendPart(owner, await begin(owner, 10), oneByte, 10));
    const path = await begin(owner, 1);
    await eventually(async () => expect((await sendBytes(owner, path, 0, oneByte)).status).toBe(503));
    const adminsPath = await begin(admin, 1, { side: 'staff' });
    expect((await sendBytes(admin, adminsPath, 0, oneByte)).status).toBe(204);
    for (const one of sending) one.destroy();
    await eventually(async () => expect((await sendBytes(owner, path, 0, oneByte)).status).toBe(204));
  });

  test('takes no more bytes than were announced', async () => {
    const path = await begin(owner, 10);
    expect((await sendBytes(owner, path, 0, randomBytes(11))).status).toBe(413);
    expect(await offsetOf(owner, path)).toBe(0);
  });

  test.each([
    ['another version of tus', { 'Tus-Resumable': '0.2.2', 'Upload-Length': '5' }, 412],
    ['no length', { ...tus }, 400],
    ['no bytes', { ...tus, 'Upload-Length': '0' }, 400],
    ['more than 200 MB', { ...tus, 'Upload-Length': '209715201' }, 400],
    ['no project', { ...tus, 'Upload-Length': '5', 'Upload-Metadata': 'name eA==' }, 400],
  ])('with %s is refused', async (_what, headers, status) => {
    const given = { 'Upload-Metadata': metadata({ project: projectId }), ...headers };
    expect((await owner.send('POST', '/project-uploads', { headers: given })).status).toBe(status);
  });
});

describe('a download', () => {
  test('is an attachment that no browser runs, shows or keeps, with a name that is safe', async () => {
    const body = Buffer.from('<script>alert(1)</script>');
    const file = await upload(owner, body, { name: '../"Größe";\r\nX: y\u202E.html' });
    const { status, headers, body: received } = await downloadFile(owner, file._id);
    expect([status, received.toString()]).toEqual([200, body.toString()]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="_Gro_e_; X_ y.html"; filename*=UTF-8''_Gr%C3%B6%C3%9Fe_%3B%20X_%20y.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'content-length': String(body.length),
    });
  });

  test('can be limited to a range of bytes', async () => {
    const body = randomBytes(1_000);
    const { _id } = await upload(owner, body);
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 100],
      ['bytes=990-', 990, 1_000],
      ['bytes=-10', 990, 1_000],
      ['bytes=500-5000', 500, 1_000],
    ] as const) {
      const part = await downloadFile(owner, _id, { Range: range });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end - 1}/1000`,
      ]);
      expect(part.body.equals(body.subarray(start, end))).toBe(true);
    }
    const beyond = await downloadFile(owner, _id, { Range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(beyond.headers.get('content-type')).toMatch('application/problem+json');
    expect(beyond.headers.get('content-disposition')).toBeNull();
    expect(JSON.parse(beyond.body.toString())).toMatchObject({ status: 416, code: 'RANGE_NOT_SATISFIABLE' });
    expect((await downloadFile(owner, _id, { Range: 'bytes=0-1,5-6' })).status).toBe(200);
    for (const Range of ['bytes=0-1', 'bytes=1000-']) {
      const { status, headers } = await owner.send('HEAD', `/project-file/${_id}`, { headers: { Range } });
      expect([status, headers.get('content-length')]).toEqual([200, '1000']);
    }
    expect((await downloadFile(owner, _id, { Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200);
  });

  test('whose bytes are not in the storage is refused without the headers of the file', async () => {
    const { _id } = await upload(owner, Buffer.from('lost'));
    await rm(join(site.filesDir, `private/project-files/${_id}`), { recursive: true });
    const { status, headers } = await downloadFile(owner, _id, { Range: 'bytes=0-1' });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    for (const name of ['content-disposition', 'etag', 'accept-ranges', 'content-range'])
      expect([name, headers.get(name)]).toEqual([name, null]);
  });

  test('is refused to other customers, and to admins until the file is part of a message; no other address serves the file', async () => {
    const { _id } = await upload(owner, Buffer.from('secret'));
    for (const session of [outsider, admin]) {
      expect((await session.get(`/project-file/${_id}`)).status).toBe(404);
      expect((await session.get(`/project-file/${_id}/preview`)).status).toBe(404);
    }
    expect((await site.visitor.get(`/project-file/${_id}`)).status).toBe(401);
    for (const path of [
      `/images/${_id}/file`,
      `/images/private/project-files/${_id}/file`,
      `/images/..%2fprivate%2fproject-files%2f${_id}%2ffile`,
    ])
      expect((await site.visitor.get(path)).text).not.toContain('secret');
    await sql.query(`UPDATE project_files SET attached_to = 'message', attached_id = $1 WHERE id = $2`, [
      randomUUID(),
      _id,
    ]);
    expect((await admin.get(`/project-file/${_id}`)).text).toBe('secret');
    expect((await outsider.get(`/project-file/${_id}`)).status).toBe(404);
  });
});

fullTest('200 MB pass through the gateway in little memory', async () => {
  const chunk = randomBytes(8 * 1024 * 1024);
  const bytes = 25 * chunk.length;
  const path = await begin(owner, bytes);
  const before = process.memoryUsage().rss;
  let peak = before;
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const started = performance.now();
  for (let offset = 0; offset < bytes; offset += chunk.length)
    expect((await sendBytes(owner, path, offset, chunk)).status).toBe(204);
  const sent = performance.now();
  const { file } = (await owner.get<{ file: ProjectFile }>(path)).json;
  const answer = await fetch(`${site.url}/project-file/${file._id}`, {
    headers: { Authorization: `Bearer ${owner.bearer}` },
  });
  let received = 0;
  for await (const part of answer.body!) received += (part as Uint8Array).length;
  const ended = performance.now();
  clearInterval(watching);
  expect(received).toBe(bytes);
  const rate = (ms: number) => Math.round(bytes / 1e6 / (ms / 1000));
  // oxlint-disable-next-line no-console -- a measurement.
  console.log(
    `upload ${rate(sent - started)} MB/s, download ${rate(ended - sent)} MB/s, gateway and client grew by ${Math.round((peak - before) / 1e6)} MB`,
  );
  expect(peak - before).toBeLessThan(150_000_000);
});
