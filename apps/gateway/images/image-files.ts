import { Inject, Injectable } from '@nestjs/common';
import { broadcasts, DomainError, imageFileAt } from '#libs/contracts';
import { contentTypeOf, IMAGE_STORAGE, type FileStorage } from '#libs/file-storage';
import { Broadcaster } from '#libs/transport';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';

/** Enough for the pictures of all pages of a site, which together have a few megabytes. */
const maxKeptBytes = 32 * 1024 * 1024;
/** How many reads from storage may run at the same time; further reads are refused. */
const maxReads = 64;

interface Kept {
  answer: StoredAnswer;
  bytes: number;
}

/** Serves uploaded pictures from storage, even while all services are down. The bytes at an address never change. */
@Injectable()
export class ImageFiles {
  /** The most recently requested comes last. */
  private readonly kept = new Map<string, Kept>();
  private readonly reading = new Map<string, Promise<StoredAnswer | undefined>>();
  private bytes = 0;
  /** Increases whenever pictures are forgotten, so that a read that began earlier does not keep its result. */
  private epoch = 0;

  constructor(
    @Inject(IMAGE_STORAGE) private readonly storage: FileStorage,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    broadcaster: Broadcaster,
  ) {
    // While the subscription is inactive, removals may be missed. So all pictures are forgotten whenever it becomes active (again).
    broadcaster
      .subscribe(broadcasts.imageRemoved, ({ id }) => this.forget(String(id)))
      .then(
        () => this.forgetAll(),
        () => undefined,
      );
    broadcaster.onReconnect(() => this.forgetAll());
  }

  findInMemory(url: string): StoredAnswer | undefined {
    if (!url.startsWith('/images/')) return undefined;
    const kept = this.kept.get(url);
    if (!kept) return undefined;
    this.kept.delete(url);
    this.kept.set(url, kept);
    return kept.answer;
  }

  /**
   * Undefined if the address cannot be an uploaded picture's; resolves with undefined if there is no such picture. Rejects when storage fails, and
   * with OVERLOADED when too many pictures are being read.
   */
  at(path: string): Promise<StoredAnswer | undefined> | undefined {
    const file = imageFileAt(path);
    if (!file) return undefined;
    const kept = this.findInMemory(path);
    if (kept) return Promise.resolve(kept);
    const known = this.reading.get(path);
    if (known) return known;
    if (this.reading.size >= maxReads) return Promise.reject(new DomainError('OVERLOADED'));
    const reading = this.read(path, file.id, file.name).finally(() => this.reading.delete(path));
    this.reading.set(path, reading);
    return reading;
  }

  private async read(path: string, id: string, name: string): Promise<StoredAnswer | undefined> {
    const { epoch } = this;
    const body = await this.storage.findBytes(id, name);
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
    if (epoch === this.epoch) this.keep(path, { answer, bytes: body.length });
    return answer;
  }

  private keep(path: string, kept: Kept): void {
    this.kept.set(path, kept);
    this.bytes += kept.bytes;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= maxKeptBytes) break;
      this.drop(oldest);
    }
  }

  private drop(path: string): void {
    this.bytes -= this.kept.get(path)?.bytes ?? 0;
    this.kept.delete(path);
  }

  private forgetAll(): void {
    this.epoch += 1;
    this.kept.clear();
    this.bytes = 0;
  }

  private forget(id: string): void {
    this.epoch += 1;
    for (const path of [...this.kept.keys()]) if (path.startsWith(`/images/${id}/`)) this.drop(path);
  }
}
