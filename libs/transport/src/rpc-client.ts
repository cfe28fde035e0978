import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import {
  type Actor,
  type CallInput,
  type Contract,
  DomainError,
  type ErrorCode,
  type Output,
  type ServiceName,
  serviceNames,
  serviceOf,
} from '#libs/contracts';
import { type Admission, admit } from './admission.js';
import {
  closeConnection,
  type Connection,
  createConnection,
  isReplyError,
  reopen,
  silenceMs,
  subscribeForGood,
} from './connection.js';
import { readReply, type RequestEnvelope } from './envelope.js';
import { keys } from './keys.js';
import { errorFields, nestLogger, type TransportLogger, type TransportObserver } from './observer.js';
import { inSpan, tracing } from './tracing.js';

export interface RpcClientOptions {
  redisUrl: string;
  /** The calling process, such as `gateway`. A service calls by its own name, over its own streams, and only contracts that name it in `callableBy`. */
  caller: string;
  /** How long (ms) a call waits if neither it nor its contract says. Default 10 000. */
  deadlineMs?: number;
  /** The maximum number of concurrent calls; further calls fail as OVERLOADED without being sent. Default 5 000. */
  maxInFlight?: number;
  /** How long (ms) calls wait for an unreachable Redis or service before they fail as UNAVAILABLE. Default 2 000. */
  outageToleranceMs?: number;
  logger?: TransportLogger;
  observer?: TransportObserver;
}

export interface CallOptions {
  actor: Actor;
  /** The same id means the same command: it takes effect once and gets the same answer each time. Default: a new UUIDv7. */
  requestId?: string;
  deadlineMs?: number;
  /** W3C trace context to pass on. */
  traceparent?: string;
}

interface PendingCall {
  pattern: string;
  /** The envelope as JSON, without the remaining time. */
  body: string;
  /** Redis has accepted it at least once, so its answer may still arrive. */
  admitted: boolean;
  /** When it was last sent, until Redis has confirmed it. */
  askedAt?: number;
  service: ServiceName;
  started: number;
  expires: number;
  timer: NodeJS.Timeout;
  resolve(value: unknown): void;
  reject(error: DomainError): void;
}

const absentRetryMs = 200;

/**
 * The typed client of the services: `await client.call(contentContract.list, { section: 'banner' }, { actor })`.
 *
 * A call always ends: with the service's answer, with the service's coded error, or with TIMEOUT (its deadline passed),
 * OVERLOADED (too many requests wait) or UNAVAILABLE (Redis or every replica of the service is gone). After the
 * last three a command may or may not take effect: ask again with the same request id to find out.
 */
export class RpcClient {
  private readonly commands: Connection;
  private readonly replies: Connection;
  private readonly log: TransportLogger;
  /** Set if the caller is a service. */
  private readonly callingService: ServiceName | undefined;
  /** The channel for the replies of each service. */
  private readonly channels: Record<ServiceName, string>;
  private readonly pending = new Map<string, PendingCall>();
  private readonly absences = new Map<ServiceName, { since: number; lastSeen: number }>();
  private calls = 0;
  private closed = false;
  private disconnectedSince: number | undefined = performance.now();
  private outage?: NodeJS.Timeout;
  private subscribed = false;

  private readonly outageTolerance: number;
  private readonly maxInFlight: number;

  constructor(private readonly options: RpcClientOptions) {
    this.outageTolerance = options.outageToleranceMs ?? 2000;
    this.maxInFlight = options.maxInFlight ?? 5000;
    this.log = options.logger ?? nestLogger('RpcClient');
    const { caller } = options;
    const id = randomUUID();
    this.callingService = serviceNames.find((name) => name === caller);
    this.channels = Object.fromEntries(
      serviceNames.map((service) => [service, keys.replies(caller, service, id)]),
    ) as Record<ServiceName, string>;
    this.commands = createConnection(options.redisUrl, `${caller}:calls`, this.log);
    this.replies = createConnection(options.redisUrl, `${caller}:replies`, this.log);
    for (const connection of [this.commands, this.replies]) {
      connection.on('ready', () => this.onConnection());
      connection.on('error', () => this.onConnection());
      connection.on('end', () => this.onConnection());
    }
  }

