import type { ServiceName } from '#libs/contracts';
import { closeConnection, type Connection, createConnection } from './connection.js';
import { messageField } from './envelope.js';
import { keys } from './keys.js';
import { nestLogger, type TransportLogger } from './observer.js';

/** Why a message became a dead letter. */
export type DeadReason =
  /** The entry held no readable message, or an event of another owner. Its content is not kept, because it may be anything. */
  | 'malformed'
  /** Delivered the maximum number of times and never finished: it crashes its replica, or the handler of an event keeps failing. */
  | 'too-many-deliveries'
  /** An event whose payload does not fit its contract. */
  | 'invalid-payload';

export interface DeadLetter {
  id: string;
  reason: DeadReason;
  /** The stream it came from. */
  stream: string;
  /** The service that gave it up. */
  service: ServiceName;
  entryId: string;
  deliveries: number;
  /** Pattern or event; empty for a malformed one. */
  pattern: string;
  /** The id of the request or event; empty for a malformed one. */
  requestId: string;
  /** The message with its secret fields redacted; empty for a malformed one, or a request that the service does not know. */
  message: string;
  /**
   * Whether it can be replayed. False if a secret was redacted, if the message was not kept, if it does not belong to the stream that it claims to
   * come from, or if its stream no longer holds the event (`keepMs` of `EventPublisher`).
   */
  replayable: boolean;
  error: string;
  diedAt: Date;
}

export type NewDeadLetter = Omit<DeadLetter, 'id' | 'diedAt'>;

/** How many letters of a service are kept, approximately. The oldest are dropped first. */
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

/** What operators do with dead letters: list, replay, drop. */
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
      (entries ?? []).map(({ id, message }) => this.withReplayable(toLetter(service, id, message))),
    );
  }

  async find(service: ServiceName, id: string): Promise<DeadLetter | undefined> {
    const [entry] = (await this.connection.xRange(keys.deadLetters(service), id, id)) ?? [];
    return entry && this.withReplayable(toLetter(service, id, entry.message));
  }

  /**
   * Puts the message back where it came from and deletes the letter. A request keeps its request id, so a command that took effect is answered
   * from the inbox; nobody waits for its reply. An event goes to every group of its stream again; services that have processed it recognize its id.
   * False if there is no such letter or it cannot be replayed.
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
   * A service writes its letters itself and could forge one. So an operator, who has full rights in Redis, must not replay what the service
   * itself may not write.
   */
  private async withReplayable(letter: DeadLetter): Promise<DeadLetter> {
    return { ...letter, replayable: letter.replayable && (await this.isFromItsStream(letter)) };
  }

  /** A service may write its own requests. An event must be identical to one in the stream, to which only its publishers can write. */
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
