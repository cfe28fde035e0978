import { createHash, randomBytes } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { S3StandIn } from '../../../dev/stand-ins/s3/s3.js';
import type { ProjectFile } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import {
  beginUpload,
  downloadFile,
  insertProject,
  offsetOf,
  sendBytes,
  sendPart,
  tus,
} from './project-uploads.js';
import { accountIdOf, type SiteUnderTest, startSite } from './site.harness.js';

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'a secret/with+signs' };
/** A gateway stores uploads in a bucket in parts of this size. */
const partBytes = 5 * 1024 * 1024;
const wholeParts = (bytes: number) => bytes - (bytes % partBytes);
/** Sends what was already written, and then closes the connection in the middle of the body. */
const breakOff = ({ socket }: ClientRequest) => socket!.end();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(['a bucket', 'a folder'] as const)('in %s', (place) => {
  let s3: S3StandIn | undefined;
  let site: SiteUnderTest;
  let sql: pg.Client;
  let owner: Session;

  beforeAll(async () => {
    s3 = place === 'a bucket' ? await S3StandIn.start('files', credentials) : undefined;
    const settings: Record<string, string> = s3
      ? {
          IMAGES_S3_URL: `${s3.url}/site`,
          IMAGES_S3_REGION: credentials.region,
          IMAGES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
          IMAGES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        }
      : {};
    site = await startSite({
      processes: ['projects'],
      without: ['content', 'orders', 'messaging'],
      gateways: 2,
      settings,
      projectsSettings: settings,
    });
    sql = new pg.Client({ connectionString: site.databaseUrls.projects });
    await sql.connect();
    owner = await site.customer();
  });
  afterAll(async () => {
    await sql?.end();
    await site?.stop();
    await s3?.stop();
  });

  const atOtherGateway = () => owner.at(site.gateways[1]!.url);

  /** The session is the owner's. */
  async function startKillableGateway(): Promise<{ session: Session; kill: () => Promise<void> }> {
    const { url, kill } = await site.startGatewayProcess();
    return { session: owner.at(url), kill };
  }

  const idOf = (path: string) => path.split('/').at(-1)!;

  /** How many bytes of an upload remain if its gateway is killed. */
  async function storedBytes(path: string): Promise<number> {
    const id = idOf(path);
    if (!s3) return (await stat(join(site.filesDir, 'private', 'project-uploads', id))).size;
    const key = `site/private/project-uploads/${id}`;
    // When a request ends, the bytes that do not fill a part are stored in an object of their own.
    const objects = [key, `${key}.part`].map((name) => s3!.objects.get(name)?.body.length ?? 0);
    const uploads = [...s3.uploads.values()].filter((upload) => upload.key.endsWith(id));
    const parts = uploads.flatMap((upload) => [...upload.parts.values()]).map((part) => part.length);
    return [...objects, ...parts].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Stored objects or files of the upload, without the complete file that it has become. */
  async function leftoversOf(path: string): Promise<string[]> {
    const id = idOf(path);
    if (!s3) {
      const names = await readdir(join(site.filesDir, 'private', 'project-uploads'));
      return names.filter((name) => name.startsWith(id));
    }
    const objects = [...s3.objects.keys()].filter((key) => key.includes(`project-uploads/${id}`));
    return [...objects, ...[...s3.uploads.values()].map(({ key }) => key).filter((key) => key.endsWith(id))];
  }

  async function usageOf(projectId: string): Promise<unknown> {
    const { rows } = await sql.query(
      `SELECT count(*)::int AS files, sum(bytes)::int AS bytes FROM project_files WHERE project_id = $1 AND deleted_at IS NULL`,
      [projectId],
    );
    return rows[0];
  }

  async function expectOneFile(projectId: string, path: string, body: Buffer): Promise<void> {
    const { json } = await atOtherGateway().get<{ offset: number; file: ProjectFile }>(path);
    expect([json.offset, json.file.bytes]).toEqual([body.length, body.length]);
    expect(sha256((await downloadFile(atOtherGateway(), json.file._id)).body)).toBe(sha256(body));
    expect(await usageOf(projectId)).toEqual({ files: 1, bytes: body.length });
    await eventually(async () => expect(await leftoversOf(path)).toEqual([]));
  }

  test('an upload continues at another gateway after its first gateway was killed, and becomes one file', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(20_000_000);
    const { session, kill } = await startKillableGateway();
    const path = await beginUpload(session, projectId, body.length);
    await sendPart(session, path, body.subarray(0, 12_000_000), body.length);
    // A killed gateway leaves only whole parts in a bucket. The other bytes that it had received are sent again.
    const kept = s3 ? wholeParts(12_000_000) : 12_000_000;
    await eventually(async () => expect(await storedBytes(path)).toBe(kept));
    await kill();
    const offset = await offsetOf(atOtherGateway(), path);
    expect(offset).toBe(kept);
    expect((await sendBytes(atOtherGateway(), path, 0, body)).status).toBe(409);
    const sent = await sendBytes(atOtherGateway(), path, offset, body.subarray(offset));
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, String(body.length)]);
    await expectOneFile(projectId, path, body);
  });

  test('an upload continues at a restarted gateway, however often the gateway is killed', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(30_000_000);
    let { session, kill } = await startKillableGateway();
    const path = await beginUpload(session, projectId, body.length);
    let offset = 0;
    for (const until of [10_000_000, 20_000_000]) {
      await sendPart(session, path, body.subarray(offset, until), body.length - offset, offset);
      const kept = s3 ? offset + wholeParts(until - offset) : until;
      await eventually(async () => expect(await storedBytes(path)).toBe(kept));
      await kill();
      ({ session, kill } = await startKillableGateway());
      offset = await offsetOf(session, path);
      expect(offset).toBe(kept);
    }
    expect((await sendBytes(session, path, offset, body.subarray(offset))).status).toBe(204);
    await expectOneFile(projectId, path, body);
  });

  test('an upload becomes one file although its gateway was killed after the last byte and before the answer', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(9_000_000);
    const { session, kill } = await startKillableGateway();
    const path = await beginUpload(session, projectId, body.length);
    const first = partBytes + 100_000;
    const sending = await sendPart(session, path, body.subarray(0, first), body.length);
    await eventually(async () => expect(await storedBytes(path)).toBe(s3 ? partBytes : first));
    // Until the gateway has been killed, the projects service is suspended, so the upload cannot become a file.
    const [projects] = site.projects;
    projects!.process!.child.kill('SIGSTOP');
    try {
      sending.end(body.subarray(first));
      await eventually(async () => expect(await storedBytes(path)).toBe(body.length));
      await kill();
    } finally {
      projects!.process!.child.kill('SIGCONT');
    }
    await eventually(async () => {
      const { json } = await atOtherGateway().get<{ file: ProjectFile | null }>(path);
      expect(json.file?.bytes).toBe(body.length);
    });
    await expectOneFile(projectId, path, body);
  });

  test('an upload continues at another gateway after its connection broke off, and no byte that had arrived is sent again', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(20_000_000);
    const path = await beginUpload(owner, projectId, body.length);
    breakOff(await sendPart(owner, path, body.subarray(0, 12_000_000), body.length));
    // The test looks into the storage, because a request for the offset would end the writing.
    await eventually(async () => expect(await storedBytes(path)).toBe(12_000_000));
    expect(await offsetOf(atOtherGateway(), path)).toBe(12_000_000);
    expect((await sendBytes(atOtherGateway(), path, 12_000_000, body.subarray(12_000_000))).status).toBe(204);
    await expectOneFile(projectId, path, body);
  });

  test('an abandoned upload leaves nothing behind after its deadline, and no longer counts towards the project’s limits', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const path = await beginUpload(owner, projectId, 20_000_000);
    breakOff(await sendPart(owner, path, randomBytes(12_000_000), 20_000_000));
    await eventually(async () => expect(await storedBytes(path)).toBe(12_000_000));
    await sql.query('UPDATE project_files SET expires_at = now() WHERE id = $1', [idOf(path)]);
    expect((await atOtherGateway().send('HEAD', path, { headers: tus })).status).toBe(404);
    // Cancelling an upload makes the service look for expired ones.
    const cancelled = await beginUpload(owner, projectId, 1);
    expect((await owner.send('DELETE', cancelled, { headers: tus })).status).toBe(204);
    await eventually(async () => {
      expect(await leftoversOf(path)).toEqual([]);
      expect(await usageOf(projectId)).toEqual({ files: 0, bytes: null });
    });
  });
});
