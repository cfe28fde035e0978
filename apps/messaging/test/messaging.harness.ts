import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { type Actor, type EventPayload, messageReceived, subscriberAdded } from '#libs/contracts';
import { type RunningService, startService } from '#libs/platform';
import { freshDatabase, freshRedis } from '#libs/testing';
import { EventContext, OnEvent, RpcClient, StreamsServer } from '#libs/transport';
import { AppModule } from '../app.module.js';
import { messagingSettings } from '../config.js';

export const visitor: Actor = { role: 'visitor' };
export const admin: Actor = {
  role: 'admin',
  accountId: '019a0000-0000-7000-8000-00000000a001',
  email: 'admin@example.com',
  emailVerified: true,
  sessionId: '019a0000-0000-7000-8000-00000000a002',
};
export const customer: Actor = { ...admin, role: 'customer', email: 'customer@example.com' };

type Told = { event: string; eventId: string } & (
  EventPayload<typeof messageReceived> | EventPayload<typeof subscriberAdded>
);

/** Two replicas of the messaging service on a database and a Redis of their own, a caller, and a follower of their events. */
export async function startMessaging() {
  const [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  const config = messagingSettings.parse({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    HEALTH_PORT: '0',
    HEALTH_HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
  });
  const services: RunningService[] = [];
  while (services.length < 2) {
    services.push(await startService({ name: 'messaging', config, module: AppModule.forRoot(config) }));
  }
  const client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  await client.connect();
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  const follower = await followEvents(redis.url);
  return {
    client,
    sql,
    told: follower.told,
    stop: async () => {
      await Promise.all([client.close(), sql.end(), follower.close()]);
      await Promise.all(services.map((service) => service.close()));
      await Promise.all([redis.stop(), database.drop()]);
    },
  };
}

export type MessagingUnderTest = Awaited<ReturnType<typeof startMessaging>>;

/** As another service would follow them. */
async function followEvents(redisUrl: string) {
  const told: Told[] = [];

  @Controller()
  class FollowerController {
    @OnEvent(messageReceived)
    received(
      @Payload() payload: EventPayload<typeof messageReceived>,
      @Ctx() { eventId }: EventContext,
    ): void {
      told.push({ ...payload, event: messageReceived.event, eventId });
    }

    @OnEvent(subscriberAdded)
    added(@Payload() payload: EventPayload<typeof subscriberAdded>, @Ctx() { eventId }: EventContext): void {
      told.push({ ...payload, event: subscriberAdded.event, eventId });
    }
  }

  const testing = await Test.createTestingModule({ controllers: [FollowerController] }).compile();
  const app = testing.createNestMicroservice({
    strategy: new StreamsServer({ service: 'orders', redisUrl }),
    logger: false,
  });
  await app.listen();
  return { told, close: () => app.close() };
}
