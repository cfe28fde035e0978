import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { FileStore } from '@tus/file-store';
import { type RequestRelease, Upload } from '@tus/server';
import { projectFileContract } from '#libs/contracts';
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

function uploadsIn(store: FileStore, rpc: unknown, locks: unknown): ProjectUploads {
  const storage = { uploads: { tusStore: async () => store, keyOf: (id: string) => id } };
  return new ProjectUploads(
    storage as unknown as ProjectFileStorage,
    createLogger('gateway', 'silent'),
    rpc as RpcClient,
    locks as UploadLocks,
  );
}

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
  };
  const uploads = uploadsIn(store, { call: async () => ({ bytes, file: null }) }, locks);
  const body = new PassThrough();
  const sent = uploads.receive(id, { body, offset: 0, length: bytes }, caller);
  body.write(Buffer.alloc(1_000));
  await eventually(async () => expect((await store.getUpload(id)).offset).toBe(1_000));
  return { callbacks, sent };
}

test('a request fails when another request takes over its upload', async () => {
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

test('`recoverState` returns the file of an upload that another request has just finished, and cancels nothing', async () => {
  const file = { _id: 'finished' };
  let isFinished = false;
  const call = jest.fn(async (..._: unknown[]) => ({ bytes, file: isFinished ? file : null }));
  // The other request finishes the upload while this one waits for the lock. The store is empty, because the bytes were then removed.
  const lock = { lock: async () => void (isFinished = true), unlock: async () => {} };
  const uploads = uploadsIn(new FileStore({ directory }), { call }, { newLock: () => lock });
  expect(await uploads.recoverState('finished', caller)).toEqual({ offset: bytes, bytes, file });
  expect(call).not.toHaveBeenCalledWith(projectFileContract.cancelUpload, expect.anything(), caller);
});
