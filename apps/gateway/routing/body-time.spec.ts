import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { eventually } from '#libs/testing';
import { limitBodyTime } from './body-time.js';

let app: FastifyInstance;
afterEach(() => app.close());

async function start(timeoutMs: number, takes?: 'stream'): Promise<number> {
  app = fastify({ forceCloseConnections: true });
  limitBodyTime(app, timeoutMs);
  app.post('/', { config: { takes } as object }, () => ({ arrived: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';

test('a client that does not complete its body is disconnected', async () => {
  const socket = connect(await start(20), '127.0.0.1');
  socket.on('error', () => undefined).write(`${head}{`);
  await once(socket, 'close');
  expect(socket.bytesRead).toBe(0);
});

test.each([
  ['sends its body in time', undefined, 60_000],
  ['sends a stream', 'stream', 1],
] as const)('a client that %s is not disconnected', async (_who, takes, timeoutMs) => {
  const socket = connect(await start(timeoutMs, takes), '127.0.0.1');
  let answered = '';
  socket.on('data', (data) => (answered += String(data))).write(`${head}{`);
  await eventually(() => expect(socket.bytesWritten).toBeGreaterThan(head.length));
  socket.write('}');
  await eventually(() => expect(answered).toContain('{"arrived":true}'));
  socket.destroy();
});
