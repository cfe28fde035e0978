import {
  type Contract,
  DomainError,
  type ErrorData,
  isFresh,
  judgeAccess,
  type ServiceName,
} from '#libs/contracts';
import type { Clock } from '#libs/runtime';
import type { Connection } from './connection.js';
import { RequestContext } from './context.js';
import { writeDeadLetter } from './dead-letters.js';
import { messageField, readRequest, type ReplyEnvelope, type RequestEnvelope } from './envelope.js';
import { addedAt, keys, replyPrefixOf } from './keys.js';
import { errorFields, type TransportLogger, type TransportObserver } from './observer.js';
import { parseInput } from './parse-input.js';
import { redact } from './redact.js';
import type { RedisClock } from './redis-clock.js';
import type { Routes, RunHandler } from './routes.js';
import type { StreamEntry, Verdict } from './stream-consumer.js';
import { inSpan, traceIdOf, tracing } from './tracing.js';

interface RequestHandlerOptions {
  service: ServiceName;
  /** The only service that writes to the handler's stream; undefined for the gateway. Requests count as its calls, whatever they claim. */
  callingService?: ServiceName;
  routes: Routes['requests'];
  redis: Connection;
  clock: Clock;
  redisClock: RedisClock;
  maxDeliveries: number;
  onFirstDelivery(waitedMs: number): void;
  log: TransportLogger;
  observer?: TransportObserver;
}

/** Calls the handler of a request, and makes the reply. */
export class RequestHandler {
  private expiredCount = 0;

  constructor(private readonly options: RequestHandlerOptions) {}

  async handle(entry: StreamEntry): Promise<Verdict> {
    const request = readRequest(entry.fields);
    if (!request) {
      await this.moveToDeadLetters(entry);
      return { verdict: 'done' };
    }
    const waitedMs = Math.max(0, this.options.redisClock.now() - addedAt(entry.id));
    if (!this.mayCall(request)) return this.refuse(request, waitedMs);
    // The wait of a repeated delivery includes the first delivery, so it says nothing about the load.
    if (entry.deliveries === 1) this.options.onFirstDelivery(waitedMs);
    if (entry.deliveries > this.options.maxDeliveries) {
      await this.moveToDeadLetters(entry, request);
      this.options.observer?.onRequest?.(request.pattern, 0, 'DEAD', waitedMs);
      return verdictWithReply(request, { error: new DomainError('INTERNAL').toData() });
    }
    if (waitedMs > request.ttlMs) {
      // Under load there are many of these, so they are counted and not logged one by one.
      this.expiredCount++;
      this.options.observer?.onRequest?.(request.pattern, 0, 'EXPIRED', waitedMs);
      return { verdict: 'done' };
    }
    return this.execute(request, entry.deliveries, waitedMs);
  }

  /** How many requests expired since the last call. */
  takeExpiredCount(): number {
    const { expiredCount } = this;
    this.expiredCount = 0;
    return expiredCount;
  }

  private mayCall({ pattern, actor, replyTo }: RequestEnvelope): boolean {
    const { callingService, routes } = this.options;
    if (callingService === undefined) return true;
    const isCallable = routes.get(pattern)?.contract.callableBy?.includes(callingService);
    return (
      isCallable === true && actor.role === 'system' && replyTo.startsWith(replyPrefixOf(callingService))
    );
  }

  private refuse(request: RequestEnvelope, waitedMs: number): Verdict {
    const { callingService, routes, log, observer } = this.options;
    const { id: requestId, actor, replyTo } = request;
    const pattern = routes.has(request.pattern) ? request.pattern : 'unknown';
    log.error(
      { callingService, pattern, role: actor.role, replyTo, requestId },
      'Refused a call that the service may not make',
    );
    observer?.onRequest?.(pattern, 0, 'REFUSED', waitedMs);
    // On the channel of another caller, the reply could be taken for the answer to that caller's own request.
    if (!replyTo.startsWith(replyPrefixOf(callingService!))) return { verdict: 'done' };
    return verdictWithReply(request, { error: new DomainError('FORBIDDEN').toData() });
  }

