import { createServer, Server } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { isAnswering } from '../embedded/is-answering.js';
import { startPostgres } from '../embedded/postgres.js';
import { startRedis } from '../embedded/redis.js';
import { temporaryDataDir } from './launcher.js';

const close = Server.prototype.close;
let dataDir: ReturnType<typeof temporaryDataDir>;
let thief: Server;
let takenPort: number | undefined;

/** Takes the first port that `freePort` finds free, before `freePort` returns it. */
beforeEach(() => {
  dataDir = temporaryDataDir();
  thief = createServer();
  jest.spyOn(Server.prototype, 'close').mockImplementationOnce(function (this: Server, done) {
    const address = this.address();
    takenPort = typeof address === 'object' ? address?.port : undefined;
    return close.call(this, () => thief.listen(takenPort, '127.0.0.1', () => done?.()));
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  thief.close();
  dataDir.remove();
});

test.each(['redis', 'postgres'] as const)(
  '%s starts on another port if its own is taken before it listens',
  async (name) => {
    const server = await (name === 'redis'
      ? startRedis({ dataDir: dataDir.path })
      : startPostgres({ dataDir: dataDir.path, disposable: true }));
    try {
      expect(takenPort).toBeDefined();
      expect(server.port).not.toBe(takenPort);
      expect(await isAnswering(name, server.port, 10_000)).toBe(true);
    } finally {
      await server.stop();
    }
  },
);
