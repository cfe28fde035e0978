import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addSeconds } from '#libs/runtime';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { PaypalApiClient, PaypalRefusal } from './paypal-api.client.js';

const clientId = 'the-client-id';
const clientSecret = 'the-client-secret';
const path = '/v2/checkout/orders/1';

interface Call {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}
type Answer = (response: ServerResponse, call: Call) => void;

let server: Server;
let origin: string;
let calls: Call[];
let tokenCount: number;
let now: Date;
let answer: Answer;
let answerToken: Answer;

const json =
  (status: number, value: unknown): Answer =>
  (response) =>
    void response.writeHead(status, { 'paypal-debug-id': 'd1' }).end(JSON.stringify(value));
const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const call = { method, url, headers, body };
      calls.push(call);
      (url === '/v1/oauth2/token' ? answerToken : answer)(response, call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});
beforeEach(() => {
  calls = [];
  tokenCount = 0;
  now = new Date();
  answer = json(200, { id: '1' });
  answerToken = (response, call) => {
    tokenCount += 1;
    json(200, { access_token: `token-${tokenCount}`, expires_in: 3600 })(response, call);
  };
});

const client = (timeoutMs = 2_000) =>
  new PaypalApiClient({ clientId, clientSecret, origin, timeoutMs, clock: { now: () => now } });
const sent = () => calls.filter(({ url }) => url === path);
const bearer = (call: Call) => call.headers.authorization;

/** Undefined if the call succeeds. */
async function failureOf(call: Promise<unknown>): Promise<Error | undefined> {
  return call.then(
    () => undefined,
    (error: Error) => error,
  );
}

describe('the token', () => {
  test('is requested only once for concurrent and consecutive calls', async () => {
    const api = client();
    await Promise.all([api.get(path), api.get(path), api.post(path, {}, 'r1')]);
    await api.get(path);
    expect(tokenCount).toBe(1);
    expect(sent().map(bearer)).toEqual(Array(4).fill('Bearer token-1'));
    const [request] = calls;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    expect(request).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' });
    expect(request!.headers.authorization).toBe(`Basic ${basic}`);
  });

  test('is replaced once if PayPal has revoked it, and the request is sent again', async () => {
    const api = client();
    await api.get(path);
    answer = (response, call) =>
      json(bearer(call) === 'Bearer token-1' ? 401 : 200, { id: '2', name: 'AUTHENTICATION_FAILURE' })(
        response,
        call,
      );
    expect(await api.post(path, { a: 1 }, 'r1')).toMatchObject({ id: '2' });
    expect(sent().slice(1)).toMatchObject([
      { body: '{"a":1}', headers: { 'paypal-request-id': 'r1' } },
      { body: '{"a":1}', headers: { 'paypal-request-id': 'r1' } },
    ]);
    expect(tokenCount).toBe(2);
  });

  test('is not replaced a second time for the same request', async () => {
    answer = json(401, { name: 'AUTHENTICATION_FAILURE' });
    // The status 401 says nothing about the request itself, which can be sent again with the right credentials.
    expect(await failureOf(client().get(path))).toEqual(
      new NoAnswerYet('PayPal does not accept the credentials'),
    );
    expect([tokenCount, sent().length]).toEqual([2, 2]);
  });

  test('is renewed a minute before it expires', async () => {
    const api = client();
    await api.get(path);
    now = addSeconds(now, 3600 - 61);
    await api.get(path);
    expect(tokenCount).toBe(1);
    now = addSeconds(now, 1);
    await api.get(path);
    expect(tokenCount).toBe(2);
  });

  test('is not kept if it expires soon', async () => {
    answerToken = (response, call) => {
      tokenCount += 1;
      json(200, { access_token: 'short', expires_in: 30 })(response, call);
    };
    const api = client();
    await api.get(path);
    await api.get(path);
    expect(tokenCount).toBe(2);
  });

  test('is requested again after a failure', async () => {
    const working = answerToken;
    answerToken = text(503, '');
    const api = client();
    expect(await failureOf(api.get(path))).toBeInstanceOf(NoAnswerYet);
    answerToken = working;
    expect(await api.get(path)).toEqual({ id: '1' });
  });

  test.each<[string, Answer]>([
    ['empty', text(200, '')],
    ['an HTML page', text(200, '<html>')],
    ['without a token', json(200, { expires_in: 3600 })],
    ['without a lifetime', json(200, { access_token: 'x' })],
  ])('is not obtained if the answer is %s, and then the call itself is not sent', async (_what, wrong) => {
    answerToken = wrong;
    expect(await failureOf(client().get(path))).toBeInstanceOf(NoAnswerYet);
    expect(sent()).toEqual([]);
  });

  test('is also requested to check whether PayPal accepts the credentials', async () => {
    const api = client();
    expect(await api.acceptsCredentials()).toBe(true);
    answerToken = json(401, { error: 'invalid_client', error_description: clientSecret });
    expect(await api.acceptsCredentials()).toBe(false);
    answerToken = text(500, '');
    expect(await failureOf(api.acceptsCredentials())).toBeInstanceOf(NoAnswerYet);
  });
});

