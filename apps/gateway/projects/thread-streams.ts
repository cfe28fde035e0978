import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  type BroadcastChannel,
  broadcasts,
  DomainError,
  largestSeq,
  system,
  threadContract,
  maxThreadPositions,
} from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { Broadcaster, RpcClient } from '#libs/transport';
import { LiveSessions, type Person } from '../auth/live-sessions.js';
import { ConcurrencyLimit } from '../limits/concurrency-limit.js';
import type { Context } from '../routing/serves.js';
import { EventStream } from './event-stream.js';
import { type FollowedThread, readPart, ThreadStream } from './thread-stream.js';

/** How often all streams are compared with their threads, because a broadcast may be lost. */
const compareMs = 3_000;
/** How long a stream stays open without confirmation that its reader still has access. */
const maxUnconfirmedMs = 15_000;
/** Open streams of this process: of one account, and in total. */
const limits = { perKey: 6, inTotal: 2_000, retryAfterSeconds: 10 };
/** The most entries in the first event of a stream that continues after an earlier change. */
const maxFirstEntries = 50;

/**
 * The open streams of server-sent events, each with the changes of one thread for one reader. A broadcast refreshes the streams of a thread that has
 * changed, or of a reader whose session or rights may have ended. What is new is read on behalf of the reader, so the service checks each time what
 * they may read.
 */
@Injectable()
export class ThreadStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly streams = new Set<ThreadStream>();
  /** By account; also counts the streams that are being opened. */
  private readonly limit = new ConcurrencyLimit(limits);
  private isEnding = false;
  private readonly comparing: PeriodicTask;

  constructor(
    private readonly rpc: RpcClient,
    private readonly broadcaster: Broadcaster,
    private readonly sessions: LiveSessions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.comparing = new PeriodicTask({
      everyMs: compareMs,
      run: () => this.compareAll(),
      onError: (error) => logger.warn({ err: error }, 'Comparing streams with their threads failed'),
    });
  }

  get count(): number {
    return this.streams.size;
  }

  onApplicationBootstrap(): void {
    const refreshOn = (
      channel: BroadcastChannel,
      isAffected: (hint: Hint) => (stream: ThreadStream) => boolean,
    ) => {
      this.broadcaster
        // Deferred, because the other listeners must first forget what this gateway remembers of the session.
        .subscribe(channel, (hint) => void setImmediate(() => this.refresh(isAffected(hint))))
        // Without the subscription, the streams are still compared with their threads.
        .catch(() => undefined);
    };
    refreshOn(
      broadcasts.projectChanged,
      ({ projectId, accountId }) =>
        ({ thread, reader }) =>
          thread.projectId === projectId || reader.accountId === accountId,
    );
    refreshOn(
      broadcasts.sessionsEnded,
      ({ sessionIds, accountId }) =>
        ({ reader }) =>
          reader.accountId === accountId ||
          (Array.isArray(sessionIds) && sessionIds.includes(reader.sessionId)),
    );
    refreshOn(
      broadcasts.adminsChanged,
      () =>
        ({ thread }) =>
          thread.asStaff,
    );
    this.broadcaster.onReconnect(() => this.comparing.runSoon());
    this.comparing.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.endAll();
    await this.comparing.stop();
  }

  /** Ends every stream, and opens no more. */
  endAll(): void {
    this.isEnding = true;
    for (const stream of this.streams) stream.end();
  }

  /** Throws NOT_FOUND, OVERLOADED. */
  async open(
    thread: FollowedThread & { after?: number },
    { caller, request, reply }: Context,
  ): Promise<void> {
    const reader = caller.actor as Person;
    const release = this.limit.reserve(reader.accountId);
    try {
      const after = lastEventId(request.headers['last-event-id']) ?? thread.after;
      const range = {
        ...(after !== undefined && { after }),
        limit: after === undefined ? 1 : maxFirstEntries,
      };
      const first = await readPart(this.rpc, thread, range, reader);
      if (this.isEnding) throw new DomainError('OVERLOADED', { retryAfterSeconds: limits.retryAfterSeconds });
      // Without `after`, the stream has only what happens from now on, so its first event has no entries.
      const initial = after === undefined ? { ...first, entries: [] } : first;
      if (request.raw.method === 'HEAD') {
        release();
        return void reply.type('text/event-stream').send();
      }
      reply.hijack();
      const events = new EventStream(reply.raw);
      if (!events.isOpen) return release();
      const stream = new ThreadStream(thread, reader, initial, events, this.rpc, this.sessions);
      events.begin(reply.getHeaders(), () => {
        this.streams.delete(stream);
        release();
      });
      this.streams.add(stream);
      this.watch(stream.begin(initial));
    } catch (error) {
      release();
      throw error;
    }
  }

  private refresh(isAffected: (stream: ThreadStream) => boolean): void {
    for (const stream of this.streams) if (isAffected(stream)) this.watch(stream.refresh());
  }

  private async compareAll(): Promise<void> {
    for (const stream of this.streams) if (stream.unconfirmedMs > maxUnconfirmedMs) stream.end();
    const open = [...this.streams];
    for (let from = 0; from < open.length; from += maxThreadPositions) {
      const batch = open.slice(from, from + maxThreadPositions);
      const readers = batch.map(({ thread: { projectId, asStaff }, reader: { accountId } }) => ({
        projectId,
        accountId,
        asStaff,
      }));
      const positions = await this.rpc.call(
        threadContract.getThreadPositions,
        { readers },
        { actor: system, deadlineMs: compareMs },
      );
      for (const [index, stream] of batch.entries())
        this.watch(stream.refreshIfChanged(positions[index] ?? null));
    }
  }

  /** Logs only bugs. A `DomainError` means an outage: the next comparison tries again, or ends a stream that was unconfirmed for too long. */
  private watch(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof DomainError)) this.logger.error({ err: error }, 'Refreshing a stream failed');
    });
  }
}

type Hint = Record<string, unknown>;

/** Undefined if the `Last-Event-ID` is missing or not one of ours. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  const id = typeof header === 'string' && /^\d{1,10}$/.test(header) ? Number(header) : undefined;
  return id !== undefined && id <= largestSeq ? id : undefined;
}
