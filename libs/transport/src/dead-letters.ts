import type { ServiceName } from '#libs/contracts';
import { closeConnection, type Connection, createConnection } from './connection.js';
import { messageField } from './envelope.js';
import { keys } from './keys.js';
import { nestLogger, type TransportLogger } from './observer.js';

/** Why a message was given up. */
export type DeadReason =
  /** The entry held no readable message. Its content is not kept: it could hold anything. */
  | 'malformed'
  /** Delivered as often as allowed, never finished: it kills its replica, or its handler keeps failing. */
  | 'too-many-deliveries'
  /** An event whose payload does not fit its contract. */
  | 'invalid-payload';

export interface DeadLetter {
  id: string;
  reason: DeadReason;
  /** The stream it came from, and the group that gave it up. */
  stream: string;
  service: ServiceName;
  entryId: string;
  deliveries: number;
  /** Pattern or event; empty for a malformed one. */
  pattern: string;
  requestId: string;
  /** The message with its secret fields redacted; empty for a malformed one. */
  message: string;
  /**
   * False when a secret was redacted or the message was not kept: what is left cannot be run again. Also when it is no message of
   * where it claims to come from, or an event that its stream no longer holds (`keepMs` of `EventPublisher`).
   */
  replayable: boolean;
  error: string;
  diedAt: Date;
}

export type NewDeadLetter = Omit<DeadLetter, 'id' | 'diedAt'>;

/** The newest 10 000 are kept. */
const kept = 10_000;

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
    { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: kept } },
  );
}

/** What an operator does with messages that were given up: look, run again, throw away. */
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
    return Promise.all((entries ?? []).map(({ id, message }) => this.judged(toLetter(service, id, message))));
  }

  async find(service: ServiceName, id: string): Promise<DeadLetter | undefined> {
    const [entry] = (await this.connection.xRange(keys.deadLetters(service), id, id)) ?? [];
    return entry && this.judged(toLetter(service, id, entry.message));
  }

  /**
   * Puts the message back where it came from and drops the letter. A request runs under its old request id, so a command
   * that did take effect answers from the inbox; nobody waits for its reply. An event goes to every group of its
   * stream again; those that had it know its id. False when there is no such letter or it is not replayable.
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

  /** A service writes its letters itself: an operator, who may do anything, must not do for it what it may not. */
  private async judged(letter: DeadLetter): Promise<DeadLetter> {
    return { ...letter, replayable: letter.replayable && (await this.cameFromThere(letter)) };
  }

  /** Its own requests it may write. An event must lie word for word where its owner alone could put it. */
  private async cameFromThere({ service, stream, entryId, message }: DeadLetter): Promise<boolean> {
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
