import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { imageTextsOf, publicSections } from '#libs/content-model';
import { broadcasts, contentContract, DomainError, type SiteContentSnapshot, system } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { PeriodicTask, within } from '#libs/runtime';
import { Broadcaster, RpcClient } from '#libs/transport';

/** A broadcast may be lost, so the version is also polled. */
const pollMs = 1000;
const readDeadlineMs = 3000;
/** The longest time that a write waits for the cache to include it. */
const ownWriteMs = 2000;
/** How long a starting gateway waits for content. */
const firstReadMs = 2000;

type SnapshotListener = (snapshot: SiteContentSnapshot) => void;

/** All public content, in memory. While the content service is down, the last content stays. */
@Injectable()
export class ContentCache implements BeforeApplicationShutdown {
  private current: SiteContentSnapshot | undefined;
  private reading: Promise<void> | undefined;
  private queued: Promise<void> | undefined;
  private readonly poll = new PeriodicTask({
    everyMs: pollMs,
    run: () => this.refreshIfChanged(),
    onError: (error) => this.setReachable(false, error),
  });
  private stopped = false;
  private reachable = true;
  private readonly listeners: SnapshotListener[] = [];

  constructor(
    private readonly rpc: RpcClient,
    private readonly broadcaster: Broadcaster,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws UNAVAILABLE until there is content. */
  get latest(): SiteContentSnapshot {
    if (!this.current) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
    return this.current;
  }

  get isLoaded(): boolean {
    return this.current !== undefined;
  }

  /** Calls the listener with the current snapshot, if there is one, and with each new one. */
  follow(listener: SnapshotListener): void {
    this.listeners.push(listener);
    if (this.current) listener(this.current);
  }

  /** Resolves after the first read, even if it failed, and at the latest after `firstReadMs`. */
  start(): Promise<void> {
    const subscribed = this.broadcaster.subscribe(broadcasts.contentVersion, ({ version }) => {
      if (version !== this.current?.version) void this.refresh();
    });
    // If this fails, the poll still notices new versions.
    subscribed.catch(() => undefined);
    this.broadcaster.onReconnect(() => this.poll.runSoon());
    this.poll.start();
    return within(firstReadMs, this.refresh()).catch(() => undefined);
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    // Not awaited: a call in progress may take until its deadline.
    void this.poll.stop();
  }

  /** Reads the content again. Waits first for any read in progress. Resolves at the end of the new read, even if it failed. */
  refresh(): Promise<void> {
    if (!this.reading) {
      this.reading = this.read().finally(() => (this.reading = undefined));
      return this.reading;
    }
    this.queued ??= this.reading.then(() => {
      this.queued = undefined;
      return this.refresh();
    });
    return this.queued;
  }

  /**
   * Waits until the cache has the caller's own write. Gives up if the read fails, or after `ownWriteMs`, because a failed or slow read must not fail
   * a write that succeeded.
   */
  includeOwnWrite(): Promise<void> {
    return within(ownWriteMs, this.refresh()).catch(() => undefined);
  }

  private async refreshIfChanged(): Promise<void> {
    if (this.reading) return;
    if (!this.current) return this.refresh();
    const asSystem = { actor: system, deadlineMs: readDeadlineMs };
    const { version } = await this.rpc.call(contentContract.version, {}, asSystem);
    this.setReachable(true);
    if (version !== this.current.version) await this.refresh();
  }

  private async read(): Promise<void> {
    try {
      this.take(
        await this.rpc.call(contentContract.snapshot, {}, { actor: system, deadlineMs: readDeadlineMs }),
      );
      this.setReachable(true);
    } catch (error) {
      this.setReachable(false, error);
    }
  }

  /** Takes a lower version too, as after a restore of the database. Reads do not overlap, so the last one is the newest. */
  private take(snapshot: SiteContentSnapshot): void {
    if (this.stopped || snapshot.version === this.current?.version) return;
    const current = publicPartOf(snapshot);
    this.current = current;
    for (const listener of this.listeners) listener(current);
  }

  private setReachable(reachable: boolean, error?: unknown): void {
    if (reachable === this.reachable || this.stopped) return;
    this.reachable = reachable;
    if (reachable) this.logger.info('The content service responds again');
    else
      this.logger.warn({ err: error }, 'The content service does not respond; public content is not updated');
  }
}

/**
 * Drops sections that no page shows, and the image texts of their records, so that no public answer can contain them. `removedAt`, the times of the
 * last deletions, still has all sections; only the sitemap reads it.
 */
function publicPartOf(snapshot: SiteContentSnapshot): SiteContentSnapshot {
  const sections = Object.fromEntries(
    publicSections.map(({ name }) => [name, snapshot.sections[name] ?? []]),
  );
  return { ...snapshot, sections, imageTexts: imageTextsOf(sections, snapshot.imageTexts) };
}