  /**
   * Resolves once calls can be made, or if the client is closed before that. Callers need not await it: earlier calls wait as in an outage.
   * Rejects if Redis refuses a command that the client needs.
   */
  async connect(): Promise<void> {
    this.outageBegins();
    try {
      await Promise.all([this.commands.connect(), this.replies.connect()]);
      await subscribeForGood(this.replies, Object.values(this.channels), (message, channel) =>
        this.onReply(message, channel),
      );
    } catch (error) {
      if (this.closed) return;
      throw error;
    }
    this.subscribed = true;
    this.onConnection();
  }

  /** Whether calls can be made and answered now. */
  get connected(): boolean {
    return this.subscribed && this.commands.isReady && this.replies.isReady;
  }

  /** Whether a replica of the service has been alive within the last seconds. Rejects while Redis is unreachable. */
  async isServed(service: ServiceName): Promise<boolean> {
    return (await this.commands.exists(keys.alive(service))) === 1;
  }

  call<C extends Contract>(contract: C, input: CallInput<C>, options: CallOptions): Promise<Output<C>> {
    if (!tracing.current) return this.send(contract, input, options);
    const facts = { kind: 'client', name: contract.pattern, parent: options.traceparent } as const;
    return inSpan(facts, (traceparent) => this.send(contract, input, { ...options, traceparent }));
  }

