import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems hand out for connections (Linux from 32768, others from 49152): those come and go at any moment. */
const range = [20_000, 32_000] as const;
const attempts = 50;

/** Two processes begin in different places, and none gives the same port to two who ask before either listens. */
let next = randomInt(...range);

/** A TCP port of 127.0.0.1 that nobody listens on at this moment: who starts a moment later finds it still free. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = next;
    next = port + 1 < range[1] ? port + 1 : range[0];
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${range[0]} and ${range[1]}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
