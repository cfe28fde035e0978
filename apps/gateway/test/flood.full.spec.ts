import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GatewayProcess, startSite, type SiteUnderTest } from './site.harness.js';

const id = '019a0000-0000-7000-8000-000000000001';

const requestKinds = [
  ['a public page', 'GET', '/'],
  ['a page at the path of a public call', 'GET', '/service/'],
  ['a page in another spelling', 'GET', '/PRICING?x=1'],
  ['a screen that is open to everyone', 'GET', '/login'],
  ['a private shell', 'GET', `/order-now/${id}`],
  ['an asset', 'GET', '/assets/app-1234.js'],
  ['an asset that only the web process has', 'GET', '/assets/newer-1234.js'],
  ['an asset that nobody has', 'GET', '/assets/nothing-1234.js'],
  ['a public call', 'GET', '/banner'],
  ['a call for admins', 'GET', `/images/${id}`],
  ['a call that needs a session', 'GET', '/auth/me'],
  ['a call for admins that changes something', 'POST', '/add-step'],
  ['an upload', 'POST', '/images'],
  ['a payment notification', 'POST', '/paypal/ipn'],
  ['the documentation', 'HEAD', '/docs'],
  ['a preview picture', 'GET', '/previews/landing-0000000000000000.png'],
  ['an uploaded picture', 'GET', `/images/${id}/large.webp`],
  ['a file about the site', 'GET', '/robots.txt'],
  [
    'the page behind a link of a newsletter, for which a service is asked',
    'GET',
    '/unsubscribe?token=of-no-link',
  ],
  ['an unknown page', 'GET', '/nothing'],
  ['an unknown file', 'GET', '/nothing.css'],
  ['the methods of an address', 'OPTIONS', '/login'],
] as const;

