import { type RedisOptions, startRedis } from '../../../dev/embedded/redis.js';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** As a crash would end it. */
  kill(): Promise<void>;
  /** Killed and started again at the same address, with nothing in it. */
  restartEmpty(): Promise<void>;
}

/** A Redis of the test's own (8 ms to start), with these users beside the one of its address. Stop it in `afterAll`. */
export async function freshRedis(users?: RedisOptions['users']): Promise<TestRedis> {
  let redis = await startRedis({ users });
  const { url, port } = redis;
  const password = new URL(url).password;
  return {
    url,
    port,
    get pid() {
      return redis.pid;
    },
    stop: () => redis.stop(),
    kill: () => redis.kill(),
    restartEmpty: async () => {
      await redis.kill();
      redis = await startRedis({ port, password, users });
    },
  };
}
