import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { ServiceName } from '#libs/contracts';
import { type Clock, SystemClock, within } from '#libs/runtime';
import {
  answerOrReopen,
  closeConnection,
  type Connection,
  createConnection,
  isReplyError,
} from './connection.js';
import { EventHandler } from './event-handler.js';
import { keys, ownerOf } from './keys.js';
import { errorFields, nestLogger, type TransportLogger, type TransportObserver } from './observer.js';
import { RedisClock } from './redis-clock.js';
import { QueueLimit } from './queue-limit.js';
import { RequestHandler } from './request-handler.js';
import { callingServicesOf, type Routes, routesOf, type RunHandler } from './routes.js';
import { StreamConsumer, type StreamConsumerOptions } from './stream-consumer.js';

export interface StreamsServerOptions {
  /** Also the name of its consumer group in every stream. */
  service: ServiceName;
  redisUrl: string;
  /** Concurrent requests per replica and stream: the gateway and each calling service have a stream. Default 64. */
  concurrency?: number;
  /** Concurrent events per replica and stream. Default 8. */
  eventConcurrency?: number;
  /** The most requests in a stream, waiting or being handled; beyond that, callers get OVERLOADED. Default 1 000. */
  maxQueue?: number;
  /** While the longest wait exceeds this (ms), fewer requests may wait. Default 2 000. */
  maxWaitMs?: number;
  /** An entry without a heartbeat for this long (ms) is claimed by another replica. Default 2 000. */
  takeOverAfterMs?: number;
  /** In ms, at most a quarter of `takeOverAfterMs`. Default 500. */
  heartbeatMs?: number;
  /** After this many deliveries, a request becomes a dead letter. Default 3. */
  maxDeliveries?: number;
  /** Like `maxDeliveries`, for an event. Pauses grow (2 s, 4 s, ... 5 min). Default 12: the last comes about 23 minutes after the first. */
  maxEventDeliveries?: number;
  /** How long (ms) a stopping replica waits for its work. Default 15 000. */
  drainTimeoutMs?: number;
  /** Decides whether a sign-in is still fresh. Default: the system clock. */
  clock?: Clock;
  logger?: TransportLogger;
  observer?: TransportObserver;
}

export interface QueueStats {
  /** Requests in the streams: waiting or being handled. */
  length: number;
  /** Those that are being handled, or whose replica has ended. */
  pending: number;
  /** By the owner of each stream of events that this service follows: how many events the service has not yet received; null if Redis cannot tell. */
  lag: Record<string, number | null>;
  deadLetters: number;
}

const defaults = {
  concurrency: 64,
  eventConcurrency: 8,
  maxQueue: 1000,
  maxWaitMs: 2000,
  takeOverAfterMs: 2000,
  heartbeatMs: 500,
  maxDeliveries: 3,
  maxEventDeliveries: 12,
  drainTimeoutMs: 15_000,
  clock: new SystemClock(),
};

/** A service counts as absent when no replica has renewed `keys.alive` for this long. */
const aliveForMs = 5000;
const transportId = Symbol('redis-streams');
const longestRetryDelayMs = 5 * 60_000;
/** A consumer without a read for this long and without pending entries belongs to an ended process. */
const forgottenAfterMs = 3_600_000;

/**
 * Receives requests and events for Nest. To stop it, call `app.close()`: `enableShutdownHooks()` would destroy providers while requests are being
 * handled.
 */
export class StreamsServer extends Server implements CustomTransportStrategy {
  private readonly options: StreamsServerOptions & typeof defaults;
  private readonly log: TransportLogger;
  private readonly redis: Connection;
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
  private followedOwners: string[] = [];

