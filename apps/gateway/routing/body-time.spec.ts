import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { limitBodyTime } from './body-time.js';

let server: FastifyInstance;
afterEach(() => server.close());

/** Announces a body of this size, sends only its beginning, and returns the server's answer. */
async function answerToUnfinishedBody(bytes: number, timeoutMs: number) {
  server = fastify({ bodyLimit: 1_000 });
  limitBodyTime(server, timeoutMs);
  server.post('/', async () => 'answer');
  await server.listen();
  const socket = connect((server.server.address() as AddressInfo).port);
  let answer = '';
  socket.on('data', (data) => (answer += data));
  const head = ['POST / HTTP/1.1', 'Host: x', 'Content-Type: application/json', `Content-Length: ${bytes}`];
  socket.write([...head, '', '{"a":'].join('\r\n'));
  await once(socket, 'close');
  return answer;
}

test('a connection on which a body does not arrive in time is closed', async () => {
  expect(await answerToUnfinishedBody(100, 50)).toBe('');
});

test('the timer of a body that is refused before it has arrived does not keep the process running', async () => {
  const setTimer = jest.spyOn(globalThis, 'setTimeout');
  expect(await answerToUnfinishedBody(2_000, 600_000)).toMatch(/^HTTP\/1.1 413 /);
  const call = setTimer.mock.calls.findIndex(([, ms]) => ms === 600_000);
  const timer = setTimer.mock.results[call]!.value as NodeJS.Timeout;
  expect(timer.hasRef()).toBe(false);
});