describe('a call has no answer yet', () => {
  test.each<[string, Answer]>([
    ['an empty success', text(200, '')],
    ['a success with status 204', text(204, '')],
    ['the word null', text(200, 'null')],
    ['an HTML page', text(200, '<html>Sorry</html>')],
    ['half an answer', text(200, '{"id":')],
    ['too long an answer', text(200, JSON.stringify('x'.repeat(600 * 1024)))],
    ['too many requests', json(429, { name: 'RATE_LIMIT_REACHED' })],
    ['a conflict', json(409, { name: 'RESOURCE_CONFLICT' })],
    ['a timeout of PayPal', json(408, { name: 'REQUEST_TIMEOUT' })],
    ['an earlier request in progress', json(422, { details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }] })],
    ['a refusal that does not say why', text(404, '<html>Not found</html>')],
    ['a server error', json(500, { name: 'INTERNAL_SERVER_ERROR' })],
    ['an unavailable service', text(503, '')],
    ['a redirect', text(302, '', { location: '/elsewhere' })],
    ['a permanent redirect', text(308, '', { location: '/elsewhere' })],
    ['a cut connection', (response) => void response.destroy()],
  ])('after %s', async (_what, wrong) => {
    answer = wrong;
    expect(await failureOf(client().post(path, {}, 'r1'))).toBeInstanceOf(NoAnswerYet);
    expect(await failureOf(client().get(path))).toBeInstanceOf(NoAnswerYet);
    expect(calls.map(({ url }) => url)).not.toContain('/elsewhere');
  });

  test.each<[string, Answer]>([
    ['silence', () => undefined],
    [
      'bytes that trickle in',
      (response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('after %s until the deadline', async (_what, slow) => {
    answer = slow;
    const began = performance.now();
    expect(await failureOf(client(300).get(path))).toBeInstanceOf(NoAnswerYet);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeGreaterThan(290);
    expect(tookMs).toBeLessThan(2_000);
  });
});

describe('a call is refused', () => {
  test.each<[number, object, string]>([
    [
      422,
      { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'INSTRUMENT_DECLINED' }] },
      'INSTRUMENT_DECLINED',
    ],
    [422, { name: 'UNPROCESSABLE_ENTITY', details: [{}, { issue: 'SECOND' }] }, 'SECOND'],
    [400, { name: 'INVALID_REQUEST' }, 'INVALID_REQUEST'],
    [403, { name: 'NOT_AUTHORIZED', details: [{ issue: 'PERMISSION_DENIED' }] }, 'PERMISSION_DENIED'],
  ])('with %s %j', async (status, body, issue) => {
    answer = json(status, body);
    const error = await failureOf(client().post(path, {}, 'r1'));
    expect(error).toBeInstanceOf(PaypalRefusal);
    expect(error).toMatchObject({
      status,
      issue,
      message: `PayPal answered ${status} ${issue} (debug id d1)`,
    });
  });

  test('if it posts to a resource that PayPal does not have; reading such a resource returns null', async () => {
    answer = json(404, { name: 'RESOURCE_NOT_FOUND', details: [{ issue: 'INVALID_RESOURCE_ID' }] });
    expect(await client().get(path)).toBeNull();
    expect(await failureOf(client().post(path, {}, 'r1'))).toMatchObject({ status: 404 });
  });
});

test.each([202, 204])(
  'a command that PayPal accepts with %i and without content has succeeded',
  async (status) => {
    answer = text(status, '');
    await client().sendCommand('/v1/billing/subscriptions/I-1/capture', { note: 'n' }, 'the-id');
    expect(calls.at(-1)).toMatchObject({ method: 'POST', headers: { 'paypal-request-id': 'the-id' } });
  },
);

test('errors never contain credentials or tokens, even if PayPal’s answer does', async () => {
  const leak = { message: `${clientId} ${clientSecret} token-1`, error_description: clientSecret };
  const failures: (Error | undefined)[] = [];
  for (const wrong of [
    json(401, { name: 'AUTHENTICATION_FAILURE', ...leak }),
    json(422, { name: 'UNPROCESSABLE_ENTITY', ...leak }),
    json(500, leak),
    text(200, `<html>${clientSecret}</html>`),
    ((response) => void response.destroy()) as Answer,
  ]) {
    answer = wrong;
    failures.push(await failureOf(client().get(path)));
    answerToken = wrong;
    failures.push(await failureOf(client().get(path)));
    answerToken = json(200, { access_token: 'token-1', expires_in: 3600 });
  }
  const texts = failures.map((error) => `${error!.stack} ${JSON.stringify(error)} ${String(error!.cause)}`);
  expect(texts).toHaveLength(10);
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  for (const secret of [clientId, clientSecret, 'token-1', basic]) expect(texts.join()).not.toContain(secret);
});
