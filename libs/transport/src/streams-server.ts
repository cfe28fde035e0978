import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import {
  type Contract,
  DomainError,
  type EventContract,
  judgeAccess,
  type ServiceName,
} from '#libs/contracts';
import { closeConnection, type Connection, createConnection } from './connection.js';
import { type EventContext, RequestContext } from './context.js';
import { type DeadReason, writeDeadLetter } from './dead-letters.js';
import {
  type EventEnvelope,
  messageField,
  readEvent,
  readRequest,
  type ReplyEnvelope,
  type RequestEnvelope,
} from './envelope.js';
import { contractOf, eventContractOf } from './handles.js';
import { addedAt, keys, ownerOf } from './keys.js';
import { errorFields, nestLogger, type TransportLogger, type TransportObserver } from './observer.js';
import { parseOrInvalid } from './parse.js';
import { redact } from './redact.js';
import { RedisClock } from './redis-clock.js';
import { type Entry, StreamConsumer, type Verdict } from './stream-consumer.js';

export interface StreamsServerOptions {
  /** Whose requests this process answers; also its group's name wherever it follows events. */
  service: ServiceName;
  redisUrl: string;
  /** Requests in hand at once, in this replica. Default 64. */
  concurrency?: number;
  /** Events in hand at once, per stream followed. Default 8. */
  eventConcurrency?: number;
  /** Requests that may wait in the stream, over all replicas; past it callers get OVERLOADED. Default 1 000. */
  maxQueue?: number;
  /** What a replica left untouched for so long (ms) another one takes over. Default 2 000. */
  reclaimAfterMs?: number;
  /** How often (ms) a replica shows that it is at work. At most a quarter of `reclaimAfterMs`. Default 500. */
  heartbeatMs?: number;
  /** A request delivered more often than this is a dead letter. Default 3. */
  maxDeliveries?: number;
  /** The same for an event, whose deliveries lie ever further apart (2 s, 4 s, ... 5 min). Default 12: 20 minutes. */
  maxEventDeliveries?: number;
  /** How long (ms) a stopping replica waits for what it has in hand. Default 15 000. */
  drainTimeoutMs?: number;
  /** Parse what handlers return by their contract's output, and answer INTERNAL where it does not fit. For tests. */
  checkOutputs?: boolean;
  logger?: TransportLogger;
  observer?: TransportObserver;
}

export interface QueueStats {
  /** Requests in the stream: waiting or in hand. */
  length: number;
  /** Of those, in hand of some replica. */
  pending: number;
  /** Events of each followed stream that this service has not been given yet; null where Redis cannot tell. */
  lag: Record<string, number | null>;
  deadLetters: number;
}

const defaults = {
  concurrency: 64,
  eventConcurrency: 8,
  maxQueue: 1000,
  reclaimAfterMs: 2000,
  heartbeatMs: 500,
  maxDeliveries: 3,
  maxEventDeliveries: 12,
  drainTimeoutMs: 15_000,
  checkOutputs: false,
};

/** A service counts as gone when none of its replicas showed itself for so long. */
const aliveForMs = 5000;
const longestRetryDelayMs = 5 * 60_000;
/** A consumer that read nothing for so long and holds nothing belonged to a process that is no more. */
const forgottenAfterMs = 3_600_000;

/**
 * Nest's side of the transport: `NestFactory.createMicroservice(module, { strategy: new StreamsServer(...) })`.
 * See the README of this library for what it guarantees.
 */
export class StreamsServer extends Server implements CustomTransportStrategy {
  private readonly options: StreamsServerOptions & typeof defaults;
  private readonly log: TransportLogger;
  private readonly commands: Connection;
  private readonly clock = new RedisClock();
  private readonly consumerName: string;
  private consumers: StreamConsumer[] = [];
  private beating?: NodeJS.Timeout;
  private lastBeat: Promise<void> = Promise.resolve();
  private listening = false;

