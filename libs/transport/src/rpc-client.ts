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
  maxSilenceMs,
  subscribeWithRetry,
} from './connection.js';
import { readReply, type RequestEnvelope } from './envelope.js';
import { keys } from './keys.js';
import { errorFields, nestLogger, type TransportLogger, type TransportObserver } from './observer.js';
import { inSpan, tracing } from './tracing.js';

export interface RpcClientOptions {
  redisUrl: string;
  /** Such as `gateway`. A service calls under its own name, over its own streams, and only contracts whose `callableBy` names it. */
  caller: string;
  /** How long (ms) a call waits by default. Default 10 000. */
  deadlineMs?: number;
  /** Further concurrent calls fail as OVERLOADED without being sent. Default 5 000. */
  maxInFlight?: number;
  /** How long (ms) calls wait for an unreachable Redis or service before they fail as UNAVAILABLE. Default 2 000. */
  outageToleranceMs?: number;
  logger?: TransportLogger;
  observer?: TransportObserver;
}

export interface CallOptions {
  actor: Actor;
  /** A repeated command with the same id takes effect once and gets the same answer. Default: a new UUIDv7. */
  requestId?: string;
  deadlineMs?: number;
  traceparent?: string;
}

interface PendingCall {
  pattern: string;
  /** The envelope as JSON, without `ttlMs`. */
  body: string;
  /** Redis has accepted the request at least once, so an answer may still arrive. */
  admitted: boolean;
  /** When it was last sent; undefined once Redis has answered. */
  sentAt?: number;
  service: ServiceName;
  started: number;
  expires: number;
  timer: NodeJS.Timeout;
  retry?: NodeJS.Timeout;
  resolve(value: unknown): void;
  reject(error: DomainError): void;
}

/** How long a call waits before it is sent again to a service that had no live replica. */
const absentRetryMs = 200;

/**
 * Calls the services over Redis.
 *
 * A call always ends: with the service's answer or coded error, or with one of these:
 * - TIMEOUT: its deadline passed.
 * - OVERLOADED: too many requests wait, or this client has too many calls in flight.
 * - UNAVAILABLE: Redis or every replica is gone, Redis refused the request, or this client was closed.
 *
 * After these three, a command may still take effect: call again with the same request id to find out.
 */
export class RpcClient {
  private readonly redis: Connection;
  private readonly replies: Connection;
  private readonly log: TransportLogger;
  private readonly callingService: ServiceName | undefined;
  private readonly replyChannels: Record<ServiceName, string>;
  private readonly pending = new Map<string, PendingCall>();
  private readonly absences = new Map<ServiceName, { since: number; confirmedAt: number }>();
  private callCount = 0;
  private closed = false;
  private disconnectedSince: number | undefined = performance.now();
  private outageTimer?: NodeJS.Timeout;
  private subscribed = false;

  private readonly outageToleranceMs: number;
  private readonly maxInFlight: number;

  constructor(private readonly options: RpcClientOptions) {
    this.outageToleranceMs = options.outageToleranceMs ?? 2000;
    this.maxInFlight = options.maxInFlight ?? 5000;
    this.log = options.logger ?? nestLogger('RpcClient');
    const { caller } = options;
    const id = randomUUID();
    this.callingService = serviceNames.find((name) => name === caller);
    this.replyChannels = Object.fromEntries(
      serviceNames.map((service) => [service, keys.replies(caller, service, id)]),
    ) as Record<ServiceName, string>;
    this.redis = createConnection(options.redisUrl, `${caller}:calls`, this.log);
    this.replies = createConnection(options.redisUrl, `${caller}:replies`, this.log);
    for (const connection of [this.redis, this.replies]) {
      connection.on('ready', () => this.onConnectionChange());
      connection.on('error', () => this.onConnectionChange());
      connection.on('end', () => this.onConnectionChange());
    }
  }

