import { type RedisOptions, startRedis } from '../../../dev/embedded/redis.js';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Kills the server and starts an empty one at the same address. */
  restartEmpty(): Promise<void>;
}

/** `users` come in addition to the default user, whose password is in `url`. Stop Redis in `afterAll`. */
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
