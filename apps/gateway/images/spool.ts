import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { HttpFailure } from '../problem/problem.js';

export interface SpooledBody {
  /** Unlinked: the system deletes it when its last descriptor is closed. */
  readonly file: FileHandle;
  readonly bytes: number;
  /** SHA-256, in hex. */
  readonly digest: string;
}

interface SpoolOptions {
  /** Created if it does not exist. */
  folder: string;
  maxBytes: number;
  observe?: (chunk: Buffer) => void;
}

/**
 * Writes a body to a file as it arrives, so that slow clients cost no memory. The file is unlinked immediately, so nothing is left behind. The caller
 * closes it. Throws BODY_TOO_LARGE; rejects when the client disconnects or the disk is full.
 */
export async function spool(
  body: Readable,
  { folder, maxBytes, observe }: SpoolOptions,
): Promise<SpooledBody> {
  const file = await openNameless(folder);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > maxBytes) throw new HttpFailure('BODY_TOO_LARGE');
      await writeWhole(file, chunk, bytes);
      hash.update(chunk);
      observe?.(chunk);
      bytes += chunk.length;
    }
    return { file, bytes, digest: hash.digest('hex') };
  } catch (error) {
    // Draining lets the client read the answer and reuse the connection.
    body.resume();
    await file.close();
    throw error;
  }
}

/** `write` may write only a part, for example just before the disk is full. */
async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < chunk.length)
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