  /**
   * Resolves once the client is connected, or closed. Callers need not await it, because calls that are made earlier wait, as in an outage. Rejects
   * if Redis refuses a command that the client needs.
   */
  async connect(): Promise<void> {
    this.beginOutage();
    try {
      await Promise.all([this.redis.connect(), this.replies.connect()]);
      await subscribeWithRetry(this.replies, Object.values(this.replyChannels), (message, channel) =>
        this.onReply(message, channel),
      );
    } catch (error) {
      if (this.closed) return;
      throw error;
    }
    this.subscribed = true;
    this.onConnectionChange();
  }

  get connected(): boolean {
    return this.subscribed && this.redis.isReady && this.replies.isReady;
  }

  /** Whether a replica has been alive in the last few seconds. Rejects while Redis is unreachable. */
  async hasLiveReplica(service: ServiceName): Promise<boolean> {
    return (await this.redis.exists(keys.alive(service))) === 1;
  }

  call<C extends Contract>(contract: C, input: CallInput<C>, options: CallOptions): Promise<Output<C>> {
    if (!tracing.current) return this.callUntraced(contract, input, options);
    const spanOptions = { kind: 'client', name: contract.pattern, parent: options.traceparent } as const;
    return inSpan(spanOptions, (traceparent) =>
      this.callUntraced(contract, input, { ...options, traceparent }),
    );
  }

