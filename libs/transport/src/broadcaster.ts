import type { BroadcastChannel } from '#libs/contracts';
import {
  answerOrReopen,
  closeConnection,
  type Connection,
  createConnection,
  subscribeWithRetry,
} from './connection.js';
import { parseJson } from './envelope.js';
import { keys } from './keys.js';
import { errorFields, nestLogger, type TransportLogger } from './observer.js';

export type BroadcastListener = (payload: Record<string, unknown>) => void;

/** Sends hints to all running gateways, and receives them there. A hint may be lost, so receivers must be able to do without it. */
export class Broadcaster {
  private readonly publisher: Connection;
  private readonly subscriber: Connection;
  private readonly log: TransportLogger;
  private readonly reconnectListeners: (() => void)[] = [];
  private readonly firstReady: Promise<void>;

  constructor(options: { redisUrl: string; name: string; logger?: TransportLogger }) {
    this.log = options.logger ?? nestLogger('Broadcaster');
    this.publisher = createConnection(options.redisUrl, `${options.name}:broadcast`, this.log);
    this.subscriber = createConnection(options.redisUrl, `${options.name}:listen`, this.log);
    this.firstReady = new Promise((resolve) => {
      this.subscriber.once('ready', () => {
        resolve();
        // Existing subscriptions are restored before a connection reports that it is ready.
        this.subscriber.on('ready', () => this.reconnectListeners.forEach((listener) => listener()));
      });
    });
  }

  /** Retries until Redis is reachable. */
  async connect(): Promise<void> {
    await Promise.all([this.publisher.connect(), this.subscriber.connect()]);
  }

  /** Resolves when Redis has passed the hint on; rejects while Redis is unreachable. */
  async publish(channel: BroadcastChannel, payload: object): Promise<void> {
    await answerOrReopen(
      this.publisher,
      this.publisher.publish(keys.broadcast(channel), JSON.stringify(payload)),
    );
  }

  /** Resolves once the subscription is active. Retries until Redis is reachable; reconnects restore the subscription. */
  async subscribe(channel: BroadcastChannel, listener: BroadcastListener): Promise<void> {
    await this.firstReady;
    await subscribeWithRetry(this.subscriber, keys.broadcast(channel), (message) =>
      this.deliver(channel, message, listener),
    );
  }

  /** Calls the listener after each reconnection: hints may have been missed. */
  onReconnect(listener: () => void): void {
    this.reconnectListeners.push(listener);
  }

  async close(): Promise<void> {
    await Promise.all([closeConnection(this.publisher), closeConnection(this.subscriber)]);
  }

  private deliver(channel: BroadcastChannel, message: string, listener: BroadcastListener): void {
    const payload = parseJson(message);
    if (payload === null || typeof payload !== 'object') return;
    try {
      listener(payload as Record<string, unknown>);
    } catch (error) {
      this.log.error({ channel, ...errorFields(error) }, 'A listener failed on a broadcast');
    }
  }
}
