import pg from 'pg';
import type { EventContract, ServiceName } from '#libs/contracts';
import type { RunningService } from '#libs/platform';
import type { RpcClient } from '#libs/transport';
import { freshDatabase } from './database.js';
import type { FollowedEvent } from './event-follower.js';
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
  // Loaded only here: they bring half of Nest, and most specs start no service in their own process.
  const { RpcClient } = await import('#libs/transport');
  const { followEvents } = await import('./event-follower.js');
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
  const follower = await followEvents(redis.url, followsAs, follows, (event) => events.push(event));
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
