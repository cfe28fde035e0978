import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { createClient } from 'redis';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';

/** Counters that all gateways share and that expire. */
@Injectable()
export class RedisCounters implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly client;

  constructor(@Inject(GATEWAY_CONFIG) { REDIS_URL }: GatewayConfig) {
    this.client = createClient({
      url: REDIS_URL,
      name: 'gateway:limits',
      // A client is waiting: fail at once while Redis is unreachable.
      disableOfflineQueue: true,
      pingInterval: 3000,
      commandOptions: { timeout: 1000 },
      socket: {
        connectTimeout: 2000,
        // Without it, a network that drops packets would keep the connection open for a quarter of an hour, and each call would time out.
        socketTimeout: 10_000,
        reconnectStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
      },
    });
    // The transport's connections report the outage already.
    this.client.on('error', () => undefined);
  }

  onApplicationBootstrap(): void {
    void this.client.connect().catch(() => undefined);
  }

  /** The count so far, including this call. Rejects while Redis is unreachable. */
  async increment(key: string, lifetimeSeconds: number): Promise<number> {
    const [count] = await this.client.multi().incr(key).expire(key, lifetimeSeconds, 'NX').exec();
    return Number(count);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.client.isReady) await this.client.close().catch(() => undefined);
    if (this.client.isOpen) this.client.destroy();
  }
}
