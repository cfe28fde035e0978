import { randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { expect } from '@jest/globals';
import type pg from 'pg';
import { type ProjectFile, uploadContentType } from '#libs/contracts';
import type { Answer, Session } from '#libs/testing';

/** The header that the tus protocol requires in every upload request. */
export const tus = { 'Tus-Resumable': '1.0.0' };
export const uploadContentTypeHeader = { 'Content-Type': uploadContentType };

/** The project has no entries. Returns its id. */
export async function insertProject(sql: pg.Client, accountId: string): Promise<string> {
  const id = randomUUID();
  await sql.query(
    `INSERT INTO projects (id, version, client_version, created_at, updated_at, number, account_id, customer_name,
       customer_email, package_name, title, state, state_since, labels, checklist, active_at)
     VALUES ($1, 1, 1, now(), now(), 1042, $2, 'Ada Lovelace', 'ada@example.com', 'SEO audit', 'SEO audit', 'in_progress',
       now(), '{}', '[]', now())`,
    [id, accountId],
  );
  return id;
}

/** For `Upload-Metadata`. */
export function metadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export function tryToBeginUpload(
  session: Session,
  projectId: string,
  bytes: number,
  moreMetadata: Record<string, string> = {},
): Promise<Answer> {
  return session.send('POST', '/project-uploads', {
    headers: {
      ...tus,
      'Upload-Length': String(bytes),
      'Upload-Metadata': metadata({ project: projectId, name: 'report.pdf', ...moreMetadata }),
    },
  });
}

/** Returns the upload's path. */
export async function beginUpload(...args: Parameters<typeof tryToBeginUpload>): Promise<string> {
  const answer = await tryToBeginUpload(...args);
  expect([answer.status, answer.text]).toEqual([201, '']);
  return answer.headers.get('location')!;
}

export function sendBytes(session: Session, path: string, offset: number, body: Uint8Array): Promise<Answer> {
  const headers = { ...tus, ...uploadContentTypeHeader, 'Upload-Offset': String(offset) };
  return session.send('PATCH', path, { headers, body });
}

/** Sends all bytes in one request. */
export async function uploadFile(
  session: Session,
  projectId: string,
  body: Uint8Array,
  moreMetadata: Record<string, string> = {},
): Promise<ProjectFile> {
  const path = await beginUpload(session, projectId, body.length, moreMetadata);
  expect((await sendBytes(session, path, 0, body)).status).toBe(204);
  return (await session.get<{ file: ProjectFile }>(path)).json.file;
}

export async function offsetOf(session: Session, path: string): Promise<number> {
  const answer = await session.send('HEAD', path, { headers: tus });
  expect(answer.status).toBe(200);
  return Number(answer.headers.get('upload-offset'));
}

export async function downloadFile(session: Session, id: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${session.url}/project-file/${id}`, {
    headers: { Authorization: `Bearer ${session.bearer}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

/** Announces a request of `announced` bytes, sends only `body`, and leaves the request open. Resolves once `body` is on its way. */
export async function sendPart(
  session: Session,
  path: string,
  body: Buffer,
  announced: number,
  offset = 0,
): Promise<ClientRequest> {
  const { hostname, port } = new URL(session.url);
  const sending = request({
    ...{ hostname, port, path, method: 'PATCH' },
    headers: {
      ...tus,
      ...uploadContentTypeHeader,
      'Upload-Offset': String(offset),
      'Content-Length': String(announced),
      Authorization: `Bearer ${session.bearer}`,
    },
  });
  sending.on('error', () => undefined);
  await new Promise<void>((sent) => sending.write(body, () => sent()));
  return sending;
}
