import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { closeRedis, failFastRedis } from './fail-fast-redis.js';

/** Counters that all gateways share and that expire. */
@Injectable()
export class RedisCounters implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly client;

  constructor(@Inject(GATEWAY_CONFIG) { REDIS_URL }: GatewayConfig) {
    this.client = failFastRedis(REDIS_URL, 'gateway:limits');
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
    await closeRedis(this.client);
  }
}