  constructor(options: StreamsServerOptions) {
    super();
    this.setTransportId(transportId);
    this.options = { ...defaults, ...withoutUndefined(options) };
    if (this.options.heartbeatMs * 4 > this.options.takeOverAfterMs) {
      throw new Error(
        'heartbeatMs must be at most a quarter of takeOverAfterMs, or live replicas count as dead',
      );
    }
    this.queueLimit = new QueueLimit(this.options.maxQueue, this.options.maxWaitMs);
    this.log = options.logger ?? nestLogger('StreamsServer');
    this.consumerName = `${options.service}@${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
    this.redis = createConnection(options.redisUrl, this.consumerName, this.log);
    this.redis.on('ready', () => {
      this.redisClock.forget();
      this.beatSooner?.();
    });
  }

  get ready(): boolean {
    return this.listening && this.redis.isReady && this.consumers.every((consumer) => consumer.ready);
  }

  get runningHandlers(): number {
    return sum(this.consumers.map((consumer) => consumer.runningHandlers));
  }

  /** Waits for Redis. */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const routes = routesOf(this.options.service, this.getHandlers(), (handler) => this.runnerOf(handler));
      this.followedOwners = [...new Set([...routes.events.keys()].map(ownerOf))];
      await this.redis.connect();
      await this.redisClock.takeSample(this.redis);
      this.consumers = [
        ...[undefined, ...callingServicesOf(routes)].map((callingService) =>
          this.createRequestConsumer(routes, callingService),
        ),
        ...this.followedOwners.map((owner) => this.createEventConsumer(owner, routes)),
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

  /** Takes no new work, finishes its work, then disconnects. */
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
        { runningHandlers: this.runningHandlers },
        'Stopped with work unacknowledged; another replica will take it over',
      );
    }
    await Promise.all(this.consumers.map((consumer) => consumer.close()));
    await closeConnection(this.redis);
  }

  on(): void {
    throw new Error('StreamsServer has no driver events; observe it through `observer` and `ready`');
  }

  unwrap<T>(): T {
    return this.redis as T;
  }

  async readQueueStats(): Promise<QueueStats> {
    const { service } = this.options;
    const [lengths, groups, deadLetters, ...lags] = await Promise.all([
      Promise.all(this.requestStreams.map((stream) => this.redis.xLen(stream))),
      Promise.all(this.requestStreams.map((stream) => this.groupsOf(stream))),
      this.redis.xLen(keys.deadLetters(service)),
      ...this.followedOwners.map(async (owner): Promise<[string, number | null]> => {
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

  private createRequestConsumer(routes: Routes, callingService: ServiceName | undefined): StreamConsumer {
    const { service, clock, concurrency, takeOverAfterMs, maxDeliveries, observer } = this.options;
    const handler = new RequestHandler({
      service,
      callingService,
      routes: routes.requests,
      redis: this.redis,
      clock,
      redisClock: this.redisClock,
      maxDeliveries,
      onFirstDelivery: (waitedMs) => this.queueLimit.recordWait(waitedMs),
      log: this.log,
      observer,
    });
    const stream = keys.requests(service, callingService);
    this.requestHandlers.push(handler);
    this.requestStreams.push(stream);
    return this.createConsumer(stream, {
      concurrency,
      maxDeliveries,
      deleteWhenDone: true,
      retryDelayMs: () => takeOverAfterMs,
      handle: (entry) => handler.handle(entry),
    });
  }

  private createEventConsumer(owner: string, routes: Routes): StreamConsumer {
    const { service, eventConcurrency, takeOverAfterMs, maxEventDeliveries, observer } = this.options;
    const handler = new EventHandler({
      service,
      owner,
      routes: routes.events,
      redis: this.redis,
      maxDeliveries: maxEventDeliveries,
      log: this.log,
      observer,
    });
    return this.createConsumer(keys.events(owner), {
      concurrency: eventConcurrency,
      maxDeliveries: maxEventDeliveries,
      deleteWhenDone: false,
      retryDelayMs: (deliveries) => Math.min(takeOverAfterMs * 2 ** (deliveries - 1), longestRetryDelayMs),
      handle: (entry) => handler.handle(entry),
    });
  }

  private createConsumer(
    stream: string,
    options: Pick<
      StreamConsumerOptions,
      'concurrency' | 'maxDeliveries' | 'deleteWhenDone' | 'retryDelayMs' | 'handle'
    >,
  ): StreamConsumer {
    const { redisUrl, service, takeOverAfterMs } = this.options;
    return new StreamConsumer(this.redis, {
      redisUrl,
      stream,
      group: service,
      consumer: this.consumerName,
      takeOverAfterMs,
      log: this.log,
      ...options,
    });
  }

  /** If the handler returns an observable, the last value is the answer. */
  private runnerOf(handler: MessageHandler): RunHandler {
    return (input, context) =>
      new Promise((resolve, reject) => {
        this.onProcessingStartHook(transportId, context, async () => {
          try {
            const result: unknown = await handler(input, context);
            resolve(isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result);
          } catch (error) {
            reject(error as Error);
          } finally {
            this.onProcessingEndHook?.(transportId, context);
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
    const expired = sum(this.requestHandlers.map((handler) => handler.takeExpiredCount()));
    if (expired > 0) this.log.warn({ requests: expired }, 'Dropped expired requests');
    if (!this.redis.isReady) return;
    const { service } = this.options;
    const limit = this.queueLimit.recalculate();
    const aliveUpdate = this.listening
      ? this.redis.set(keys.alive(service), String(limit), {
          expiration: { type: 'PX', value: aliveForMs },
        })
      : undefined;
    const parts = Promise.allSettled([
      aliveUpdate,
      this.redisClock.takeSample(this.redis),
      ...this.consumers.map((consumer) => consumer.beat()),
    ]);
    try {
      for (const result of await answerOrReopen(this.redis, parts)) {
        if (result.status === 'rejected' && this.redis.isReady) throw result.reason;
      }
    } catch (error) {
      this.log.warn(errorFields(error), 'A heartbeat failed');
    }
  }

  private async groupsOf(stream: string): Promise<{ name: string; pending: number; lag: number | null }[]> {
    try {
      return (await this.redis.xInfoGroups(stream)) as {
        name: string;
        pending: number;
        lag: number | null;
      }[];
    } catch (error) {
      if (isReplyError(error, 'ERR no such key')) return [];
      throw error;
    }
  }

  private async removeDeadConsumers(): Promise<void> {
    const { service } = this.options;
    const streams = [...this.requestStreams, ...this.followedOwners.map((owner) => keys.events(owner))];
    for (const stream of streams) {
      for (const { name, pending, idle } of await this.redis.xInfoConsumers(stream, service)) {
        if (pending > 0 || idle < forgottenAfterMs) continue;
        await this.redis.xGroupDelConsumer(stream, service, name);
      }
    }
  }
}

/** Undefined values would hide the defaults. */
function withoutUndefined(options: StreamsServerOptions): StreamsServerOptions {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as StreamsServerOptions;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
