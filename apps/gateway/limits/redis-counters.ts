import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { answerOrReopen, closeConnection, type Connection, createConnection } from '#libs/transport';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';

@Injectable()
export class RedisCounters implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly redis: Connection;

  constructor(@Inject(GATEWAY_CONFIG) { REDIS_URL }: GatewayConfig, @Inject(LOGGER) logger: Logger) {
    this.redis = createConnection(REDIS_URL, 'gateway:limits', logger);
  }

  onApplicationBootstrap(): void {
    void this.redis.connect().catch(() => undefined);
  }

  /** The count, including this call. Rejects while Redis is unreachable. */
  async increment(key: string, lifetimeSeconds: number): Promise<number> {
    const counted = this.redis.multi().incr(key).expire(key, lifetimeSeconds, 'NX').exec();
    const [count] = await answerOrReopen(this.redis, counted);
    return Number(count);
  }

  async onApplicationShutdown(): Promise<void> {
    await closeConnection(this.redis);
  }
}