  private send<C extends Contract>(
    contract: C,
    input: CallInput<C>,
    options: CallOptions,
  ): Promise<Output<C>> {
    const deadlineMs = options.deadlineMs ?? contract.deadlineMs ?? this.options.deadlineMs ?? 10_000;
    const started = performance.now();
    const call = (this.calls++).toString(36);
    const service = serviceOf(contract);
    const answer = new Promise<Output<C>>((resolve, reject) => {
      const envelope: Omit<RequestEnvelope, 'ttlMs'> = {
        id: options.requestId ?? uuidv7(),
        call,
        pattern: contract.pattern,
        input,
        actor: options.actor,
        replyTo: this.channels[service],
        traceparent: options.traceparent,
      };
      this.pending.set(call, {
        pattern: contract.pattern,
        body: JSON.stringify(envelope),
        admitted: false,
        service,
        started,
        expires: started + deadlineMs,
        timer: setTimeout(() => this.onDeadline(call), deadlineMs),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
    });
    if (this.closed) this.fail(call, 'UNAVAILABLE');
    else if (this.pending.size > this.maxInFlight) this.fail(call, 'OVERLOADED');
    else if (this.disconnectedSince === undefined) void this.ask(call);
    else if (started - this.disconnectedSince > this.outageTolerance) this.fail(call, 'UNAVAILABLE');
    return answer;
  }

  /** Calls in flight. */
  get inFlight(): number {
    return this.pending.size;
  }

  /** Calls in flight fail with UNAVAILABLE. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.outage);
    for (const call of [...this.pending.keys()]) this.fail(call, 'UNAVAILABLE');
    await Promise.all([closeConnection(this.commands), closeConnection(this.replies)]);
  }

  private async ask(call: string): Promise<void> {
    const waiting = this.pending.get(call);
    if (!waiting) return;
    const askedAt = performance.now();
    const ttlMs = waiting.expires - askedAt;
    if (ttlMs <= 0) return;
    waiting.askedAt = askedAt;
    const { service } = waiting;
    let verdict: Admission;
    try {
      const message = `{"ttlMs":${ttlMs},${waiting.body.slice(1)}`;
      verdict = await admit(this.commands, service, this.callingService, message);
    } catch (error) {
      // If the connection broke, the reconnect sends it again. If Redis itself refused it, it would refuse again.
      if (isReplyError(error)) {
        this.log.error({ pattern: waiting.pattern, ...errorFields(error) }, 'Redis refused a request');
        this.fail(call, 'UNAVAILABLE');
      }
      return;
    }
    waiting.askedAt = undefined;
    if (verdict === 'admitted') {
      waiting.admitted = true;
      if (this.absences.size > 0) this.absences.delete(service);
    } else if (verdict === 'absent') {
      this.onAbsent(call, service);
    } else if (!waiting.admitted) {
      this.fail(call, 'OVERLOADED');
    }
  }

  /** No replica is alive. It may be restarting, so the call waits a little, unless other calls have already waited in vain. */
  private onAbsent(call: string, service: ServiceName): void {
    const now = performance.now();
    const known = this.absences.get(service);
    // An absence that was seen long ago is a different one.
    const since = known && now - known.lastSeen < this.outageTolerance ? known.since : now;
    this.absences.set(service, { since, lastSeen: now });
    if (now - since > this.outageTolerance) this.fail(call, 'UNAVAILABLE');
    else setTimeout(() => void this.ask(call), absentRetryMs);
  }

  private onReply(message: string, channel: string): void {
    const reply = readReply(message);
    if (!reply) {
      this.log.warn({}, 'Ignored an unreadable reply');
      return;
    }
    const asked = this.pending.get(reply.call);
    if (asked && this.channels[asked.service] !== channel) {
      this.log.error(
        { channel, pattern: asked.pattern },
        'Ignored the reply of a service that was not asked',
      );
      return;
    }
    const waiting = this.take(reply.call);
    if (!waiting) return;
    const error = 'error' in reply ? DomainError.fromData(reply.error) : undefined;
    this.observe(waiting, error?.code ?? 'ok');
    if (error) waiting.reject(error);
    else waiting.resolve('value' in reply ? reply.value : undefined);
  }

  private onDeadline(call: string): void {
    // If this process was busy, the reply may be in the socket: read that first.
    setImmediate(() => {
      const waiting = this.pending.get(call);
      this.fail(call, this.disconnectedSince === undefined ? 'TIMEOUT' : 'UNAVAILABLE');
      const unanswered = waiting?.askedAt !== undefined && performance.now() - waiting.askedAt > silenceMs;
      if (unanswered) reopen(this.commands);
    });
  }

  private fail(call: string, code: 'TIMEOUT' | 'OVERLOADED' | 'UNAVAILABLE'): void {
    const waiting = this.take(call);
    if (!waiting) return;
    this.observe(waiting, code);
    waiting.reject(new DomainError(code, code === 'TIMEOUT' ? {} : { retryAfterSeconds: 1 }));
  }

  private take(call: string): PendingCall | undefined {
    const waiting = this.pending.get(call);
    if (!waiting) return undefined;
    this.pending.delete(call);
    clearTimeout(waiting.timer);
    return waiting;
  }

  private observe(waiting: PendingCall, outcome: 'ok' | ErrorCode): void {
    this.options.observer?.onCall?.(waiting.pattern, performance.now() - waiting.started, outcome);
  }

  /** Replies that were sent while this process was disconnected are lost: after a reconnect, all open requests are sent again under the same ids. */
  private onConnection(): void {
    if (this.closed) return;
    if (!this.connected) {
      this.outageBegins();
    } else if (this.disconnectedSince !== undefined) {
      this.disconnectedSince = undefined;
      this.absences.clear();
      clearTimeout(this.outage);
      this.outage = undefined;
      for (const call of [...this.pending.keys()]) void this.ask(call);
    }
  }

  private outageBegins(): void {
    if (this.outage !== undefined) return;
    this.disconnectedSince = performance.now();
    this.outage = setTimeout(() => {
      for (const call of [...this.pending.keys()]) this.fail(call, 'UNAVAILABLE');
    }, this.outageTolerance);
  }
}
