import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Inject, Injectable } from '@nestjs/common';
import { Server, Upload } from '@tus/server';
import type { Logger } from 'pino';
import {
  DomainError,
  fileLimits,
  type ProjectFile,
  projectFileContract,
  uploadContentType,
} from '#libs/contracts';
import { PROJECT_FILE_STORAGE, type ProjectFileStorage } from '#libs/file-storage';
import { LOGGER } from '#libs/platform';
import { type CallOptions, RpcClient } from '#libs/transport';
import { ConcurrencyLimit } from '../limits/concurrency-limit.js';
import { HttpFailure } from '../problem/problem.js';
import { tusVersion, type UploadRequest } from './tus-headers.js';
import { UploadLocks } from './upload-locks.js';

const retryAfterSeconds = 5;
/**
 * Requests that may send bytes at the same time. The limit per account keeps one person from blocking everybody else. Each request keeps a file open,
 * or with a bucket, a file in `/tmp` for each part that it is sending to the bucket.
 */
const sendingLimits = { perKey: 4, inTotal: 32, retryAfterSeconds };
/** How long, in milliseconds, a request may go on once another request waits for the upload's lock. */
const lockDrainTimeout = 500;

export interface UploadState {
  offset: number;
  bytes: number;
  /** Set once the upload is complete. */
  file: ProjectFile | null;
}

export interface SentBytes {
  body: Readable | undefined;
  offset: number;
  /** From `Content-Length`; undefined for a body of unknown length. */
  length: number | undefined;
}

/** Receives files of projects by the tus protocol (https://tus.io). The projects service decides who may upload what. */
@Injectable()
export class ProjectUploads {
  private server: Server | undefined;
  /** By account. */
  private readonly sending = new ConcurrencyLimit(sendingLimits);
  /** Requests that were asked to end, because another request continues or reads their upload. */
  private readonly interrupted = new WeakSet<Request>();

  constructor(
    @Inject(PROJECT_FILE_STORAGE) private readonly storage: ProjectFileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rpc: RpcClient,
    private readonly locks: UploadLocks,
  ) {}

  /** Returns the id of the new upload. Throws the errors of `beginUpload`, and UNAVAILABLE if the storage fails. */
  async begin(request: UploadRequest, caller: CallOptions): Promise<string> {
    const { fileId } = await this.rpc.call(projectFileContract.beginUpload, request, caller);
    try {
      const store = await this.storage.uploads.tusStore();
      await store.create(
        new Upload({ id: this.storage.uploads.keyOf(fileId), size: request.bytes, offset: 0 }),
      );
      return fileId;
    } catch (error) {
      this.logger.error({ err: error }, 'Could not begin an upload of a project file');
      await this.cancel(fileId, caller).catch(() => undefined);
      throw cannotStore();
    }
  }

  /**
   * Returns the state of an upload, and repairs what a crash has left: finishes an upload that has all bytes but is not a file yet, and cancels one
   * that was not created in storage. Throws NOT_FOUND, UNAVAILABLE.
   */
  async recoverState(id: string, caller: CallOptions): Promise<UploadState> {
    const { bytes, file } = await this.getUpload(id, caller);
    if (file) return { offset: bytes, bytes, file };
    const offset = await this.readOffset(id);
    if (offset === undefined) return this.cancelUnlessFinished(id, caller);
    return { offset, bytes, file: offset === bytes ? await this.finishAfterCrash(id, bytes, caller) : null };
  }

  /**
   * Resolves with the new offset. Throws INVALID_TRANSITION if the bytes do not continue what is there, UPLOAD_CONTINUED_ELSEWHERE if another request
   * continues or reads the upload meanwhile, BODY_TOO_LARGE, MALFORMED_REQUEST, NOT_FOUND, OVERLOADED, UNAVAILABLE. What arrived before an
   * interruption is kept.
   */
  async receive(id: string, sent: SentBytes, caller: CallOptions): Promise<number> {
    const { bytes, file } = await this.getUpload(id, caller);
    if (file) {
      // If the answer to the last bytes was lost, a client may send an empty request at the end of the file.
      if (sent.offset === bytes && !sent.length) return bytes;
      throw wrongOffset(bytes);
    }
    const release = this.sending.reserve('accountId' in caller.actor ? caller.actor.accountId : '');
    try {
      const offset = await this.write(id, sent);
      if (offset === bytes) await this.finish(id, caller);
      return offset;
    } finally {
      release();
    }
  }

  /** Throws NOT_FOUND. The service removes the bytes. */
  async cancel(id: string, caller: CallOptions): Promise<void> {
    await this.rpc.call(projectFileContract.cancelUpload, { id }, caller);
  }

  /** Throws NOT_FOUND unless the caller may continue the upload. */
  private getUpload(id: string, caller: CallOptions) {
    return this.rpc.call(projectFileContract.getUpload, { id }, caller);
  }

