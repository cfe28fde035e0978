import type { ServiceName } from '#libs/contracts';
import type { Connection } from './connection.js';
import { EventContext } from './context.js';
import { type DeadReason, writeDeadLetter } from './dead-letters.js';
import { type EventEnvelope, messageField, readEvent } from './envelope.js';
import { keys, ownerOf } from './keys.js';
import { errorFields, type TransportLogger, type TransportObserver } from './observer.js';
import { redact } from './redact.js';
import type { Routes } from './routes.js';
import type { StreamEntry, Verdict } from './stream-consumer.js';
import { inSpan, traceIdOf } from './tracing.js';

interface EventHandlerOptions {
  service: ServiceName;
  /** Whose events: a service, or a part of one, such as `payments`. It names the stream. */
  owner: string;
  routes: Routes['events'];
  redis: Connection;
  maxDeliveries: number;
  log: TransportLogger;
  observer?: TransportObserver;
}

/** Calls the handler of an event. An event whose handler fails is delivered again later, at most `maxDeliveries` times in all. */
export class EventHandler {
  private readonly someEventHasSecrets: boolean;

  constructor(private readonly options: EventHandlerOptions) {
    const contracts = [...options.routes.values()].map(({ contract }) => contract);
    this.someEventHasSecrets = contracts.some(
      ({ event, secret }) => ownerOf(event) === options.owner && secret.length > 0,
    );
  }

  async handle(entry: StreamEntry): Promise<Verdict> {
    const { owner, routes, maxDeliveries, observer, log } = this.options;
    const event = readEvent(entry.fields);
    // Otherwise, a service that can write to this stream could publish events of other owners in it.
    if (!event || ownerOf(event.event) !== owner) return this.moveToDeadLetters(entry, 'malformed');
    const route = routes.get(event.event);
    if (!route) return { verdict: 'done' };
    if (entry.deliveries > maxDeliveries) return this.moveToDeadLetters(entry, 'too-many-deliveries', event);
    const payload = route.contract.payload.safeParse(event.payload);
    if (!payload.success)
      return this.moveToDeadLetters(entry, 'invalid-payload', event, payload.error.message);
    const { deliveries } = entry;
    const createContext = (traceparent: string | undefined) =>
      new EventContext({
        eventId: event.id,
        occurredAt: new Date(event.occurredAt),
        traceparent,
        deliveries,
      });
    const spanOptions = {
      kind: 'consumer',
      name: event.event,
      parent: event.traceparent,
      attributes: { 'queue.deliveries': deliveries },
    } as const;
    const started = performance.now();
    try {
      await inSpan(spanOptions, (traceparent) => route.run(payload.data, createContext(traceparent)));
      observer?.onEvent?.(event.event, performance.now() - started, 'ok');
      return { verdict: 'done', erase: route.contract.secret.length > 0 };
    } catch (error) {
      log.warn(
        {
          eventId: event.id,
          traceId: traceIdOf(event.traceparent),
          event: event.event,
          deliveries,
          ...errorFields(error),
        },
        'An event handler failed; the event will be tried again or given up',
      );
      observer?.onEvent?.(event.event, performance.now() - started, 'RETRY');
      return { verdict: 'retry' };
    }
  }

  private async moveToDeadLetters(
    entry: StreamEntry,
    reason: DeadReason,
    event?: EventEnvelope,
    error = '',
  ): Promise<Verdict> {
    const { service, owner, redis, log, observer } = this.options;
    const stream = keys.events(owner);
    const secret = (event && this.options.routes.get(event.event)?.contract.secret) ?? [];
    await writeDeadLetter(redis, {
      service,
      reason,
      stream,
      entryId: entry.id,
      deliveries: entry.deliveries,
      pattern: event?.event ?? '',
      requestId: event?.id ?? '',
      message: event ? messageWithoutSecrets(entry, event, secret) : '',
      replayable: event !== undefined && secret.length === 0,
      error,
    });
    log.error(
      { reason, stream, entry: entry.id, event: event?.event, eventId: event?.id },
      'Moved an event to the dead letters',
    );
    if (event) observer?.onEvent?.(event.event, 0, 'DEAD');
    // An unreadable entry may hold secrets of an event.
    return { verdict: 'done', erase: event ? secret.length > 0 : this.someEventHasSecrets };
  }
}

function messageWithoutSecrets(entry: StreamEntry, event: EventEnvelope, secret: readonly string[]): string {
  if (secret.length === 0) return entry.fields[messageField] ?? '';
  return JSON.stringify({ ...event, payload: redact(event.payload, secret) });
}
