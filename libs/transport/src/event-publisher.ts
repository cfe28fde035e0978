import { DomainError } from '#libs/contracts';
import { type Clock, SystemClock } from '#libs/runtime';
import { answerOrReopen, closeConnection, type Connection, createConnection } from './connection.js';
import { type EventEnvelope, messageField } from './envelope.js';
import { keys, ownerOf } from './keys.js';
import { errorFields, nestLogger, type TransportLogger } from './observer.js';

export interface OutgoingEvent {
  /** The outbox row's id, by which consumers recognize a repetition. */
  id: string;
  /** `<owner>.<whatHappened>`. */
  event: string;
  payload: unknown;
  occurredAt: Date;
  traceparent?: string;
}

export interface EventPublisherOptions {
  redisUrl: string;
  /** For Redis's client list. */
  name: string;
  /** How long (ms) a stream keeps events: publishing an event to the stream removes older ones. Default 24 hours. */
  keepMs?: number;
  clock?: Clock;
  logger?: TransportLogger;
}

const dayMs = 24 * 3_600_000;

/** Publishes events to their owners' streams. Only committed events may be published. */
export class EventPublisher {
  private readonly connection: Connection;
  private readonly keepMs: number;
  private readonly clock: Clock;
  private readonly log: TransportLogger;

  constructor(options: EventPublisherOptions) {
    this.keepMs = options.keepMs ?? dayMs;
    this.clock = options.clock ?? new SystemClock();
    this.log = options.logger ?? nestLogger('EventPublisher');
    this.connection = createConnection(options.redisUrl, `${options.name}:events`, this.log);
  }

  /** Retries until Redis is reachable. */
  async connect(): Promise<void> {
    await this.connection.connect();
  }

  get connected(): boolean {
    return this.connection.isReady;
  }

  /** Calls `listener` whenever Redis becomes reachable, including the first time. */
  onConnect(listener: () => void): void {
    this.connection.on('ready', listener);
  }

  /**
   * Resolves when Redis has all the events. Rejects with UNAVAILABLE if Redis may lack some: then publish the whole batch again. Consumers recognize
   * repetitions.
   */
  async publish(events: OutgoingEvent[]): Promise<void> {
    const oldest = this.clock.now().getTime() - this.keepMs;
    try {
      const added = Promise.all(
        events.map((event) =>
          this.connection.xAdd(
            keys.events(ownerOf(event.event)),
            '*',
            { [messageField]: JSON.stringify(toEnvelope(event)) },
            { TRIM: { strategy: 'MINID', strategyModifier: '~', threshold: oldest } },
          ),
        ),
      );
      await answerOrReopen(this.connection, added);
    } catch (error) {
      this.log.warn({ events: events.length, ...errorFields(error) }, 'Events could not be published');
      throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
    }
  }

  /** Changes when Redis restarts; its streams may then be lost. */
  async redisRunId(): Promise<string> {
    const info = await answerOrReopen(this.connection, this.connection.info('server'));
    const runId = /^run_id:(\w+)/m.exec(info)?.[1];
    if (runId === undefined) throw new Error('Redis returned no run_id');
    return runId;
  }

  async close(): Promise<void> {
    await closeConnection(this.connection);
  }
}

function toEnvelope({ id, event, payload, occurredAt, traceparent }: OutgoingEvent): EventEnvelope {
  return { id, event, payload, occurredAt: occurredAt.toISOString(), traceparent };
}
