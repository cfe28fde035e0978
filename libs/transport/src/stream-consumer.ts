import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { within } from '#libs/runtime';
import { closeConnection, type Connection, createConnection, isReplyError } from './connection.js';
import { errorFields, type TransportLogger } from './observer.js';

export interface StreamEntry {
  id: string;
  fields: Record<string, string>;
  /** Including this one. */
  deliveries: number;
}

interface Reply {
  channel: string;
  message: string;
}

/** `done` acknowledges the entry after sending `reply`; `erase` also deletes it from the stream. `retry` leaves it pending for another delivery. */
export type Verdict = { verdict: 'done'; reply?: Reply; erase?: boolean } | { verdict: 'retry' };

export interface StreamConsumerOptions {
  redisUrl: string;
  stream: string;
  group: string;
  /** Different for each start of each process. */
  consumer: string;
  concurrency: number;
  /** An entry without a heartbeat for this long (ms) may be claimed by any replica. */
  takeOverAfterMs: number;
  /** Right for requests, wrong for events, which other groups read too. */
  deleteWhenDone: boolean;
  /**
   * After this many deliveries, `handle` gives an entry up. A replica handles last deliveries one at a time, so that a crash costs
   * no other entry its last delivery.
   */
  maxDeliveries: number;
  /** Pause (ms) before the next delivery. Values below `takeOverAfterMs` have no effect. */
  retryDelayMs(deliveries: number): number;
  handle(entry: StreamEntry): Promise<Verdict>;
  log: TransportLogger;
}

const blockMs = 2000;
const pageSize = 200;
const pagesPerBeat = 5;
/** An entry whose handler hangs in its last delivery delays other last deliveries no longer than this (ms). */
const longestLastDeliveryMs = 10_000;
/** If the entries of one read block the event loop for longer than this (ms), the next read asks for fewer. */
const longestTurnMs = 25;

/**
 * One replica's share of one stream, in a Redis consumer group. An entry is delivered at least once. It is delivered again if its verdict was
 * `retry`, or if the replica died, lost Redis, or blocked its event loop for longer than `takeOverAfterMs`.
 */
export class StreamConsumer {
  private readonly reader: Connection;
  /** Entries between delivery and acknowledgement. They get heartbeats. */
  private readonly held = new Set<string>();
  private running = 0;
  /** Handlers that wait for others to end: a read that was under way when entries were claimed brings more than `concurrency` allows. */
  private readonly waiting: (() => void)[] = [];
  /** How many entries to read in one step; see `adaptEntriesPerRead`. */
  private entriesPerRead = 8;
  private readonly finished: { id: string; reply?: Reply; erase?: boolean }[] = [];
  private flushPlanned = false;
  /** No other entry gets its last delivery here before this time. */
  private lastDeliveryUntil = 0;
  private takingOver = false;
  private lastBeat = performance.now();
  /** Whether the current heartbeat claims nothing; never true twice in a row. */
  private skipsClaims = false;
  /** Where the next search for stale entries continues; `-` is the beginning. */
  private pendingFrom = '-';
  private stopping = false;
  private stopped = false;
  private readerId?: number;
  private reading: Promise<void> = Promise.resolve();
  private wake?: () => void;

  constructor(
    /** Everything but the blocking read goes through it. */
    private readonly redis: Connection,
    private readonly options: StreamConsumerOptions,
  ) {
    this.reader = createConnection(options.redisUrl, `${options.consumer}:reader`, options.log);
    this.reader.on('ready', () => (this.readerId = undefined));
  }

  async start(): Promise<void> {
    await this.reader.connect();
    await this.ensureGroup();
    this.reading = this.read();
  }

  get ready(): boolean {
    return this.reader.isReady && !this.stopping;
  }

  get runningHandlers(): number {
    return this.running;
  }

  /** Entries that are already on their way are still handled. */
  async stopReading(): Promise<void> {
    this.stopping = true;
    this.wake?.();
    const reading = this.reading.then(() => (this.stopped = true));
    const end = performance.now() + blockMs;
    while (!this.stopped && performance.now() < end) {
      // Ends the blocking read. Cutting the connection instead could leave entries pending that Redis has just sent. Repeated, because the read may
      // still be on its way to Redis.
      if (this.readerId !== undefined) void this.redis.clientUnblock(this.readerId).catch(() => undefined);
      await Promise.race([reading, pause(50)]);
    }
  }

  /**
   * Waits until all entries are handled and their acknowledgements are sent; false after `timeoutMs`, or if only acknowledgements are left and Redis
   * is unreachable.
   */
  async drain(timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (this.running > 0 || this.finished.length > 0) {
      const leftMs = end - performance.now();
      if (leftMs <= 0 || (this.running === 0 && !this.redis.isReady)) return false;
      await this.nextChange(Math.min(leftMs, 100));
    }
    return true;
  }