  constructor(options: StreamsServerOptions) {
    super();
    this.options = { ...defaults, ...options };
    this.log = options.logger ?? nestLogger('StreamsServer');
    this.consumerName = `${options.service}@${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
    this.commands = createConnection(options.redisUrl, this.consumerName, this.log);
    this.commands.on('ready', () => {
      this.clock.forget();
      if (this.listening) this.beatNow();
    });
  }

  /** Whether requests reach this replica now. */
  get ready(): boolean {
    return this.listening && this.commands.isReady && this.consumers.every((consumer) => consumer.ready);
  }

  /** Handlers running in this replica. */
  get inHand(): number {
    return this.consumers.reduce((sum, consumer) => sum + consumer.inHand, 0);
  }

  /** Waits for Redis if need be. */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const owners = this.checkHandlers();
      await this.commands.connect();
      await this.clock.sample(this.commands);
      this.consumers = [this.requestConsumer(), ...owners.map((owner) => this.eventConsumer(owner))];
      for (const consumer of this.consumers) await consumer.start();
      this.listening = true;
      await this.beat();
      this.planBeat();
      await this.forgetTheDead();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Takes nothing new, finishes what is in hand, then leaves. */
  async close(): Promise<void> {
    this.listening = false;
    await Promise.all(this.consumers.map((consumer) => consumer.stopReading()));
    const drained = await Promise.all(
      this.consumers.map((consumer) => consumer.drain(this.options.drainTimeoutMs)),
    );
    clearTimeout(this.beating);
    await this.lastBeat;
    if (drained.includes(false)) {
      this.log.warn(
        { inHand: this.inHand },
        'Stopped with requests in hand; another replica will take them over',
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

  /** For metrics: how much waits. */
  async queueStats(): Promise<QueueStats> {
    const { service } = this.options;
    const stream = keys.requests(service);
    const [length, groups, deadLetters, ...lags] = await Promise.all([
      this.commands.xLen(stream),
      this.commands.xInfoGroups(stream),
      this.commands.xLen(keys.deadLetters(service)),
      ...this.eventOwners().map(async (owner): Promise<[string, number | null]> => {
        const followers = await this.commands.xInfoGroups(keys.events(owner));
        return [owner, followers.find((group) => group.name === service)?.lag ?? null];
      }),
    ]);
    const pending = groups.find((group) => group.name === service)?.pending ?? 0;
    return { length, pending, lag: Object.fromEntries(lags), deadLetters };
  }

  // ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────

  private requestConsumer(): StreamConsumer {
    const { service, concurrency, reclaimAfterMs, maxDeliveries } = this.options;
    return this.consumer(keys.requests(service), {
      concurrency,
      maxDeliveries,
      deleteWhenDone: true,
      retryDelayMs: () => reclaimAfterMs,
      handle: (entry) => this.handleRequestEntry(entry),
    });
  }

  private async handleRequestEntry(entry: Entry): Promise<Verdict> {
    const request = readRequest(entry.fields);
    if (!request) {
      await this.bury(entry, keys.requests(this.options.service), 'malformed');
      return { verdict: 'done' };
    }
    const contract = this.contractFor(request.pattern);
    const now = this.clock.now();
    const waitedMs = now - addedAt(entry.id);
    const gaveUp = entry.deliveries > this.options.maxDeliveries;
    if (waitedMs > request.ttlMs && !gaveUp) {
      this.log.warn(
        {
          requestId: request.id,
          pattern: request.pattern,
          deliveries: entry.deliveries,
          waitedMs: Math.round(waitedMs),
        },
        'Dropped an expired request',
      );
      this.options.observer?.onRequest?.(request.pattern, 0, 'EXPIRED', waitedMs);
      return { verdict: 'done' };
    }
    if (gaveUp) {
      await this.bury(entry, keys.requests(this.options.service), 'too-many-deliveries', request);
      this.options.observer?.onRequest?.(request.pattern, 0, 'DEAD', waitedMs);
      return this.answer(request, { error: new DomainError('INTERNAL').toData() });
    }
    const started = performance.now();
    let result: { value: unknown } | { error: unknown };
    try {
      if (!contract) throw new Error(`No handler for ${request.pattern}`);
      const deadline = new Date(Date.now() + request.ttlMs - waitedMs);
      result = { value: await this.run(contract, request, deadline, entry.deliveries) };
    } catch (error) {
      result = { error };
    }
    const reply = 'value' in result ? result : { error: this.toErrorData(result.error, request) };
    const outcome = 'error' in reply ? reply.error.code : 'ok';
    this.options.observer?.onRequest?.(request.pattern, performance.now() - started, outcome, waitedMs);
    return this.answer(request, reply);
  }

  private async run(
    contract: Contract,
    request: RequestEnvelope,
    deadline: Date,
    deliveries: number,
  ): Promise<unknown> {
    const { actor } = request;
    const verdict = judgeAccess(contract.access, actor.role);
    if (verdict === 'unauthenticated') throw new DomainError('UNAUTHENTICATED');
    if (verdict === 'forbidden') throw new DomainError('FORBIDDEN');
    const input = parseOrInvalid(contract.input, request.input);
    const context = new RequestContext({
      requestId: request.id,
      actor,
      traceparent: request.traceparent,
      deadline,
      deliveries,
      contract,
      input,
    });
    const handler = this.getHandlers().get(contract.pattern) as MessageHandler;
    const value = await this.settle(handler, input, context);
    return this.options.checkOutputs ? contract.output.parse(value) : value;
  }

  private answer(request: RequestEnvelope, result: { value: unknown } | { error: unknown }): Verdict {
    const reply = { call: request.call, ...result } as ReplyEnvelope;
    return { verdict: 'done', reply: { channel: request.replyTo, message: JSON.stringify(reply) } };
  }

  private toErrorData(error: unknown, request: RequestEnvelope) {
    if (error instanceof DomainError) return error.toData();
    this.log.error(
      { requestId: request.id, pattern: request.pattern, ...errorFields(error) },
      'A handler failed unexpectedly',
    );
    return new DomainError('INTERNAL').toData();
  }

  // ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private eventConsumer(owner: string): StreamConsumer {
    const { eventConcurrency, reclaimAfterMs, maxEventDeliveries } = this.options;
    return this.consumer(keys.events(owner), {
      concurrency: eventConcurrency,
      maxDeliveries: maxEventDeliveries,
      deleteWhenDone: false,
      retryDelayMs: (deliveries) => Math.min(reclaimAfterMs * 2 ** (deliveries - 1), longestRetryDelayMs),
      handle: (entry) => this.handleEventEntry(entry, keys.events(owner)),
    });
  }

  private async handleEventEntry(entry: Entry, stream: string): Promise<Verdict> {
    const event = readEvent(entry.fields);
    if (!event) {
      await this.bury(entry, stream, 'malformed');
      return { verdict: 'done' };
    }
    const contract = this.eventContractFor(event.event);
    if (!contract) return { verdict: 'done' };
    if (entry.deliveries > this.options.maxEventDeliveries) {
      await this.bury(entry, stream, 'too-many-deliveries', event);
      this.options.observer?.onEvent?.(event.event, 0, 'DEAD');
      return { verdict: 'done' };
    }
    const payload = contract.payload.safeParse(event.payload);
    if (!payload.success) {
      await this.bury(entry, stream, 'invalid-payload', event, payload.error.message);
      this.options.observer?.onEvent?.(event.event, 0, 'DEAD');
      return { verdict: 'done' };
    }
    const context: EventContext = {
      eventId: event.id,
      occurredAt: new Date(event.occurredAt),
      traceparent: event.traceparent,
      deliveries: entry.deliveries,
    };
    const started = performance.now();
    try {
      const handler = this.getHandlers().get(contract.event) as MessageHandler;
      await this.settle(handler, payload.data, context);
      this.options.observer?.onEvent?.(event.event, performance.now() - started, 'ok');
      return { verdict: 'done' };
    } catch (error) {
      this.log.warn(
        { eventId: event.id, event: event.event, deliveries: entry.deliveries, ...errorFields(error) },
        'An event handler failed; the event will be delivered again',
      );
      this.options.observer?.onEvent?.(event.event, performance.now() - started, 'RETRY');
      return { verdict: 'retry' };
    }
  }

  // ── Both ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Nest hands back a value, a promise or an observable; the last value of an observable is the answer. */
  private async settle(handler: MessageHandler, input: unknown, context: unknown): Promise<unknown> {
    const result = await handler(input, context);
    return lastValueFrom(this.transformToObservable(result), { defaultValue: undefined });
  }

  private consumer(
    stream: string,
    options: Pick<
      ConstructorParameters<typeof StreamConsumer>[1],
      'concurrency' | 'maxDeliveries' | 'deleteWhenDone' | 'retryDelayMs' | 'handle'
    >,
  ): StreamConsumer {
    const { redisUrl, service, reclaimAfterMs, heartbeatMs } = this.options;
    return new StreamConsumer(this.commands, {
      redisUrl,
      stream,
      group: service,
      consumer: this.consumerName,
      reclaimAfterMs,
      heartbeatMs,
      log: this.log,
      ...options,
    });
  }

  private async bury(
    entry: Entry,
    stream: string,
    reason: DeadReason,
    envelope?: RequestEnvelope | EventEnvelope,
    error = '',
  ): Promise<void> {
    const pattern = envelope === undefined ? '' : 'pattern' in envelope ? envelope.pattern : envelope.event;
    this.log.error(
      { reason, stream, entry: entry.id, pattern, requestId: envelope?.id },
      'Gave up a message',
    );
    const { message, replayable } = this.keepable(entry, envelope);
    await writeDeadLetter(this.commands, {
      reason,
      stream,
      service: this.options.service,
      entryId: entry.id,
      deliveries: entry.deliveries,
      pattern,
      requestId: envelope?.id ?? '',
      message,
      replayable,
      error,
    });
  }

  /** What of a message may be kept. Without a contract nobody can say what is secret, so nothing of it is. */
  private keepable(
    entry: Entry,
    envelope?: RequestEnvelope | EventEnvelope,
  ): { message: string; replayable: boolean } {
    if (!envelope) return { message: '', replayable: false };
    const message = entry.fields[messageField] ?? '';
    if (!('pattern' in envelope)) return { message, replayable: true };
    const contract = this.contractFor(envelope.pattern);
    if (!contract) return { message: '', replayable: false };
    if (contract.secret.length === 0) return { message, replayable: true };
    const safe = { ...envelope, input: redact(envelope.input, contract.secret) };
    return { message: JSON.stringify(safe), replayable: false };
  }

  private contractFor(pattern: string): Contract | undefined {
    const handler = this.getHandlers().get(pattern);
    return handler && !handler.isEventHandler ? contractOf(handler.extras) : undefined;
  }

  private eventContractFor(event: string): EventContract | undefined {
    const handler = this.getHandlers().get(event);
    return handler?.isEventHandler ? eventContractOf(handler.extras) : undefined;
  }

  private eventOwners(): string[] {
    const events = [...this.getHandlers()]
      .filter(([, handler]) => handler.isEventHandler)
      .map(([event]) => event);
    return [...new Set(events.map(ownerOf))];
  }

  /** Default deny: a handler that declares no contract has no access rule, and the process does not start with it. */
  private checkHandlers(): string[] {
    const { service } = this.options;
    for (const [pattern, handler] of this.getHandlers()) {
      if (handler.isEventHandler) {
        if (!eventContractOf(handler.extras))
          throw new Error(`${pattern}: declare this handler with @OnEvent(contract)`);
      } else {
        if (!contractOf(handler.extras))
          throw new Error(`${pattern}: declare this handler with @Handles(contract)`);
        if (ownerOf(pattern) !== service) throw new Error(`${pattern} is not for ${service} to answer`);
      }
    }
    return this.eventOwners();
  }

  private planBeat(): void {
    this.beating = setTimeout(() => this.beatNow(), this.options.heartbeatMs);
  }

  private beatNow(): void {
    clearTimeout(this.beating);
    this.lastBeat = this.lastBeat.then(() => this.beat());
    void this.lastBeat.then(() => this.planBeat());
  }

  private async beat(): Promise<void> {
    if (!this.commands.isReady) return;
    const { service, maxQueue } = this.options;
    const shown = this.listening
      ? this.commands.set(keys.alive(service), String(maxQueue), {
          expiration: { type: 'PX', value: aliveForMs },
        })
      : undefined;
    const results = await Promise.allSettled([
      shown,
      this.clock.sample(this.commands),
      ...this.consumers.map((consumer) => consumer.beat()),
    ]);
    for (const result of results) {
      if (result.status === 'rejected' && this.commands.isReady) {
        this.log.warn(errorFields(result.reason), 'A heartbeat failed');
      }
    }
  }

  /** Removes the consumers that processes which did not stop in order left behind in the groups. */
  private async forgetTheDead(): Promise<void> {
    const { service } = this.options;
    const streams = [keys.requests(service), ...this.eventOwners().map((owner) => keys.events(owner))];
    for (const stream of streams) {
      for (const { name, pending, idle } of await this.commands.xInfoConsumers(stream, service)) {
        if (pending > 0 || idle < forgottenAfterMs) continue;
        await this.commands.xGroupDelConsumer(stream, service, name);
      }
    }
  }
}
