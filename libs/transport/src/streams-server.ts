import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { ServiceName } from '#libs/contracts';
import { type Clock, SystemClock, within } from '#libs/runtime';
import { answerOf, closeConnection, type Connection, createConnection, isReplyError } from './connection.js';
import { EventHandler } from './event-handler.js';
import { keys, ownerOf } from './keys.js';
import { errorFields, nestLogger, type TransportLogger, type TransportObserver } from './observer.js';
import { RedisClock } from './redis-clock.js';
import { QueueLimit } from './queue-limit.js';
import { RequestHandler } from './request-handler.js';
import { callingServicesOf, type Routes, routesOf, type Run } from './routes.js';
import { StreamConsumer, type StreamConsumerOptions } from './stream-consumer.js';

export interface StreamsServerOptions {
  /** The service whose requests this process answers; also the name of its consumer group in every stream. */
  service: ServiceName;
  redisUrl: string;
  /** Requests that are handled at the same time in this replica, per stream: the gateway and each calling service have a stream. Default 64. */
  concurrency?: number;
  /** Events that are handled at the same time, per stream. Default 8. */
  eventConcurrency?: number;
  /** Requests that may wait or be in hand, over all replicas, per stream; beyond that, callers get OVERLOADED. Default 1 000. */
  maxQueue?: number;
  /** While the longest wait exceeds this (ms), fewer requests may wait: an immediate refusal is better than a late answer. Default 2 000. */
  maxWaitMs?: number;
  /** An entry without a heartbeat for this long (ms) is claimed by another replica. Default 2 000. */
  reclaimAfterMs?: number;
  /** The interval of heartbeats (ms), at most a quarter of `reclaimAfterMs`. Default 500. */
  heartbeatMs?: number;
  /** A request that is delivered more often than this becomes a dead letter. Default 3. */
  maxDeliveries?: number;
  /** The same for an event, whose deliveries are further and further apart (2 s, 4 s, ... 5 min). Default 12, within about 23 minutes. */
  maxEventDeliveries?: number;
  /** How long (ms) a stopping replica waits for work under way. Default 15 000. */
  drainTimeoutMs?: number;
  /** Used only to check whether a sign-in is still fresh. */
  clock?: Clock;
  logger?: TransportLogger;
  observer?: TransportObserver;
}

export interface QueueStats {
  /** Requests in the streams: waiting or being handled. */
  length: number;
  /** Of those, being handled by some replica. */
  pending: number;
  /** Events of each followed stream that were not delivered to this service yet; null if Redis cannot tell. */
  lag: Record<string, number | null>;
  deadLetters: number;
}

const defaults = {
  concurrency: 64,
  eventConcurrency: 8,
  maxQueue: 1000,
  maxWaitMs: 2000,
  reclaimAfterMs: 2000,
  heartbeatMs: 500,
  maxDeliveries: 3,
  maxEventDeliveries: 12,
  drainTimeoutMs: 15_000,
  clock: new SystemClock(),
};

/** A service counts as absent when no replica has renewed the key `keys.alive` for this long. */
const aliveForMs = 5000;
const transport = Symbol('redis-streams');
const longestRetryDelayMs = 5 * 60_000;
/** A consumer that has not tried to read for this long and has no pending entries belongs to a process that has ended. */
const forgottenAfterMs = 3_600_000;

/**
 * Nest's side of the transport: `NestFactory.createMicroservice(module, { strategy: new StreamsServer(...) })`.
 * See the README of this library for what it guarantees. To stop it, call `app.close()`: Nest's `enableShutdownHooks()` would destroy providers
 * while requests are being handled.
 */
export class StreamsServer extends Server implements CustomTransportStrategy {
  private readonly options: StreamsServerOptions & typeof defaults;
  private readonly log: TransportLogger;
  private readonly commands: Connection;
  private readonly redisClock = new RedisClock();
  private readonly consumerName: string;
  private consumers: StreamConsumer[] = [];
  private beating: Promise<void> = Promise.resolve();
  private beatSooner?: () => void;
  private listening = false;
  private closed = false;
  private closing?: Promise<void>;
  private requestHandlers: RequestHandler[] = [];
  private requestStreams: string[] = [];
  private readonly queueLimit: QueueLimit;
  /** The owners of the events that this process follows. */
  private owners: string[] = [];

