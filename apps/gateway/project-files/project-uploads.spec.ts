import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FileStore } from '@tus/file-store';
import { type RequestRelease, Upload } from '@tus/server';
import type { ProjectFileStorage } from '#libs/file-storage';
import { createLogger } from '#libs/platform';
import { type CallOptions, RpcClient } from '#libs/transport';
import { eventually } from '#libs/testing';
import { ProjectUploads } from './project-uploads.js';
import type { UploadLocks } from './upload-locks.js';

const caller = { actor: { role: 'customer', accountId: 'ada' } } as unknown as CallOptions;
const bytes = 3_000;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'project-uploads-'));
});

afterAll(() => rm(directory, { recursive: true }));

async function beginSending(id: string) {
  const store = new FileStore({ directory });
  await store.create(new Upload({ id, size: bytes, offset: 0 }));
  /** The callbacks of the request that holds the upload's lock. */
  const callbacks: { requestRelease?: RequestRelease; onWanted?: () => void } = {};
  const locks = {
    newLock: (_id: string, onWanted: () => void) => ({
      lock: async (_signal: AbortSignal, requestRelease: RequestRelease) =>
        void Object.assign(callbacks, { requestRelease, onWanted }),
      unlock: async () => {},
    }),
  } as unknown as UploadLocks;
  const storage = { uploads: { tusStore: async () => store, keyOf: (key: string) => key } };
  const rpc = { call: async () => ({ bytes, file: null }) };
  const uploads = new ProjectUploads(
    storage as unknown as ProjectFileStorage,
    createLogger('gateway', 'silent'),
    rpc as unknown as RpcClient,
    locks,
  );
  const body = new PassThrough();
  const sent = uploads.send(id, { body, offset: 0, length: bytes }, caller);
  body.write(Buffer.alloc(1_000));
  await eventually(async () => expect((await store.getUpload(id)).offset).toBe(1_000));
  return { callbacks, sent };
}

test('a request that another one asked to end is refused', async () => {
  const { callbacks, sent } = await beginSending('wanted');
  callbacks.onWanted?.();
  void callbacks.requestRelease?.();
  await expect(sent).rejects.toMatchObject({ code: 'UPLOAD_CONTINUED_ELSEWHERE' });
});

test('a request that has lost its lock in Redis answers how much has arrived, so that the client goes on', async () => {
  const { callbacks, sent } = await beginSending('lost');
  void callbacks.requestRelease?.();
  expect(await sent).toBe(1_000);
});