  /** Leaves the group, unless entries are still pending here: they would be lost with the consumer. */
  async close(): Promise<void> {
    if (this.stopped) await within(1000, this.leaveGroup()).catch(() => undefined);
    await closeConnection(this.reader);
  }

  /**
   * Sends heartbeats for held entries (claiming them again resets their idle time), acknowledges what could not be acknowledged before, and claims
   * stale entries.
   */
  async beat(): Promise<void> {
    const { stream, group, consumer, takeOverAfterMs } = this.options;
    const held = [...this.held];
    const now = performance.now();
    // After a pause of this machine, heartbeats of other replicas on it are late too: wait for them before claiming.
    const wasPaused = now - this.lastBeat > takeOverAfterMs / 2;
    this.skipsClaims = wasPaused && !this.skipsClaims;
    this.lastBeat = now;
    try {
      await Promise.all([
        this.flush(),
        held.length > 0 ? this.redis.xClaimJustId(stream, group, consumer, 0, held) : undefined,
      ]);
      if (!this.skipsClaims) await this.takeOver();
    } catch (error) {
      await this.recover(error);
    }
  }

  private async read(): Promise<void> {
    const { stream, group, consumer, concurrency } = this.options;
    while (!this.stopping) {
      const free = concurrency - this.running;
      if (free <= 0) {
        await this.nextChange();
        continue;
      }
      try {
        this.readerId ??= await this.reader.clientId();
        const count = Math.min(free, this.entriesPerRead);
        const streams = await this.reader.xReadGroup(
          group,
          consumer,
          { key: stream, id: '>' },
          { COUNT: count, BLOCK: blockMs },
        );
        const entries = streams?.[0]?.messages ?? [];
        const started = performance.now();
        for (const { id, message } of entries) this.take({ id, fields: message, deliveries: 1 });
        await nextTurn();
        this.adaptEntriesPerRead(entries.length, performance.now() - started);
      } catch (error) {
        await this.recover(error);
        if (!this.stopping) await pause(100);
      }
    }
  }

  /**
   * Adapts how many entries are read in one step. If handlers block the event loop, fewer are read, because otherwise heartbeats would be late, and
   * entries would wait here while another replica may be idle. If handlers only wait, more are read.
   */
  private adaptEntriesPerRead(count: number, tookMs: number): void {
    if (tookMs > longestTurnMs)
      this.entriesPerRead = Math.max(1, Math.floor((count * longestTurnMs) / tookMs));
    else if (count === this.entriesPerRead)
      this.entriesPerRead = Math.min(this.entriesPerRead * 2, this.options.concurrency);
  }

  private take(entry: StreamEntry, onEnd?: () => void): void {
    this.held.add(entry.id);
    if (this.running < this.options.concurrency) this.run(entry, onEnd);
    else this.waiting.push(() => this.run(entry, onEnd));
  }

  private run(entry: StreamEntry, onEnd?: () => void): void {
    this.running++;
    void this.handleOrRetry(entry).then((result) => {
      this.running--;
      if (result.verdict === 'done') this.finish({ id: entry.id, ...result });
      else this.held.delete(entry.id);
      this.waiting.shift()?.();
      onEnd?.();
      this.wake?.();
    });
  }

  private async handleOrRetry(entry: StreamEntry): Promise<Verdict> {
    try {
      return await this.options.handle(entry);
    } catch (error) {
      this.options.log.error({ entry: entry.id, ...errorFields(error) }, 'The transport failed on a message');
      return { verdict: 'retry' };
    }
  }

  private finish(entry: { id: string; reply?: Reply; erase?: boolean }): void {
    this.finished.push(entry);
    if (this.flushPlanned) return;
    this.flushPlanned = true;
    setImmediate(() => {
      this.flushPlanned = false;
      // Failed acknowledgements stay in `finished`; the next heartbeat tries again.
      this.flush().catch(() => undefined);
    });
  }

