import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { refuseMalformedHttp } from './malformed-http.js';

let server: Server;
beforeEach(async () => {
  server = createServer({ headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 10 });
  server.on('clientError', refuseMalformedHttp);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => void server.close());

test.each([
  ['nothing', ''],
  ['half a request', 'GET / HTTP/1.1\r\nHost: x\r\n'],
])('a client that has sent %s when its time is up gets 408', async (_what, bytes) => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  expect(await text(socket)).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
});
