import { createHash, randomBytes } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { S3StandIn } from '../../../dev/stand-ins/s3/s3.js';
import type { ProjectFile } from '#libs/contracts';
import { eventually, type ServiceProcess, type Session, startServiceProcess } from '#libs/testing';
import {
  accountIdOf,
  beginUpload,
  downloadFile,
  offsetOf,
  insertProject,
  sendBytes,
  sendPart,
  tus,
} from './project-uploads.js';
import { publicUrl, type SiteUnderTest, startSite } from './site.harness.js';

/*
 * Uploads of project files, with the bytes in a bucket or in a folder, while gateways are killed and connections break off.
 */

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'a secret/with+signs' };
/** A bucket takes parts of this size. */
const partBytes = 5 * 1024 * 1024;
const wholeParts = (bytes: number) => bytes - (bytes % partBytes);
/** Closes the connection in the middle of a body, after what was sent has arrived. */
const breakOff = ({ socket }: ClientRequest) => socket!.end();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(['a bucket', 'a folder'] as const)('in %s', (place) => {
  let s3: S3StandIn | undefined;
  let settings: Record<string, string>;
  let site: SiteUnderTest;
  let sql: pg.Client;
  let owner: Session;
  const started: ServiceProcess[] = [];

  beforeAll(async () => {
    s3 = place === 'a bucket' ? await S3StandIn.start('files', credentials) : undefined;
    settings = s3
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
    for (const { child } of started) child.kill('SIGKILL');
    await sql?.end();
    await site?.stop();
    await s3?.stop();
  });

  const other = () => owner.at(site.gateways[1]!.url);

  /** A gateway as a process, which can be killed. */
  async function gatewayProcess(): Promise<{ session: Session; kill: () => Promise<unknown> }> {
    const gateway = startServiceProcess('gateway', {
      ...{ REDIS_URL: site.redis.url, WEB_URL: site.web.url, IMAGES_DIR: site.filesDir },
      ...{ PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: publicUrl, HEALTH_PORT: '0' },
      ...settings,
    });
    started.push(gateway);
    // Does not wait for `ready()`: without the content service, the gateway is not ready for visitors, but it answers these calls.
    const port = await eventually(
      () => {
        const line = gateway.log.find(({ msg }) => msg === 'Ready');
        if (!line) throw new Error(`The gateway has not started: ${gateway.stderr}`);
        return line.port as number;
      },
      { timeoutMs: 60_000 },
    );
    const kill = () => (gateway.child.kill('SIGKILL'), gateway.exited);
    return { session: owner.at(`http://127.0.0.1:${port}`), kill };
  }

  const idOf = (path: string) => path.split('/').at(-1)!;

  /** How many bytes of an upload the storage has, whatever becomes of its gateway. */
  async function storedBytes(path: string): Promise<number> {
    const id = idOf(path);
    if (!s3) return (await stat(join(site.filesDir, 'private', 'project-uploads', id))).size;
    const key = `site/private/project-uploads/${id}`;
    // What is too small for a part is an object of its own.
    const objects = [key, `${key}.part`].map((name) => s3!.objects.get(name)?.body.length ?? 0);
    const uploads = [...s3.uploads.values()].filter((upload) => upload.key.endsWith(id));
    const parts = uploads.flatMap((upload) => [...upload.parts.values()]).map((part) => part.length);
    return [...objects, ...parts].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** What is left of an upload in storage, besides the complete file. */
  async function leftOvers(path: string): Promise<string[]> {
    const id = idOf(path);
    if (!s3) {
      const names = await readdir(join(site.filesDir, 'private', 'project-uploads'));
      return names.filter((name) => name.startsWith(id));
    }
    const objects = [...s3.objects.keys()].filter((key) => key.includes(`project-uploads/${id}`));
    return [...objects, ...[...s3.uploads.values()].map(({ key }) => key).filter((key) => key.endsWith(id))];
  }

  /** How many files a project has, and how many bytes they take. */
  async function roomOf(projectId: string): Promise<unknown> {
    const { rows } = await sql.query(
      `SELECT count(*)::int AS files, sum(bytes)::int AS bytes FROM project_files WHERE project_id = $1 AND deleted_at IS NULL`,
      [projectId],
    );
    return rows[0];
  }

  /** The upload has become one file with these bytes. */
  async function expectOnce(projectId: string, path: string, body: Buffer): Promise<void> {
    const { json } = await other().get<{ offset: number; file: ProjectFile }>(path);
    expect([json.offset, json.file.bytes]).toEqual([body.length, body.length]);
    expect(sha256((await downloadFile(other(), json.file._id)).body)).toBe(sha256(body));
    expect(await roomOf(projectId)).toEqual({ files: 1, bytes: body.length });
    await eventually(async () => expect(await leftOvers(path)).toEqual([]));
  }

  test('an upload goes on at another gateway after its first gateway was killed, and arrives once', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(20_000_000);
    const { session, kill } = await gatewayProcess();
    const path = await beginUpload(session, projectId, body.length);
    await sendPart(session, path, body.subarray(0, 12_000_000), body.length);
    // A bucket has whole parts; what else the gateway had received is sent again.
    const kept = s3 ? wholeParts(12_000_000) : 12_000_000;
    await eventually(async () => expect(await storedBytes(path)).toBe(kept));
    await kill();
    const offset = await offsetOf(other(), path);
    expect(offset).toBe(kept);
    expect((await sendBytes(other(), path, 0, body)).status).toBe(409);
    const sent = await sendBytes(other(), path, offset, body.subarray(offset));
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, String(body.length)]);
    await expectOnce(projectId, path, body);
  });

  test('an upload goes on at the restarted gateway, as often as it is killed', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(30_000_000);
    let { session, kill } = await gatewayProcess();
    const path = await beginUpload(session, projectId, body.length);
    let offset = 0;
    for (const until of [10_000_000, 20_000_000]) {
      await sendPart(session, path, body.subarray(offset, until), body.length - offset, offset);
      const kept = s3 ? offset + wholeParts(until - offset) : until;
      await eventually(async () => expect(await storedBytes(path)).toBe(kept));
      await kill();
      ({ session, kill } = await gatewayProcess());
      offset = await offsetOf(session, path);
      expect(offset).toBe(kept);
    }
    expect((await sendBytes(session, path, offset, body.subarray(offset))).status).toBe(204);
    await expectOnce(projectId, path, body);
  });

  test('an upload becomes one file although its gateway was killed after the last byte and before the answer', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(9_000_000);
    const { session, kill } = await gatewayProcess();
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
      const { json } = await other().get<{ file: ProjectFile | null }>(path);
      expect(json.file?.bytes).toBe(body.length);
    });
    await expectOnce(projectId, path, body);
  });

  test('an upload goes on at another gateway after its connection broke off, with every byte that had arrived', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const body = randomBytes(20_000_000);
    const path = await beginUpload(owner, projectId, body.length);
    breakOff(await sendPart(owner, path, body.subarray(0, 12_000_000), body.length));
    // Looks into the storage, because a request for the offset would end the writing.
    await eventually(async () => expect(await storedBytes(path)).toBe(12_000_000));
    expect(await offsetOf(other(), path)).toBe(12_000_000);
    expect((await sendBytes(other(), path, 12_000_000, body.subarray(12_000_000))).status).toBe(204);
    await expectOnce(projectId, path, body);
  });

  test('an upload that is abandoned leaves nothing behind after its deadline, and its room is free again', async () => {
    const projectId = await insertProject(sql, accountIdOf(owner));
    const path = await beginUpload(owner, projectId, 20_000_000);
    breakOff(await sendPart(owner, path, randomBytes(12_000_000), 20_000_000));
    await eventually(async () => expect(await storedBytes(path)).toBe(12_000_000));
    await sql.query('UPDATE project_files SET expires_at = now() WHERE id = $1', [idOf(path)]);
    expect((await other().send('HEAD', path, { headers: tus })).status).toBe(404);
    // Cancelling an upload makes the service look for expired ones.
    const cancelled = await beginUpload(owner, projectId, 1);
    expect((await owner.send('DELETE', cancelled, { headers: tus })).status).toBe(204);
    await eventually(async () => {
      expect(await leftOvers(path)).toEqual([]);
      expect(await roomOf(projectId)).toEqual({ files: 0, bytes: null });
    });
  });
});