  /**
   * Finishes an upload that has all bytes. A gateway may have been killed before it told a bucket to join the parts. Writing zero bytes makes the
   * bucket join them.
   */
  private async finishAfterCrash(id: string, bytes: number, caller: CallOptions): Promise<ProjectFile> {
    try {
      return await this.finish(id, caller);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'INVALID_TRANSITION')) throw error;
      await this.write(id, { body: undefined, offset: bytes, length: 0 });
      return this.finish(id, caller);
    }
  }

  /** Throws INVALID_TRANSITION unless all bytes are in storage. */
  private finish(id: string, caller: CallOptions): Promise<ProjectFile> {
    return this.rpc.call(projectFileContract.finishUpload, { id }, caller);
  }

  /**
   * For an upload that is not in storage. Either another request has finished it, and its bytes were removed; or a gateway was killed before it
   * created the upload in storage.
   */
  private async cancelUnlessFinished(id: string, caller: CallOptions): Promise<UploadState> {
    const { bytes, file } = await this.getUpload(id, caller);
    if (file) return { offset: bytes, bytes, file };
    await this.cancel(id, caller);
    throw new DomainError('NOT_FOUND');
  }

  /** If another request is still writing, asks it to end and waits for it, so that the offset is final. Undefined if nothing is in storage. */
  private async readOffset(id: string): Promise<number | undefined> {
    const store = await this.storage.uploads.tusStore();
    const lock = this.locks.newLock(id);
    // This signal never aborts: the lock itself gives up after a few seconds.
    await lock
      .lock(new AbortController().signal, () => undefined)
      .catch((error: unknown) => {
        throw this.failure(error);
      });
    try {
      return (await store.getUpload(this.storage.uploads.keyOf(id))).offset;
    } catch (error) {
      if (statusOf(error) !== 404) throw this.failure(error);
      return undefined;
    } finally {
      await lock.unlock();
    }
  }

  private async write(id: string, { body, offset, length }: SentBytes): Promise<number> {
    const server = (this.server ??= await this.openServer());
    const headers = {
      'tus-resumable': tusVersion,
      'content-type': uploadContentType,
      'upload-offset': String(offset),
      ...(length !== undefined && { 'content-length': String(length) }),
    };
    const request = new Request(`http://upload/${id}`, { method: 'PATCH', headers, ...bodyOf(body) });
    const answer = await server.handleWeb(request);
    const isInterrupted = this.interrupted.has(request);
    if (answer.status === 204) {
      const newOffset = Number(answer.headers.get('upload-offset'));
      // A request that was asked to end may have written all its bytes before.
      if (!isInterrupted || (length !== undefined && newOffset >= offset + length)) return newOffset;
    }
    // Discards the rest, so that the client can read the answer and use the connection again.
    body?.resume();
    if (isInterrupted) throw new HttpFailure('UPLOAD_CONTINUED_ELSEWHERE');
    throw this.failure({ status_code: answer.status, body: await answer.text() });
  }

  private async openServer(): Promise<Server> {
    const { uploads } = this.storage;
    return new Server({
      path: '/project-uploads',
      datastore: await uploads.tusStore(),
      locker: (request) => ({
        newLock: (key) =>
          this.locks.newLock(key.slice(key.lastIndexOf('/') + 1), () => void this.interrupted.add(request)),
      }),
      lockDrainTimeout,
      maxSize: fileLimits.bytes,
      getFileIdFromRequest: (_request, last = '') => uploads.keyOf(last),
    });
  }

  /** Every error without one of these statuses, such as one of the storage or of Redis, becomes UNAVAILABLE. */
  private failure(error: unknown): Error {
    const status = statusOf(error);
    if (status === 409) return wrongOffset();
    if (status === 413) return new HttpFailure('BODY_TOO_LARGE');
    if (status === 404 || status === 410) return new DomainError('NOT_FOUND');
    if (status === 400) return new HttpFailure('MALFORMED_REQUEST');
    this.logger.error({ err: error }, 'Could not write to or read from an upload of a project file');
    return cannotStore();
  }
}

/**
 * If the client disconnects, the returned body ends early instead of failing. So everything that has arrived is kept, even a last piece that is
 * smaller than the parts that a bucket accepts.
 */
function bodyOf(body: Readable | undefined): Pick<RequestInit, 'body'> & { duplex?: 'half' } {
  if (!body) return {};
  const passed = new PassThrough();
  const end = () => {
    // If the storage is slower than the client, bytes that arrived before the connection ended are still in the buffer.
    for (let rest: unknown; (rest = body.read()) !== null;) passed.write(rest);
    passed.end();
  };
  body.once('error', end).once('close', () => passed.end());
  body.pipe(passed);
  return { body: Readable.toWeb(passed) as ReadableStream<Uint8Array> as BodyInit, duplex: 'half' };
}

function statusOf(error: unknown): number | undefined {
  return (error as { status_code?: number } | undefined)?.status_code;
}

function wrongOffset(offset?: number): DomainError {
  const where = offset === undefined ? '' : ` It continues at byte ${offset}.`;
  return new DomainError('INVALID_TRANSITION', {}, `These bytes don’t continue the upload.${where}`);
}

const cannotStore = () =>
  new DomainError('UNAVAILABLE', { retryAfterSeconds }, 'We can’t store files right now. Try again later.');
