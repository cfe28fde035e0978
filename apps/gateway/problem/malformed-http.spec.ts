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
  ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1'],
])(
  'a client that has sent %s when its time is up gets 408 with a problem, and is disconnected',
  async (_what, bytes) => {
    const answer = await answerTo(bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(head).toContain('Content-Type: application/problem+json; charset=utf-8');
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body)).toMatchObject({
      ...{ status: 408, code: 'REQUEST_TIMEOUT', detail: 'The request took too long to arrive.' },
    });
  },
);

test('nothing is added to an answer that has begun before its request has arrived', async () => {
  // With 0, there is no time limit. One is set when the answer has begun.
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
  server.on('request', (_request, response) => {
    response.writeHead(200).write('the beginning', () => Object.assign(server, { requestTimeout: 1 }));
  });
  const answer = await answerTo('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).not.toContain('408');
});

async function answerTo(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}
