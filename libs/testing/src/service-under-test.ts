import pg from 'pg';
import type { EventContract, ServiceName } from '#libs/contracts';
import type { RunningService } from '#libs/platform';
import type { RpcClient } from '#libs/transport';
import { freshDatabase } from './database.js';
import type { FollowedEvent } from './event-follower.js';
import { freshRedis } from './redis.js';

export interface ServiceUrls {
  databaseUrl: string;
  redisUrl: string;
}

export interface ServiceUnderTestOptions<E extends EventContract> {
  service: ServiceName;
  startReplica(urls: ServiceUrls): Promise<RunningService>;
  /** Default 1. */
  replicaCount?: number;
  follows: readonly E[];
  /** The test follows the events in the name of this service, which must not be the one under test. Default `orders`. */
  followsAs?: ServiceName;
}

export interface ServiceUnderTest<E extends EventContract> {
  /** In the order of their start; empty after `stop`. */
  replicas: RunningService[];
  client: RpcClient;
  /** For checks beyond the service's answers. */
  sql: pg.Client;
  redisUrl: string;
  events: FollowedEvent<E>[];
  stop(): Promise<void>;
}

/** A service with its own database and Redis, a client that calls it, and a follower of its events. */
export async function startServiceUnderTest<E extends EventContract>({
  service,
  startReplica,
  replicaCount = 1,
  follows,
  followsAs = 'orders',
}: ServiceUnderTestOptions<E>): Promise<ServiceUnderTest<E>> {
  // Imported only here: both modules load much of Nest, and most specs start no service.
  const { RpcClient } = await import('#libs/transport');
  const { followEvents } = await import('./event-follower.js');
  const [database, redis] = await Promise.all([freshDatabase(service), freshRedis()]);
  const running: RunningService[] = [];
  while (running.length < replicaCount) {
    running.push(await startReplica({ databaseUrl: database.url, redisUrl: redis.url }));
  }
  const client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  await client.connect();
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  const events: FollowedEvent<E>[] = [];
  const follower = await followEvents(redis.url, followsAs, follows, (event) => events.push(event));
  return {
    replicas: running,
    client,
    sql,
    redisUrl: redis.url,
    events,
    stop: async () => {
      await Promise.all([client.close(), sql.end(), follower.close()]);
      // Removed from the array, because a spec's variables stay in memory as long as the process runs.
      await Promise.all(running.splice(0).map((replica) => replica.close()));
      await Promise.all([redis.stop(), database.drop()]);
    },
  };
}
