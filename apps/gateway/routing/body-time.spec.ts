import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { eventually } from '#libs/testing';
import { limitBodyTime } from './body-time.js';

let app: FastifyInstance;
afterEach(() => app.close());

async function start(timeoutMs: number, operation = {}): Promise<number> {
  app = fastify({ forceCloseConnections: true });
  limitBodyTime(app, timeoutMs);
  app.post('/', { config: { operation } as object }, () => ({ arrived: true }));
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
  ['sends its body in time', {}, 60_000],
  ['sends a stream', { streamedBody: true }, 1],
])('a client that %s is not disconnected', async (_who, operation, timeoutMs) => {
  const socket = connect(await start(timeoutMs, operation), '127.0.0.1');
  let answered = '';
  socket.on('data', (data) => (answered += String(data))).write(`${head}{`);
  await eventually(() => expect(socket.bytesWritten).toBeGreaterThan(head.length));
  await pause(50);
  socket.write('}');
  await eventually(() => expect(answered).toContain('{"arrived":true}'));
  socket.destroy();
});