  private callUntraced<C extends Contract>(
    contract: C,
    input: CallInput<C>,
    options: CallOptions,
  ): Promise<Output<C>> {
    const deadlineMs = options.deadlineMs ?? contract.deadlineMs ?? this.options.deadlineMs ?? 10_000;
    const started = performance.now();
    const callId = (this.callCount++).toString(36);
    const service = serviceOf(contract);
    const answer = new Promise<Output<C>>((resolve, reject) => {
      const envelope: Omit<RequestEnvelope, 'ttlMs'> = {
        id: options.requestId ?? uuidv7(),
        call: callId,
        pattern: contract.pattern,
        input,
        actor: options.actor,
        replyTo: this.replyChannels[service],
        traceparent: options.traceparent,
      };
      this.pending.set(callId, {
        pattern: contract.pattern,
        body: JSON.stringify(envelope),
        admitted: false,
        service,
        started,
        expires: started + deadlineMs,
        timer: setTimeout(() => this.onDeadline(callId), deadlineMs),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
    });
    if (this.closed) this.fail(callId, 'UNAVAILABLE');
    else if (this.pending.size > this.maxInFlight) this.fail(callId, 'OVERLOADED');
    else if (this.disconnectedSince === undefined) void this.sendRequest(callId);
    else if (started - this.disconnectedSince > this.outageToleranceMs) this.fail(callId, 'UNAVAILABLE');
    return answer;
  }

  get inFlightCount(): number {
    return this.pending.size;
  }

  /** Calls in flight fail with UNAVAILABLE. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.outageTimer);
    for (const callId of [...this.pending.keys()]) this.fail(callId, 'UNAVAILABLE');
    await Promise.all([closeConnection(this.redis), closeConnection(this.replies)]);
  }

  private async sendRequest(callId: string): Promise<void> {
    const call = this.pending.get(callId);
    if (!call) return;
    // After a reconnect, the call is sent at once; its retry would send it twice.
    clearTimeout(call.retry);
    const sentAt = performance.now();
    const ttlMs = call.expires - sentAt;
    if (ttlMs <= 0) return;
    call.sentAt = sentAt;
    const { service } = call;
    let admission: Admission;
    try {
      const message = `{"ttlMs":${ttlMs},${call.body.slice(1)}`;
      admission = await admit(this.redis, service, this.callingService, message);
    } catch (error) {
      // If the connection broke, the reconnect sends the request again. A Redis that refused the request would refuse it again.
      if (isReplyError(error)) {
        this.log.error({ pattern: call.pattern, ...errorFields(error) }, 'Redis refused a request');
        this.fail(callId, 'UNAVAILABLE');
      }
      return;
    }
    call.sentAt = undefined;
    if (admission === 'admitted') {
      call.admitted = true;
      clearTimeout(call.retry);
      if (this.absences.size > 0) this.absences.delete(service);
    } else if (admission === 'absent') {
      this.onAbsent(callId, call);
    } else if (!call.admitted) {
      this.fail(callId, 'OVERLOADED');
    }
  }

  /** No replica is alive. The service may be restarting, so the call waits, unless calls have already waited for `outageToleranceMs`. */
  private onAbsent(callId: string, call: PendingCall): void {
    const { service } = call;
    const now = performance.now();
    const absence = this.absences.get(service);
    // If the service was last found absent longer ago than `outageToleranceMs`, this is a new absence.
    const since = absence && now - absence.confirmedAt < this.outageToleranceMs ? absence.since : now;
    this.absences.set(service, { since, confirmedAt: now });
    if (now - since > this.outageToleranceMs) this.fail(callId, 'UNAVAILABLE');
    else call.retry = setTimeout(() => void this.sendRequest(callId), absentRetryMs);
  }

  private onReply(message: string, channel: string): void {
    const reply = readReply(message);
    if (!reply) {
      this.log.warn({}, 'Ignored an unreadable reply');
      return;
    }
    const call = this.pending.get(reply.call);
    if (!call) return;
    if (this.replyChannels[call.service] !== channel) {
      this.log.error({ channel, pattern: call.pattern }, 'Ignored the reply of a service that was not asked');
      return;
    }
    this.removePending(reply.call);
    const error = 'error' in reply ? DomainError.fromData(reply.error) : undefined;
    this.observe(call, error?.code ?? 'ok');
    if (error) call.reject(error);
    else call.resolve('value' in reply ? reply.value : undefined);
  }

  private onDeadline(callId: string): void {
    // If this process was busy, the reply may be in the socket: read that first.
    setImmediate(() => {
      const call = this.pending.get(callId);
      this.fail(callId, this.disconnectedSince === undefined ? 'TIMEOUT' : 'UNAVAILABLE');
      const redisIsSilent = call?.sentAt !== undefined && performance.now() - call.sentAt > maxSilenceMs;
      if (redisIsSilent) reopen(this.redis);
    });
  }

  private fail(callId: string, code: 'TIMEOUT' | 'OVERLOADED' | 'UNAVAILABLE'): void {
    const call = this.removePending(callId);
    if (!call) return;
    this.observe(call, code);
    call.reject(new DomainError(code, code === 'TIMEOUT' ? {} : { retryAfterSeconds: 1 }));
  }

  private removePending(callId: string): PendingCall | undefined {
    const call = this.pending.get(callId);
    if (!call) return undefined;
    this.pending.delete(callId);
    clearTimeout(call.timer);
    clearTimeout(call.retry);
    return call;
  }

  private observe(call: PendingCall, outcome: 'ok' | ErrorCode): void {
    this.options.observer?.onCall?.(call.pattern, performance.now() - call.started, outcome);
  }

  /** Replies sent while this process was disconnected are lost: after a reconnect, all pending calls are sent again under the same ids. */
  private onConnectionChange(): void {
    if (this.closed) return;
    if (!this.connected) {
      this.beginOutage();
    } else if (this.disconnectedSince !== undefined) {
      this.disconnectedSince = undefined;
      this.absences.clear();
      clearTimeout(this.outageTimer);
      this.outageTimer = undefined;
      for (const callId of [...this.pending.keys()]) void this.sendRequest(callId);
    }
  }

  private beginOutage(): void {
    if (this.outageTimer !== undefined) return;
    this.disconnectedSince = performance.now();
    this.outageTimer = setTimeout(() => {
      for (const callId of [...this.pending.keys()]) this.fail(callId, 'UNAVAILABLE');
    }, this.outageToleranceMs);
  }
}
