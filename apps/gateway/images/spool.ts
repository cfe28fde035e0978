import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { HttpFailure } from '../problem/problem.js';

/** What somebody sent, all of it. */
export interface Spooled {
  /** Of a file that has no name any more: it is gone with the last who has it open. */
  readonly file: FileHandle;
  readonly bytes: number;
  /** SHA-256, in hex. */
  readonly digest: string;
}

export interface SpoolOptions {
  /** Made if need be. */
  folder: string;
  maxBytes: number;
}

/**
 * Writes a body to a temporary file as it arrives, whoever sends it how slowly. The file loses its name at once, so that nothing is left behind, neither by
 * a sender that goes away nor by a gateway that is killed. The caller closes the file. BODY_TOO_LARGE; rejects when the sender is gone or the disk is full.
 */
export async function spool(body: Readable, { folder, maxBytes }: SpoolOptions): Promise<Spooled> {
  const file = await openNameless(folder);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > maxBytes) throw new HttpFailure('BODY_TOO_LARGE');
      await file.write(chunk, 0, chunk.length, bytes);
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { file, bytes, digest: hash.digest('hex') };
  } catch (error) {
    // Who sends too much shall still be able to read why, and to ask for something else: the rest passes by.
    body.resume();
    await file.close();
    throw error;
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
