import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { lastCalls } from './last-calls.js';

describe('an HTTP server that is let go', () => {
  let server: Server;
  let agent: Agent;
  beforeEach(async () => {
    server = createServer((_request, response) => response.end('answered'));
    agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });

  const port = () => (server.address() as AddressInfo).port;
  async function ask(to: number): Promise<IncomingMessage> {
    const [answer] = (await once(get({ port: to, host: '127.0.0.1', agent }), 'response')) as [
      IncomingMessage,
    ];
    await once(answer.resume(), 'end');
    return answer;
  }

  test('answers once more on a connection that was idle, closes it, and takes no other', async () => {
    const address = port();
    expect((await ask(address)).headers.connection).toBe('keep-alive');
    const gone = lastCalls(server, 60_000);
    const last = await ask(address);
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await gone;
    await expect(ask(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('waits no longer for who is silent', async () => {
    await ask(port());
    await lastCalls(server, 50);
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
});
