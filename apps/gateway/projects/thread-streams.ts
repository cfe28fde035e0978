import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  type BroadcastChannel,
  broadcasts,
  DomainError,
  largestSeq,
  system,
  threadContract,
  threadPositionsAtMost,
} from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { Broadcaster, RpcClient } from '#libs/transport';
import { LiveSessions, type Person } from '../auth/live-sessions.js';
import type { Context } from '../routing/serves.js';
import { EventStream } from './event-stream.js';
import { type FollowedThread, readPart, ThreadStream } from './thread-stream.js';

/** How often all streams are compared with their threads, so that a lost hint costs seconds only. */
const compareMs = 3_000;
/** A stream ends if it could not be confirmed for this long that its reader may read on. */
const unconfirmedAtMostMs = 15_000;
/** Open streams of one account and of this process. */
const mostOfAccount = 6;
const mostOfAll = 2_000;
const retryAfterSeconds = 10;
const firstEntries = 50;

/**
 * The open streams of threads. A stream is refreshed when a broadcast says that its thread has changed, or that its reader’s session or rights
 * may have ended; and every few seconds without one. What is new is read as the reader, so the service checks each time what they may read.
 */
@Injectable()
export class ThreadStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly streams = new Set<ThreadStream>();
  /** The number of streams of each account, including those that are being opened. */
  private readonly ofAccount = new Map<string, number>();
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

  /** Hints only: without them, everything is still compared every few seconds. */
  onApplicationBootstrap(): void {
    const follow = (
      channel: BroadcastChannel,
      isMeant: (hint: Hint) => (stream: ThreadStream) => boolean,
    ) => {
      this.broadcaster
        // Afterwards: the other listeners, which forget what they know of the session, have to come first.
        .subscribe(channel, (hint) => void setImmediate(() => this.refresh(isMeant(hint))))
        .catch(() => undefined);
    };
    follow(
      broadcasts.projectChanged,
      ({ projectId, accountId }) =>
        ({ thread, reader }) =>
          thread.projectId === projectId || reader.accountId === accountId,
    );
    follow(
      broadcasts.sessionsEnded,
      ({ sessionIds, accountId }) =>
        ({ reader }) =>
          reader.accountId === accountId ||
          (Array.isArray(sessionIds) && sessionIds.includes(reader.sessionId)),
    );
    follow(
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

  /** Ends every stream, and opens no more: their readers connect to other processes. */
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
    const release = this.reserve(reader.accountId);
    try {
      const after = lastEventId(request.headers['last-event-id']) ?? thread.after;
      const part = { ...(after !== undefined && { after }), limit: after === undefined ? 1 : firstEntries };
      const first = await readPart(this.rpc, thread, part, reader);
      // Of a new stream, the position only: its reader has what was before.
      const begin = after === undefined ? { ...first, entries: [] } : first;
      if (request.raw.method === 'HEAD') {
        release();
        return void reply.type('text/event-stream').send();
      }
      reply.hijack();
      const events = new EventStream(reply.raw);
      if (!events.isOpen) return release();
      const stream = new ThreadStream(thread, reader, begin, events, this.rpc, this.sessions);
      events.begin(reply.getHeaders(), () => {
        this.streams.delete(stream);
        release();
      });
      this.streams.add(stream);
      this.watch(stream.begin(begin));
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Counts a stream of this account until the returned function is called. Throws OVERLOADED. */
  private reserve(accountId: string): () => void {
    const count = this.ofAccount.get(accountId) ?? 0;
    const total = [...this.ofAccount.values()].reduce((sum, some) => sum + some, 0);
    if (this.isEnding || count >= mostOfAccount || total >= mostOfAll)
      throw new DomainError('OVERLOADED', { retryAfterSeconds });
    this.ofAccount.set(accountId, count + 1);
    let isReserved = true;
    return () => {
      if (!isReserved) return;
      isReserved = false;
      const left = this.ofAccount.get(accountId)! - 1;
      if (left > 0) this.ofAccount.set(accountId, left);
      else this.ofAccount.delete(accountId);
    };
  }

  private refresh(isMeant: (stream: ThreadStream) => boolean): void {
    for (const stream of this.streams) if (isMeant(stream)) this.watch(stream.refresh());
  }

  private async compareAll(): Promise<void> {
    for (const stream of this.streams) if (stream.unconfirmedMs > unconfirmedAtMostMs) stream.end();
    const open = [...this.streams];
    for (let from = 0; from < open.length; from += threadPositionsAtMost) {
      const some = open.slice(from, from + threadPositionsAtMost);
      const readers = some.map(({ thread: { projectId, asStaff }, reader: { accountId } }) => ({
        projectId,
        accountId,
        asStaff,
      }));
      const positions = await this.rpc.call(
        threadContract.getThreadPositions,
        { readers },
        { actor: system, deadlineMs: compareMs },
      );
      for (const [index, stream] of some.entries()) this.watch(stream.compare(positions[index] ?? null));
    }
  }

  /** An outage passes, or the stream ends because it is not confirmed; anything else is a bug. */
  private watch(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof DomainError)) this.logger.error({ err: error }, 'Refreshing a stream failed');
    });
  }
}

type Hint = Record<string, unknown>;

/** The `Last-Event-ID` of a reader that connects again; undefined if it is none of ours. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  const position = typeof header === 'string' && /^\d{1,10}$/.test(header) ? Number(header) : undefined;
  return position !== undefined && position <= largestSeq ? position : undefined;
}
