import { setTimeout as pause } from 'node:timers/promises';
import { closeConnection, type Connection, createConnection, isReplyError } from './connection.js';
import { errorFields, type TransportLogger } from './observer.js';

export interface Entry {
  id: string;
  fields: Record<string, string>;
  /** 1 on first delivery. */
  deliveries: number;
}

/**
 * What to do with an entry now: `done` acknowledges it (after sending `reply`, if any), `retry` leaves it pending, to
 * be delivered again when its delay has passed.
 */
export type Verdict =
  { verdict: 'done'; reply?: { channel: string; message: string } } | { verdict: 'retry' };

export interface StreamConsumerOptions {
  redisUrl: string;
  stream: string;
  group: string;
  /** This process within the group; another name for each start of each process. */
  consumer: string;
  /** Entries in hand at once. */
  concurrency: number;
  /** An entry that nobody kept fresh for this long (ms) belongs to whoever claims it. */
  reclaimAfterMs: number;
  heartbeatMs: number;
  /** Delete what is acknowledged: right for requests, wrong for events, which other groups read too. */
  deleteWhenDone: boolean;
  /** The last of these deliveries of an entry happens alone, so that a killer does not take its neighbours along. */
  maxDeliveries: number;
  /** Pause before the next delivery of an entry that was delivered `deliveries` times. */
  retryDelayMs(deliveries: number): number;
  handle(entry: Entry): Promise<Verdict>;
  log: TransportLogger;
}

const blockMs = 2000;
const pendingPage = 200;

/**
 * One replica's share of one stream, by a Redis consumer group: reads as much as it may have in hand, keeps what it has
 * in hand fresh, takes over what others let go stale, acknowledges in batches, and stops without losing anything.
 *
 * An entry is delivered at least once. It is delivered again when the replica died, lost Redis, or blocked its event
 * loop for longer than `reclaimAfterMs`.
 */
export class StreamConsumer {
  private readonly reader: Connection;
  /** From delivery to acknowledgement: what the heartbeat keeps. */
  private readonly held = new Set<string>();
  /** Handlers running now; what `concurrency` bounds. */
  private running = 0;
  private lastChanceTaken = false;
  private readonly finished: { id: string; reply?: { channel: string; message: string } }[] = [];
  private flushPlanned = false;
  private stopping = false;
  private readerId?: number;
  private reading: Promise<void> = Promise.resolve();
  private wake?: () => void;

  constructor(
    /** Shared with the rest of the process: everything but the blocking read goes through it. */
    private readonly commands: Connection,
    private readonly options: StreamConsumerOptions,
  ) {
    this.reader = createConnection(options.redisUrl, `${options.consumer}:reader`, options.log);
    this.reader.on('ready', () => {
      this.readerId = undefined;
    });
  }

  async start(): Promise<void> {
    await this.reader.connect();
    await this.ensureGroup();
    this.reading = this.read();
  }

  get ready(): boolean {
    return this.reader.isReady && !this.stopping;
  }

  /** Handlers running in this replica. */
  get inHand(): number {
    return this.running;
  }

  /** Takes no more entries. What was already on its way to this replica is still handled. */
  async stopReading(): Promise<void> {
    this.stopping = true;
    this.wake?.();
    let stopped = false;
    const reading = this.reading.then(() => (stopped = true));
    while (!stopped) {
      // Ends the blocking read in an orderly way: cutting the connection could strand entries that Redis just sent.
      // Again and again, for the read may only be on its way to Redis.
      if (this.readerId !== undefined)
        await this.commands.clientUnblock(this.readerId).catch(() => undefined);
      await Promise.race([reading, pause(50)]);
    }
  }

