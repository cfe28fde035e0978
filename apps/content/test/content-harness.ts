import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { type Actor, contentChanged, type EventPayload } from '#libs/contracts';
import { type RunningService, startService } from '#libs/platform';
import { freshDatabase, freshRedis } from '#libs/testing';
import { type EventContext, OnEvent, RpcClient, StreamsServer } from '#libs/transport';
import { AppModule } from '../app.module.js';
import type { ContentConfig } from '../config.js';

export const admin: Actor = {
  role: 'admin',
  accountId: '019a0000-0000-7000-8000-000000000001',
  email: 'admin@example.com',
  emailVerified: true,
  sessionId: 's1',
};
export const customer: Actor = {
  ...admin,
  role: 'customer',
  accountId: '019a0000-0000-7000-8000-000000000002',
};

export type ContentEvent = EventPayload<typeof contentChanged> & { eventId: string };

interface ReplicaOptions {
  databaseUrl: string;
  redisUrl: string;
  seed: ContentConfig['SEED'];
}

/** One replica, in this process. */
export function startReplicaOn({ databaseUrl, redisUrl, seed }: ReplicaOptions): Promise<RunningService> {
  const config: ContentConfig = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: 10,
    REDIS_URL: redisUrl,
    HEALTH_PORT: 0,
    HEALTH_HOST: '127.0.0.1',
    // Nothing here fails unexpectedly; what does should be read.
    LOG_LEVEL: 'error',
    SEED: seed,
  };
  return startService({ name: 'content', config, module: AppModule.forRoot(config) });
}

/** The content service on a database and a Redis of its own, a caller, and a follower of its events. */
export async function startContent({ replicas = 1 } = {}) {
  const [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  const startReplica = () => startReplicaOn({ databaseUrl: database.url, redisUrl: redis.url, seed: 'none' });
  const services: RunningService[] = [];
  while (services.length < replicas) services.push(await startReplica());
  const client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  await client.connect();
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  const follower = await followEvents(redis.url);
  return {
    client,
    sql,
    redisUrl: redis.url,
    events: follower.events,
    stop: async () => {
      await Promise.all([client.close(), sql.end(), follower.close()]);
      await Promise.all(services.map((service) => service.close()));
      await Promise.all([redis.stop(), database.drop()]);
    },
  };
}

export type ContentUnderTest = Awaited<ReturnType<typeof startContent>>;

/** As the orders service would follow them. */
async function followEvents(redisUrl: string) {
  const events: ContentEvent[] = [];

  @Controller()
  class FollowerController {
    @OnEvent(contentChanged)
    changed(@Payload() payload: EventPayload<typeof contentChanged>, @Ctx() context: EventContext): void {
      events.push({ ...payload, eventId: context.eventId });
    }
  }

  const testing = await Test.createTestingModule({ controllers: [FollowerController] }).compile();
  const app = testing.createNestMicroservice({
    strategy: new StreamsServer({ service: 'orders', redisUrl }),
    logger: false,
  });
  await app.listen();
  return { events, close: () => app.close() };
}
