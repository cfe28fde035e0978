import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { createClient } from 'redis';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';

/** Counters that all gateways share and that vanish by themselves. */
@Injectable()
export class RedisCounters implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly client;

  constructor(@Inject(GATEWAY_CONFIG) { REDIS_URL }: GatewayConfig) {
    this.client = createClient({
      url: REDIS_URL,
      name: 'gateway:limits',
      // Who asks has a person waiting: while Redis is away, say so at once.
      disableOfflineQueue: true,
      pingInterval: 3000,
      commandOptions: { timeout: 1000 },
      socket: {
        connectTimeout: 2000,
        // A network that swallows packets closes nothing, and each call would wait out its second for a quarter of an hour.
        socketTimeout: 10_000,
        reconnectStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
      },
    });
    // The transport's own connections report an outage; a second report of the same says nothing new.
    this.client.on('error', () => undefined);
  }

  onApplicationBootstrap(): void {
    void this.client.connect().catch(() => undefined);
  }

  /** The count so far, this one included. Rejects when Redis is away. */
  async increment(key: string, lifetimeSeconds: number): Promise<number> {
    const [count] = await this.client.multi().incr(key).expire(key, lifetimeSeconds, 'NX').exec();
    return Number(count);
  }

  /** Says whether Redis answers; rejects when not. */
  async ping(): Promise<void> {
    await this.client.ping();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.client.isReady) await this.client.close().catch(() => undefined);
    if (this.client.isOpen) this.client.destroy();
  }
}
