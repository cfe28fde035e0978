import { Inject, Injectable } from '@nestjs/common';
import { broadcasts, imageFileAt } from '#libs/contracts';
import { contentTypeOf, IMAGE_STORAGE, type ImageStorage } from '#libs/image-storage';
import { Broadcaster } from '#libs/transport';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';

/** What the pages of a site show at a time is a few megabytes. */
const keptBytes = 32 * 1024 * 1024;
/** Read from storage at once; whoever asks beyond waits for none of them. */
const readsAtOnce = 64;

interface Kept {
  answer: StoredAnswer;
  bytes: number;
}

/**
 * Uploaded pictures as they are served: from memory, or from storage on the first call. They need no service, so they outlive all of them. An address
 * stands for its bytes for ever.
 */
@Injectable()
export class ImageFiles {
  /** The one that was asked for last comes last. */
  private readonly kept = new Map<string, Kept>();
  private readonly reading = new Map<string, Promise<StoredAnswer | undefined>>();
  private bytes = 0;

  constructor(
    @Inject(IMAGE_STORAGE) private readonly storage: ImageStorage,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    broadcaster: Broadcaster,
  ) {
    broadcaster
      .subscribe(broadcasts.imageRemoved, ({ id }) => this.forget(String(id)))
      .catch(() => undefined);
  }

  /** What is in memory for exactly this address. */
  ready(url: string): StoredAnswer | undefined {
    if (!url.startsWith('/images/')) return undefined;
    const kept = this.kept.get(url);
    if (!kept) return undefined;
    this.kept.delete(url);
    this.kept.set(url, kept);
    return kept.answer;
  }

  /** Undefined for an address that is no uploaded picture’s; resolves with undefined when there is no such picture. Rejects when storage fails. */
  at(path: string): Promise<StoredAnswer | undefined> | undefined {
    const file = imageFileAt(path);
    if (!file) return undefined;
    const ready = this.ready(path);
    if (ready) return Promise.resolve(ready);
    const known = this.reading.get(path);
    if (known) return known;
    if (this.reading.size >= readsAtOnce)
      return Promise.reject(new Error('Too many pictures are being read'));
    const reading = this.read(path, file.id, file.name).finally(() => this.reading.delete(path));
    this.reading.set(path, reading);
    return reading;
  }

  private async read(path: string, id: string, name: string): Promise<StoredAnswer | undefined> {
    const body = await this.storage.get(id, name);
    if (!body) return undefined;
    const answer = new StoredAnswer({
      status: 200,
      body,
      headers: {
        'Content-Type': contentTypeOf(name),
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Disposition': `inline; filename="${name}"`,
        ...this.headers.asset,
      },
    });
    this.keep(path, { answer, bytes: body.length });
    return answer;
  }

  private keep(path: string, kept: Kept): void {
    this.kept.set(path, kept);
    this.bytes += kept.bytes;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= keptBytes) break;
      this.drop(oldest);
    }
  }

  private drop(path: string): void {
    this.bytes -= this.kept.get(path)?.bytes ?? 0;
    this.kept.delete(path);
  }

  private forget(id: string): void {
    for (const path of [...this.kept.keys()]) if (path.startsWith(`/images/${id}/`)) this.drop(path);
  }
}
