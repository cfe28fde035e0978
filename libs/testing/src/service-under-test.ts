import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import type { EventContract, EventPayload, ServiceName } from '#libs/contracts';
import type { RunningService } from '#libs/platform';
import { type EventContext, OnEvent, RpcClient, StreamsServer } from '#libs/transport';
import { freshDatabase } from './database.js';
import { freshRedis } from './redis.js';

export interface ServicePlaces {
  databaseUrl: string;
  redisUrl: string;
}

export interface ServiceUnderTestOptions<E extends EventContract> {
  /** Starts one replica in this process. */
  startReplica(places: ServicePlaces): Promise<RunningService>;
  replicas?: number;
  /** The events to follow, as another service would. */
  follows: readonly E[];
  /** As which service; it must be another than the one under test. Default `orders`. */
  followsAs?: ServiceName;
}

/** An event that arrived, with its name and id beside its payload. */
export type FollowedEvent<E extends EventContract> = EventPayload<E> & { event: string; eventId: string };

export interface ServiceUnderTest<E extends EventContract> {
  client: RpcClient;
  /** The service's database, to look behind its answers. */
  sql: pg.Client;
  redisUrl: string;
  events: FollowedEvent<E>[];
  stop(): Promise<void>;
}

/** A service on a database and a Redis of its own, a caller, and a follower of its events. */
export async function startServiceUnderTest<E extends EventContract>({
  startReplica,
  replicas = 1,
  follows,
  followsAs = 'orders',
}: ServiceUnderTestOptions<E>): Promise<ServiceUnderTest<E>> {
  const [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  const services: RunningService[] = [];
  while (services.length < replicas) {
    services.push(await startReplica({ databaseUrl: database.url, redisUrl: redis.url }));
  }
  const client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  await client.connect();
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  const events: FollowedEvent<E>[] = [];
  const follower = await startFollower(redis.url, followsAs, follows, (event) => events.push(event));
  return {
    client,
    sql,
    redisUrl: redis.url,
    events,
    stop: async () => {
      await Promise.all([client.close(), sql.end(), follower.close()]);
      await Promise.all(services.map((service) => service.close()));
      await Promise.all([redis.stop(), database.drop()]);
    },
  };
}

async function startFollower<E extends EventContract>(
  redisUrl: string,
  service: ServiceName,
  contracts: readonly E[],
  note: (event: FollowedEvent<E>) => void,
) {
  const followers = contracts.map((contract) => {
    @Controller()
    class FollowerController {
      @OnEvent(contract)
      follow(@Payload() payload: object, @Ctx() { eventId }: EventContext): void {
        note({ ...payload, event: contract.event, eventId } as FollowedEvent<E>);
      }
    }
    return FollowerController;
  });
  const testing = await Test.createTestingModule({ controllers: followers }).compile();
  const app = testing.createNestMicroservice({
    strategy: new StreamsServer({ service, redisUrl }),
    logger: false,
  });
  await app.listen();
  return app;
}
