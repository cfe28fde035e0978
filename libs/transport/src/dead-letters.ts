import type { ServiceName } from '#libs/contracts';
import { closeConnection, type Connection, createConnection } from './connection.js';
import { messageField } from './envelope.js';
import { keys } from './keys.js';
import { nestLogger, type TransportLogger } from './observer.js';

export type DeadReason =
  /** No readable message, or an event that belongs in another stream. The message is not kept, because it may contain a secret anywhere. */
  | 'malformed'
  /** Delivered the maximum number of times and never finished: the message crashes its replica, or an event's handler keeps failing. */
  | 'too-many-deliveries'
  | 'invalid-payload';

export interface DeadLetter {
  id: string;
  reason: DeadReason;
  stream: string;
  service: ServiceName;
  entryId: string;
  deliveries: number;
  /** Pattern or event; empty if malformed. */
  pattern: string;
  /** The id of the request or event; empty if malformed. */
  requestId: string;
  /** The message with redacted secrets; empty if malformed, or for a request that the service does not know. */
  message: string;
  /**
   * False if the contract has secret fields, if the message was not kept or is not from its alleged stream, or if the stream no longer holds the
   * event.
   */
  replayable: boolean;
  /** What is wrong with an invalid payload; otherwise empty. */
  error: string;
  diedAt: Date;
}

export type NewDeadLetter = Omit<DeadLetter, 'id' | 'diedAt'>;

/** Per service, approximately. The oldest are dropped first. */
const maxLetters = 10_000;

export async function writeDeadLetter(connection: Connection, letter: NewDeadLetter): Promise<void> {
  await connection.xAdd(
    keys.deadLetters(letter.service),
    '*',
    {
      reason: letter.reason,
      stream: letter.stream,
      entryId: letter.entryId,
      deliveries: String(letter.deliveries),
      pattern: letter.pattern,
      requestId: letter.requestId,
      message: letter.message,
      replayable: letter.replayable ? '1' : '0',
      error: letter.error,
    },
    { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: maxLetters } },
  );
}

export class DeadLetters {
  private readonly connection: Connection;

  constructor(options: { redisUrl: string; logger?: TransportLogger }) {
    this.connection = createConnection(
      options.redisUrl,
      'dead-letters',
      options.logger ?? nestLogger('DeadLetters'),
    );
  }

  async connect(): Promise<void> {
    await this.connection.connect();
  }

  async count(service: ServiceName): Promise<number> {
    return this.connection.xLen(keys.deadLetters(service));
  }

  /** Oldest first, after the letter `after` if given. */
  async list(service: ServiceName, options: { after?: string; limit?: number } = {}): Promise<DeadLetter[]> {
    const start = options.after === undefined ? '-' : `(${options.after}`;
    const entries = await this.connection.xRange(keys.deadLetters(service), start, '+', {
      COUNT: options.limit ?? 100,
    });
    return Promise.all(
      (entries ?? []).map(({ id, message }) => this.withCheckedReplayable(toLetter(service, id, message))),
    );
  }

  async find(service: ServiceName, id: string): Promise<DeadLetter | undefined> {
    const [entry] = (await this.connection.xRange(keys.deadLetters(service), id, id)) ?? [];
    return entry && this.withCheckedReplayable(toLetter(service, id, entry.message));
  }

  /**
   * Puts the message back into its stream and deletes the letter. A request keeps its id, so a command that took effect in the last day is answered
   * from the inbox. An event goes to every group of its stream again; the handlers of events tolerate repetitions. False if there is no such
   * letter or it cannot be replayed.
   */
  async replay(service: ServiceName, id: string): Promise<boolean> {
    const letter = await this.find(service, id);
    if (!letter?.replayable) return false;
    await this.connection.xAdd(letter.stream, '*', { [messageField]: letter.message });
    await this.drop(service, id);
    return true;
  }

  async drop(service: ServiceName, id: string): Promise<boolean> {
    return (await this.connection.xDel(keys.deadLetters(service), id)) === 1;
  }

  async close(): Promise<void> {
    await closeConnection(this.connection);
  }

  /**
   * A service writes its own letters and could forge one. A replay has an operator's full rights in Redis, so it must not write anything that the
   * service itself may not write.
   */
  private async withCheckedReplayable(letter: DeadLetter): Promise<DeadLetter> {
    return { ...letter, replayable: letter.replayable && (await this.isFromItsStream(letter)) };
  }

  /**
   * True for any request, because the service may itself write to the streams of requests to it. An event must be identical to one in its stream,
   * which only its publishers can write to.
   */
  private async isFromItsStream({ service, stream, entryId, message }: DeadLetter): Promise<boolean> {
    const requests = keys.requests(service);
    if (stream === requests || stream.startsWith(`${requests}:`)) return true;
    if (!/^\{\w+\}:events$/.test(stream) || !/^\d{1,15}-\d{1,15}$/.test(entryId)) return false;
    const [entry] = (await this.connection.xRange(stream, entryId, entryId)) ?? [];
    return entry?.message[messageField] === message;
  }
}

function toLetter(service: ServiceName, id: string, fields: Record<string, string>): DeadLetter {
  return {
    id,
    service,
    reason: (fields.reason ?? 'malformed') as DeadReason,
    stream: fields.stream ?? '',
    entryId: fields.entryId ?? '',
    deliveries: Number(fields.deliveries ?? 0),
    pattern: fields.pattern ?? '',
    requestId: fields.requestId ?? '',
    message: fields.message ?? '',
    replayable: fields.replayable === '1',
    error: fields.error ?? '',
    diedAt: new Date(Number(id.slice(0, id.indexOf('-')))),
  };
}