const headOf = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: site.test\r\nAccept: text/html\r\n`;

/** Only a request without an answer waits this long. */
const silenceMs = 60_000;

const fields = [
  ...['Accept', 'Accept-Charset', 'Accept-Encoding', 'Accept-Language', 'Accept-Ranges', 'Allow'],
  ...['Authentication-Info', 'Authorization', 'Connection', 'Content-Encoding', 'Content-Language'],
  ...[
    'Content-Length',
    'Content-Location',
    'Content-Range',
    'Content-Type',
    'Date',
    'ETag',
    'Expect',
    'From',
  ],
  ...['Host', 'If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'If-Unmodified-Since'],
  ...['Last-Modified', 'Location', 'Max-Forwards', 'Proxy-Authenticate', 'Proxy-Authentication-Info'],
  ...['Proxy-Authorization', 'Range', 'Referer', 'Retry-After', 'Server', 'TE', 'Trailer', 'Upgrade'],
  ...['User-Agent', 'Vary', 'Via', 'WWW-Authenticate'],
  ...['Keep-Alive', 'Proxy-Connection', 'Transfer-Encoding', 'HTTP2-Settings', 'Sec-WebSocket-Key'],
  ...['Cookie', 'Origin', 'Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto'],
  ...['X-HTTP-Method-Override', 'Traceparent', 'Tracestate', 'Idempotency-Key', 'Content-MD5', 'Alt-Svc'],
];
const oddValues = [
  ...['x', '', '0', '-1', '*', ',', '"', 'chunked', 'close, upgrade', 'websocket', '100-continue'],
  ...['bytes=0-', '\t', '\x80\xff', 'a'.repeat(8000), '%00%0d%0a'],
];

/** Ends the request that `headOf` begins. Includes the end of a chunked body if the header is a `Transfer-Encoding`. */
const endOf = (header: string) =>
  `${header.includes('Connection: close') ? '' : 'Connection: close\r\n'}${header}\r\n` +
  (/^transfer-encoding:/im.test(header) ? '0\r\n\r\n' : '');

let site: SiteUnderTest;
/** In its own process, because the tests check whether the gateway survives. */
let gateway: GatewayProcess;
let port: number;

beforeAll(async () => {
  site = await startSite({ without: ['projects'], seed: 'demo' });
  const probe = new URL('./memory-probe.mjs', import.meta.url);
  gateway = await site.startGatewayProcess({ NODE_OPTIONS: `--import ${probe}` });
  port = Number(new URL(gateway.url).port);
});
afterAll(() => site?.stop());

/** The statuses in the order of the answers. Resolves when the gateway closes the connection, or after `silenceMs`. */
async function statusesOf(requests: string): Promise<number[]> {
  const statuses: number[] = [];
  let tail = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(requests));
  socket.setEncoding('latin1').on('data', (text: string) => {
    const seen = tail + text;
    for (const [, status] of seen.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n/g)) statuses.push(Number(status));
    // The text may end in the middle of a status line: within the 9 characters of `HTTP/1.1 `, or after them.
    const start = seen.lastIndexOf('HTTP/1.1 ');
    tail = seen.slice(start === -1 || seen.includes('\r\n', start) ? -8 : start);
  });
  // A missing status shows a request that was never answered.
  socket.setTimeout(silenceMs, () => socket.destroy());
  await new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
  return statuses;
}

async function expectGatewayUnharmed(): Promise<void> {
  expect(await statusesOf(`${headOf('GET', '/banner')}Connection: close\r\n\r\n`)).toEqual([200]);
  expect([gateway.child.exitCode, gateway.child.signalCode]).toEqual([null, null]);
  expect(gateway.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(gateway.stderr).toBe('');
}

/** The memory that the gateway uses after a garbage collection. */
function usedBytes(): Promise<number> {
  return new Promise((resolve) => {
    const take = (message: { usedBytes?: number }) => {
      if (message.usedBytes === undefined) return;
      gateway.child.off('message', take);
      resolve(message.usedBytes);
    };
    gateway.child.on('message', take).send('measure');
  });
}

describe('no request header', () => {
  const all = fields.flatMap((name) => [
    ...oddValues.map((value) => `${name}: ${value}\r\n`),
    `${name}: x\r\n${name}: y\r\n`,
    `${name.toUpperCase()}:x\r\n`,
    // Named in `Connection`, so that proxies must remove it.
    `Connection: close, ${name}\r\n${name}: x\r\n`,
  ]);

  test.each(requestKinds)('makes %s fail (%s %s)', async (_kind, method, path) => {
    const failed: string[] = [];
    for (let next = 0; next < all.length; next += 50) {
      const some = all.slice(next, next + 50).map(async (header) => {
        const status = (await statusesOf(headOf(method, path) + endOf(header))).at(-1) ?? 0;
        if (status < 200 || status >= 500) failed.push(`${status} ${header.slice(0, 80)}`);
      });
      await Promise.all(some);
    }
    expect(failed).toEqual([]);
    await expectGatewayUnharmed();
  });
});

describe('a client that disconnects in the middle of a request body', () => {
  test.each([
    ['a payment notification', '/paypal/ipn', 'application/x-www-form-urlencoded'],
    ['a form', '/add-message', 'application/json'],
    ['an upload', '/images', 'image/png'],
  ])('causes no error in the gateway: %s (POST %s)', async (_kind, path, type) => {
    const { bearer } = await site.admin();
    const socket = connect(port, '127.0.0.1');
    const headers = `Authorization: Bearer ${bearer}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n`;
    socket.write(`${headOf('POST', path)}${headers}Expect: 100-continue\r\n\r\n`);
    // After `100 Continue`, the gateway reads the body.
    await once(socket, 'data');
    socket.write('the beginning');
    socket.end();
    await once(socket.resume(), 'close');
    await expectGatewayUnharmed();
  });
});

describe('a crowd of requests', () => {
  const connections = 2_000;
  const requests = 10_000;

  test.each(requestKinds)('on one connection for %s is answered (%s %s)', async (_kind, method, path) => {
    const request = `${headOf(method, path)}\r\n`;
    const last = `${headOf(method, path)}Connection: close\r\n\r\n`;
    expect(await statusesOf(request.repeat(requests - 1) + last)).toHaveLength(requests);
    await expectGatewayUnharmed();
  });

  test('on 2,000 connections is answered, whatever it asks for, and leaves nothing behind', async () => {
    const crowd = async () => {
      const all = Array.from({ length: connections }, (_, index) => {
        const [, method, path] = requestKinds[index % requestKinds.length]!;
        return statusesOf(headOf(method, path) + endOf(''));
      });
      return (await Promise.all(all)).filter((statuses) => statuses.length !== 1);
    };
    const threeCrowds = async () => {
      for (let round = 0; round < 3; round += 1) expect(await crowd()).toEqual([]);
    };
    // The first crowds fill the caches and compile the code.
    await threeCrowds();
    const before = await usedBytes();
    await threeCrowds();
    // Bytes for each connection. A socket that is never freed takes about 2,000.
    expect(((await usedBytes()) - before) / (3 * connections)).toBeLessThan(500);
    await expectGatewayUnharmed();
  });
});