  /** Waits until nothing is in hand, at most until `timeoutMs` have passed; true when nothing was left. */
  async drain(timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (this.running > 0 || this.finished.length > 0) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await this.nextChange(Math.min(left, 100));
      if (this.running === 0) await this.flush();
    }
    return true;
  }

  /** Leaves the group, unless entries are still pending here: those would be lost with the consumer. */
  async close(): Promise<void> {
    const { stream, group, consumer } = this.options;
    try {
      const mine = await this.commands.xPendingRange(stream, group, '-', '+', 1, { consumer });
      if (mine.length === 0) await this.commands.xGroupDelConsumer(stream, group, consumer);
    } catch {
      // Without Redis there is nothing to leave.
    }
    await closeConnection(this.reader);
  }

  /** Called each `heartbeatMs`: keeps, acknowledges what could not be acknowledged before, and takes over. */
  async beat(): Promise<void> {
    const { stream, group, consumer } = this.options;
    const held = [...this.held];
    try {
      await Promise.all([
        this.flush(),
        held.length > 0 ? this.commands.xClaimJustId(stream, group, consumer, 0, held) : undefined,
      ]);
      if (!this.stopping) await this.takeOver();
    } catch (error) {
      await this.recover(error);
    }
  }

  private async read(): Promise<void> {
    const { stream, group, consumer, concurrency } = this.options;
    while (!this.stopping) {
      if (this.running >= concurrency) {
        await this.nextChange();
        continue;
      }
      try {
        this.readerId ??= await this.reader.clientId();
        const streams = await this.reader.xReadGroup(
          group,
          consumer,
          { key: stream, id: '>' },
          { COUNT: concurrency - this.running, BLOCK: blockMs },
        );
        for (const { messages } of streams ?? []) {
          for (const entry of messages) this.take({ id: entry.id, fields: entry.message, deliveries: 1 });
        }
      } catch (error) {
        await this.recover(error);
        if (!this.stopping) await pause(50);
      }
    }
  }

  private take(entry: Entry, after?: () => void): void {
    this.running++;
    this.held.add(entry.id);
    this.options
      .handle(entry)
      .catch((error: unknown): Verdict => {
        this.options.log.error(
          { entry: entry.id, ...errorFields(error) },
          'The transport failed on an entry',
        );
        return { verdict: 'retry' };
      })
      .then((outcome) => {
        this.running--;
        if (outcome.verdict === 'done') this.finish(entry.id, outcome.reply);
        else this.held.delete(entry.id);
        after?.();
        this.wake?.();
      });
  }

  private finish(id: string, reply: { channel: string; message: string } | undefined): void {
    this.finished.push({ id, reply });
    if (this.flushPlanned) return;
    this.flushPlanned = true;
    setImmediate(() => {
      this.flushPlanned = false;
      // A failure leaves everything in `finished`, and the next heartbeat tries again.
      this.flush().catch(() => undefined);
    });
  }

  /** Sends the replies, then acknowledges, in one go: an entry is only acknowledged once its reply has left. */
  private async flush(): Promise<void> {
    if (this.finished.length === 0 || !this.commands.isReady) return;
    const { stream, group, deleteWhenDone } = this.options;
    const batch = this.finished.splice(0);
    const ids = batch.map(({ id }) => id);
    const sent: Promise<unknown>[] = [];
    for (const { reply } of batch) if (reply) sent.push(this.commands.publish(reply.channel, reply.message));
    sent.push(this.commands.xAck(stream, group, ids));
    if (deleteWhenDone) sent.push(this.commands.xDel(stream, ids));
    const results = await Promise.allSettled(sent);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && !isReplyError(failed.reason, 'NOGROUP')) {
      this.finished.unshift(...batch);
      throw failed.reason;
    }
    for (const id of ids) this.held.delete(id);
    this.wake?.();
  }

  /** Takes entries that their replica let go stale, or whose delay before the next try has passed. */
  private async takeOver(): Promise<void> {
    const { stream, group, consumer, concurrency, reclaimAfterMs, retryDelayMs, maxDeliveries } =
      this.options;
    let from = '-';
    while (this.running < concurrency && !this.stopping) {
      const page = await this.commands.xPendingRange(stream, group, from, '+', pendingPage, {
        IDLE: reclaimAfterMs,
      });
      const due = page.filter(
        (entry) =>
          !this.held.has(entry.id) &&
          entry.millisecondsSinceLastDelivery >= retryDelayMs(entry.deliveriesCounter),
      );
      const lastChance = due.filter((entry) => entry.deliveriesCounter + 1 === maxDeliveries);
      const others = due.filter((entry) => entry.deliveriesCounter + 1 !== maxDeliveries);
      const chosen = [...(this.lastChanceTaken ? [] : lastChance.slice(0, 1)), ...others];
      const deliveries = new Map(chosen.map((entry) => [entry.id, entry.deliveriesCounter + 1]));
      const ids = [...deliveries.keys()].slice(0, concurrency - this.running);
      if (ids.length > 0) {
        // Only one replica wins: for the others the entry is no longer idle.
        const claimed = await this.commands.xClaim(stream, group, consumer, reclaimAfterMs, ids);
        for (const entry of claimed) {
          if (entry === null) continue;
          const count = deliveries.get(entry.id) ?? 2;
          const alone = count === maxDeliveries;
          if (alone) this.lastChanceTaken = true;
          this.take(
            { id: entry.id, fields: entry.message, deliveries: count },
            alone ? this.endLastChance : undefined,
          );
        }
      }
      const last = page.at(-1);
      if (page.length < pendingPage || !last) return;
      from = `(${last.id}`;
    }
  }

  private readonly endLastChance = (): void => {
    this.lastChanceTaken = false;
    if (!this.stopping) this.takeOver().catch(() => undefined);
  };

  /** Redis came back empty, or somebody deleted the stream: make the group again. Anything else passes by itself. */
  private async recover(error: unknown): Promise<void> {
    if (!this.commands.isReady || this.stopping) return;
    if (isReplyError(error, 'NOGROUP') || isReplyError(error, 'UNBLOCKED')) {
      await this.ensureGroup().catch(() => undefined);
    } else if (error instanceof Error && error.constructor.name === 'SimpleError') {
      this.options.log.error(
        { stream: this.options.stream, ...errorFields(error) },
        'Redis refused a command',
      );
    }
  }

  /** The group starts at the stream's beginning, so that what arrived before the first replica is not skipped. */
  private async ensureGroup(): Promise<void> {
    try {
      await this.commands.xGroupCreate(this.options.stream, this.options.group, '0', { MKSTREAM: true });
    } catch (error) {
      if (!isReplyError(error, 'BUSYGROUP')) throw error;
    }
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