  constructor(options: StreamsServerOptions) {
    super();
    this.setTransportId(transport);
    this.options = { ...defaults, ...withoutUndefined(options) };
    if (this.options.heartbeatMs * 4 > this.options.reclaimAfterMs) {
      throw new Error(
        'heartbeatMs must be at most a quarter of reclaimAfterMs, or live replicas count as dead',
      );
    }
    this.queueLimit = new QueueLimit(this.options.maxQueue, this.options.maxWaitMs);
    this.log = options.logger ?? nestLogger('StreamsServer');
    this.consumerName = `${options.service}@${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
    this.commands = createConnection(options.redisUrl, this.consumerName, this.log);
    this.commands.on('ready', () => {
      this.redisClock.forget();
      this.beatSooner?.();
    });
  }

  /** Whether requests reach this replica now. */
  get ready(): boolean {
    return this.listening && this.commands.isReady && this.consumers.every((consumer) => consumer.ready);
  }

  /** How many handlers are running in this replica. */
  get inHand(): number {
    return sum(this.consumers.map((consumer) => consumer.inHand));
  }

  /** Waits for Redis if necessary. */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const routes = routesOf(this.options.service, this.getHandlers(), (handler) => this.runnerOf(handler));
      this.owners = [...new Set([...routes.events.keys()].map(ownerOf))];
      await this.commands.connect();
      await this.redisClock.sample(this.commands);
      this.consumers = [
        ...[undefined, ...callingServicesOf(routes)].map((callingService) =>
          this.requestConsumer(routes, callingService),
        ),
        ...this.owners.map((owner) => this.eventConsumer(owner, routes)),
      ];
      for (const consumer of this.consumers) await consumer.start();
      this.listening = true;
      await this.beat();
      this.beating = this.beatUntilClosed();
      await this.removeDeadConsumers();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Stops taking new work, finishes the work under way, then disconnects. */
  close(): Promise<void> {
    return (this.closing ??= this.drainAndLeave());
  }

  private async drainAndLeave(): Promise<void> {
    this.listening = false;
    await Promise.all(this.consumers.map((consumer) => consumer.stopReading()));
    const drained = await Promise.all(
      this.consumers.map((consumer) => consumer.drain(this.options.drainTimeoutMs)),
    );
    this.closed = true;
    this.beatSooner?.();
    await within(1000, this.beating).catch(() => undefined);
    if (drained.includes(false)) {
      this.log.warn(
        { inHand: this.inHand },
        'Stopped with work unacknowledged; another replica will take it over',
      );
    }
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
    await closeConnection(this.commands);
  }

  on(): void {
    throw new Error('StreamsServer has no driver events; observe it through `observer` and `ready`');
  }

  /** The connection for commands. */
  unwrap<T>(): T {
    return this.commands as T;
  }

  /** For metrics: requests that wait or are handled, events that are not delivered yet, and dead letters. */
  async queueStats(): Promise<QueueStats> {
    const { service } = this.options;
    const [lengths, groups, deadLetters, ...lags] = await Promise.all([
      Promise.all(this.requestStreams.map((stream) => this.commands.xLen(stream))),
      Promise.all(this.requestStreams.map((stream) => this.groupsOf(stream))),
      this.commands.xLen(keys.deadLetters(service)),
      ...this.owners.map(async (owner): Promise<[string, number | null]> => {
        const followers = await this.groupsOf(keys.events(owner));
        return [owner, followers.find((group) => group.name === service)?.lag ?? null];
      }),
    ]);
    const ownGroups = groups.flat().filter((group) => group.name === service);
    return {
      length: sum(lengths),
      pending: sum(ownGroups.map((group) => group.pending)),
      lag: Object.fromEntries(lags),
      deadLetters,
    };
  }

  private requestConsumer(routes: Routes, callingService: ServiceName | undefined): StreamConsumer {
    const { service, clock, concurrency, reclaimAfterMs, maxDeliveries, observer } = this.options;
    const handler = new RequestHandler({
      service,
      callingService,
      routes: routes.requests,
      commands: this.commands,
      ...{ clock, redisClock: this.redisClock },
      maxDeliveries,
      onTaken: (waitedMs) => this.queueLimit.recordWait(waitedMs),
      log: this.log,
      observer,
    });
    const stream = keys.requests(service, callingService);
    this.requestHandlers.push(handler);
    this.requestStreams.push(stream);
    return this.consumer(stream, {
      concurrency,
      maxDeliveries,
      deleteWhenDone: true,
      retryDelayMs: () => reclaimAfterMs,
      handle: (entry) => handler.handle(entry),
    });
  }

  private eventConsumer(owner: string, routes: Routes): StreamConsumer {
    const { service, eventConcurrency, reclaimAfterMs, maxEventDeliveries, observer } = this.options;
    const handler = new EventHandler({
      service,
      owner,
      routes: routes.events,
      commands: this.commands,
      maxDeliveries: maxEventDeliveries,
      log: this.log,
      observer,
    });
    return this.consumer(keys.events(owner), {
      concurrency: eventConcurrency,
      maxDeliveries: maxEventDeliveries,
      deleteWhenDone: false,
      retryDelayMs: (deliveries) => Math.min(reclaimAfterMs * 2 ** (deliveries - 1), longestRetryDelayMs),
      handle: (entry) => handler.handle(entry),
    });
  }

  private consumer(
    stream: string,
    options: Pick<
      StreamConsumerOptions,
      'concurrency' | 'maxDeliveries' | 'deleteWhenDone' | 'retryDelayMs' | 'handle'
    >,
  ): StreamConsumer {
    const { redisUrl, service, reclaimAfterMs } = this.options;
    return new StreamConsumer(this.commands, {
      redisUrl,
      stream,
      group: service,
      consumer: this.consumerName,
      reclaimAfterMs,
      log: this.log,
      ...options,
    });
  }

  /** Runs a handler between Nest's hooks. If it returns an observable, the last value is the answer. */
  private runnerOf(handler: MessageHandler): Run {
    return (input, context) =>
      new Promise((resolve, reject) => {
        this.onProcessingStartHook(transport, context, async () => {
          try {
            const result: unknown = await handler(input, context);
            resolve(isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result);
          } catch (error) {
            reject(error as Error);
          } finally {
            this.onProcessingEndHook?.(transport, context);
          }
        });
      });
  }

  private async beatUntilClosed(): Promise<void> {
    while (!this.closed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.options.heartbeatMs);
        this.beatSooner = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      await this.beat();
    }
  }

  private async beat(): Promise<void> {
    const expired = sum(this.requestHandlers.map((handler) => handler.takeExpired()));
    if (expired > 0) this.log.warn({ requests: expired }, 'Dropped expired requests');
    if (!this.commands.isReady) return;
    const { service } = this.options;
    const limit = this.queueLimit.next();
    const aliveUpdate = this.listening
      ? this.commands.set(keys.alive(service), String(limit), {
          expiration: { type: 'PX', value: aliveForMs },
        })
      : undefined;
    const parts = Promise.allSettled([
      aliveUpdate,
      this.redisClock.sample(this.commands),
      ...this.consumers.map((consumer) => consumer.beat()),
    ]);
    try {
      for (const result of await answerOf(this.commands, parts)) {
        if (result.status === 'rejected' && this.commands.isReady) throw result.reason;
      }
    } catch (error) {
      this.log.warn(errorFields(error), 'A heartbeat failed');
    }
  }

  private async groupsOf(stream: string): Promise<{ name: string; pending: number; lag: number | null }[]> {
    try {
      return (await this.commands.xInfoGroups(stream)) as {
        name: string;
        pending: number;
        lag: number | null;
      }[];
    } catch (error) {
      if (isReplyError(error, 'ERR no such key')) return [];
      throw error;
    }
  }

  /** Removes the consumers of processes that were killed. */
  private async removeDeadConsumers(): Promise<void> {
    const { service } = this.options;
    const streams = [...this.requestStreams, ...this.owners.map((owner) => keys.events(owner))];
    for (const stream of streams) {
      for (const { name, pending, idle } of await this.commands.xInfoConsumers(stream, service)) {
        if (pending > 0 || idle < forgottenAfterMs) continue;
        await this.commands.xGroupDelConsumer(stream, service, name);
      }
    }
  }
}

/** The options without undefined values, which would hide their defaults. */
function withoutUndefined(options: StreamsServerOptions): StreamsServerOptions {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as StreamsServerOptions;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
