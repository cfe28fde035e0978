import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { DaemonFailed } from './daemon.js';

/** Below the ephemeral ports (from 32768 on Linux, 49152 elsewhere), which any connection may take. */
const range = [20_000, 32_000] as const;
const attempts = 50;
const startAttempts = 3;

/** Random at first, so that processes try different ports; then increases, so that one process does not soon return a port again. */
let next = randomInt(...range);

/** A TCP port of 127.0.0.1 that nobody listens on. Throws if it finds none. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = next;
    next = port + 1 < range[1] ? port + 1 : range[0];
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${attempts} ports tried between ${range[0]} and ${range[1]} is free.`);
}

/** Without `given`, tries up to `startAttempts` free ports, because another process may take a free port before `start` does. */
export async function startOnPort<T>(
  given: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(given ?? (await freePort()));
    } catch (error) {
      const isTaken =
        error instanceof DaemonFailed && error.lines.some((line) => /Address already in use/.test(line));
      if (!isTaken || given !== undefined || attempt === startAttempts) throw error;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