  /** Sends replies and acknowledgements in one write, the replies first. */
  private async flush(): Promise<void> {
    if (this.finished.length === 0 || !this.redis.isReady) return;
    const { stream, group, deleteWhenDone } = this.options;
    const batch = this.finished.splice(0);
    const ids = batch.map(({ id }) => id);
    const sending: Promise<unknown>[] = [];
    for (const { reply } of batch) if (reply) sending.push(this.publish(reply));
    sending.push(this.redis.xAck(stream, group, ids));
    const toDelete = deleteWhenDone ? ids : batch.filter(({ erase }) => erase).map(({ id }) => id);
    if (toDelete.length > 0) sending.push(this.redis.xDel(stream, toDelete));
    const results = await Promise.allSettled(sending);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      this.finished.unshift(...batch);
      throw failed.reason;
    }
    for (const id of ids) this.held.delete(id);
    this.wake?.();
  }

  /** A channel that Redis refuses, by an access rule for example, must not block the other replies. */
  private async publish({ channel, message }: Reply): Promise<void> {
    try {
      await this.redis.publish(channel, message);
    } catch (error) {
      if (!isReplyError(error)) throw error;
      this.options.log.error({ channel, ...errorFields(error) }, 'Redis refused a reply');
    }
  }

  /** Claims entries that had no heartbeat for `takeOverAfterMs`, and whose `retryDelayMs` has passed. */
  private async takeOver(): Promise<void> {
    if (this.takingOver || this.stopping) return;
    this.takingOver = true;
    try {
      const { stream, group, takeOverAfterMs, concurrency } = this.options;
      for (let page = 0; page < pagesPerBeat && this.running < concurrency; page++) {
        const stale = await this.redis.xPendingRange(stream, group, this.pendingFrom, '+', pageSize, {
          IDLE: takeOverAfterMs,
        });
        await this.claim(
          stale.map(({ id, millisecondsSinceLastDelivery, deliveriesCounter }) => ({
            id,
            idleMs: millisecondsSinceLastDelivery,
            deliveries: deliveriesCounter,
          })),
        );
        const last = stale.length < pageSize ? undefined : stale.at(-1);
        this.pendingFrom = last ? `(${last.id}` : '-';
        if (!last) return;
      }
    } finally {
      this.takingOver = false;
    }
  }

  private async claim(stale: { id: string; idleMs: number; deliveries: number }[]): Promise<void> {
    const { stream, group, consumer, concurrency, takeOverAfterMs, retryDelayMs, maxDeliveries } =
      this.options;
    const due = stale.filter(
      ({ id, idleMs, deliveries }) => !this.held.has(id) && idleMs >= retryDelayMs(deliveries),
    );
    const isLastDelivery = (entry: { deliveries: number }) => entry.deliveries + 1 === maxDeliveries;
    const lastDelivery = performance.now() < this.lastDeliveryUntil ? undefined : due.find(isLastDelivery);
    const chosen = [
      ...(lastDelivery ? [lastDelivery] : []),
      ...due.filter((entry) => !isLastDelivery(entry)),
    ];
    const deliveriesById = new Map(chosen.map((entry) => [entry.id, entry.deliveries + 1]));
    const ids = [...deliveriesById.keys()].slice(0, concurrency - this.running);
    if (ids.length === 0) return;
    // One replica wins: for the others, the entry is no longer idle.
    const claimed = await this.redis.xClaim(stream, group, consumer, takeOverAfterMs, ids);
    for (const entry of claimed) {
      if (entry === null) continue;
      if (entry.id === lastDelivery?.id) this.lastDeliveryUntil = performance.now() + longestLastDeliveryMs;
      this.take(
        { id: entry.id, fields: entry.message, deliveries: deliveriesById.get(entry.id) ?? 2 },
        entry.id === lastDelivery?.id ? this.endLastDelivery : undefined,
      );
    }
  }

  private readonly endLastDelivery = (): void => {
    this.lastDeliveryUntil = 0;
    this.takeOver().catch(() => undefined);
  };

  /** Creates the group again if Redis came back empty or the stream was deleted. Logs any other refusal, and pauses. */
  private async recover(error: unknown): Promise<void> {
    if (!this.redis.isReady || this.stopping) return;
    if (isReplyError(error, 'NOGROUP') || isReplyError(error, 'UNBLOCKED')) {
      await this.ensureGroup().catch(() => undefined);
    } else if (isReplyError(error)) {
      this.options.log.error(
        { stream: this.options.stream, ...errorFields(error) },
        'Redis refused a command',
      );
      await pause(1000);
    }
  }

  /** A new group starts at the beginning of the stream, so that entries from before the first replica are not skipped. */
  private async ensureGroup(): Promise<void> {
    try {
      await this.redis.xGroupCreate(this.options.stream, this.options.group, '0', { MKSTREAM: true });
    } catch (error) {
      if (!isReplyError(error, 'BUSYGROUP')) throw error;
    }
  }

  private async leaveGroup(): Promise<void> {
    const { stream, group, consumer } = this.options;
    const pendingHere = await this.redis.xPendingRange(stream, group, '-', '+', 1, { consumer });
    if (pendingHere.length === 0) await this.redis.xGroupDelConsumer(stream, group, consumer);
  }

  private nextChange(timeoutMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
    });
  }
}
