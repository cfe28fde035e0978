import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { makeDrainable, type HttpDrainOptions } from './drain-http.js';

describe('an HTTP server that drains', () => {
  let server: Server;
  let agent: Agent;
  let drain: (options: HttpDrainOptions) => Promise<void>;
  beforeEach(async () => {
    server = createServer((_request, response) => response.end('answered'));
    drain = makeDrainable(server);
    agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });

  const port = () => (server.address() as AddressInfo).port;
  const connectionCount = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  async function ask(to: number): Promise<IncomingMessage> {
    const [answer] = (await once(get({ port: to, host: '127.0.0.1', agent }), 'response')) as [
      IncomingMessage,
    ];
    await once(answer.resume(), 'end');
    return answer;
  }

  test('accepts new connections during the delay, and closes each after its answer', async () => {
    // Read now: a closed server has no address.
    const listeningPort = port();
    expect((await ask(listeningPort)).headers.connection).toBe('keep-alive');
    const drained = drain({ delayMs: 1_000, graceMs: 60_000 });
    for (let connection = 1; connection <= 3; connection += 1) {
      const answer = await ask(listeningPort);
      expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
    }
    await drained;
    await expect(ask(listeningPort)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('answers one more request on a connection that was idle when the server stopped listening', async () => {
    // Read now: a closed server has no address.
    const listeningPort = port();
    expect((await ask(listeningPort)).headers.connection).toBe('keep-alive');
    const drained = drain({ delayMs: 0, graceMs: 60_000 });
    await eventually(() => expect(server.listening).toBe(false));
    const last = await ask(listeningPort);
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await drained;
    await expect(ask(listeningPort)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('waits no longer than the grace period for connections without a request', async () => {
    await ask(port());
    // One connection was opened in advance, as browsers do; the other has sent part of a request line.
    const silent = connect(port(), '127.0.0.1');
    const partial = connect(port(), '127.0.0.1');
    const closed = [silent, partial].map((socket) => once(socket.resume(), 'close'));
    partial.write('GET / HT');
    await eventually(async () => expect(await connectionCount()).toBe(3));
    await drain({ delayMs: 0, graceMs: 50 });
    await Promise.all(closed);
    expect(await connectionCount()).toBe(0);
  });

  test('waits for requests in progress, and closes their connections', async () => {
    let sendAnswer = () => undefined as unknown;
    server.removeAllListeners('request');
    server.on('request', (_request, response) => (sendAnswer = () => response.end('at last')));
    const request = get({ port: port(), host: '127.0.0.1', agent });
    await once(server, 'request');
    const drained = drain({ delayMs: 0, graceMs: 0 });
    await eventually(() => expect(server.listening).toBe(false));
    sendAnswer();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.headers.connection).toBe('close');
    await drained;
  });
});