  private async execute(request: RequestEnvelope, deliveries: number, waitedMs: number): Promise<Verdict> {
    const started = performance.now();
    let verdict: Verdict;
    let outcome = 'ok';
    try {
      const route = this.options.routes.get(request.pattern);
      if (!route) throw new Error(`No handler for ${request.pattern}`);
      const deadline = started + request.ttlMs - waitedMs;
      verdict = verdictWithReply(request, {
        value: await this.runTraced(route, request, deadline, deliveries, waitedMs),
      });
    } catch (error) {
      const data = this.toErrorData(error, request);
      outcome = data.code;
      verdict = verdictWithReply(request, { error: data });
    }
    this.options.observer?.onRequest?.(request.pattern, performance.now() - started, outcome, waitedMs);
    return verdict;
  }

  private runTraced(
    route: { contract: Contract; run: RunHandler },
    request: RequestEnvelope,
    deadline: number,
    deliveries: number,
    waitedMs: number,
  ): Promise<unknown> {
    const runWith = (envelope: RequestEnvelope) => this.checkAndRun(route, envelope, deadline, deliveries);
    if (!tracing.current) return runWith(request);
    const { pattern: name, traceparent: parent } = request;
    const attributes = { 'queue.waited_ms': Math.round(waitedMs), 'queue.deliveries': deliveries };
    return inSpan({ kind: 'server', name, parent, attributes }, (traceparent) =>
      runWith({ ...request, traceparent }),
    );
  }

  private async checkAndRun(
    { contract, run }: { contract: Contract; run: RunHandler },
    { id: requestId, actor, input, traceparent }: RequestEnvelope,
    deadline: number,
    deliveries: number,
  ): Promise<unknown> {
    const access = judgeAccess(contract.access, actor.role);
    if (access === 'unauthenticated') throw new DomainError('UNAUTHENTICATED');
    if (access === 'forbidden') throw new DomainError('FORBIDDEN');
    if (contract.fresh && !isFresh(actor, this.options.clock.now().getTime()))
      throw new DomainError('FRESH_SIGN_IN_REQUIRED');
    const parsed: unknown = parseInput(contract.input, input);
    const context = new RequestContext(
      { requestId, actor, traceparent, deadline, deliveries },
      contract,
      parsed,
    );
    return run(parsed, context);
  }

  /** Logs an unexpected error, because the caller gets only INTERNAL. */
  private toErrorData(error: unknown, { id: requestId, pattern, traceparent }: RequestEnvelope): ErrorData {
    if (error instanceof DomainError) return error.toData();
    this.options.log.error(
      { requestId, traceId: traceIdOf(traceparent), pattern, ...errorFields(error) },
      'A handler failed unexpectedly',
    );
    return new DomainError('INTERNAL').toData();
  }

  private async moveToDeadLetters(entry: StreamEntry, request?: RequestEnvelope): Promise<void> {
    const { service, callingService, redis, log } = this.options;
    const letter = {
      service,
      reason: request ? ('too-many-deliveries' as const) : ('malformed' as const),
      stream: keys.requests(service, callingService),
      entryId: entry.id,
      deliveries: entry.deliveries,
      pattern: request?.pattern ?? '',
      requestId: request?.id ?? '',
      error: '',
      ...this.keptParts(entry, request),
    };
    await writeDeadLetter(redis, letter);
    const { reason, pattern, requestId } = letter;
    log.error({ reason, entry: entry.id, pattern, requestId }, 'Moved a request to the dead letters');
  }

  /** What may be kept of a request. Without a contract it is unknown what is secret. */
  private keptParts(entry: StreamEntry, request?: RequestEnvelope): { message: string; replayable: boolean } {
    const contract = request && this.options.routes.get(request.pattern)?.contract;
    if (!contract) return { message: '', replayable: false };
    if (contract.secret.length === 0) return { message: entry.fields[messageField] ?? '', replayable: true };
    const safe = { ...request, input: redact(request.input, contract.secret) };
    return { message: JSON.stringify(safe), replayable: false };
  }
}

function verdictWithReply(
  request: RequestEnvelope,
  result: { value: unknown } | { error: ErrorData },
): Verdict {
  const reply: ReplyEnvelope = { call: request.call, ...result };
  return { verdict: 'done', reply: { channel: request.replyTo, message: JSON.stringify(reply) } };
}
