import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceNames } from '#libs/contracts';
import { sampleEvery, type Session } from '#libs/testing';
import { operations } from '#libs/operations';
import type { Problem } from '../problem/problem.js';
import { sampleRequest, unknownId, writes } from './sample-requests.js';
import { adminCredentials, startSite, type SiteUnderTest } from './site.harness.js';
import { countStoredRows } from './stored-rows.js';

const bodyLimit = 100_000;

let site: SiteUnderTest;
let admin: Session;
let before: Record<string, number>;

beforeAll(async () => {
  const unlimited = '900000/60';
  site = await startSite({
    seed: 'demo',
    settings: {
      BODY_LIMIT_BYTES: String(bodyLimit),
      LIMIT_FORMS: unlimited,
      LIMIT_MAIL: unlimited,
      LIMIT_SIGN_IN: unlimited,
      LIMIT_SIGN_UP: unlimited,
    },
  });
  admin = await site.admin();
  before = await countStoredRows(site);
});
afterAll(() => site?.stop());

async function send(
  { method, path }: { method: string; path: string },
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = {},
): Promise<{ status: number; problem: Problem }> {
  const response = await fetch(site.url + path, {
    method,
    body,
    headers: {
      Authorization: `Bearer ${admin.bearer}`,
      Accept: 'application/json',
      // Without this header of the tus protocol, upload requests would be refused for another reason.
      'Tus-Resumable': '1.0.0',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
  });
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return { status: response.status, problem: (await response.json()) as Problem };
}

const json = 'application/json';

/** Every call in `writes` refuses these. */
const invalidBodies: [
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers?: Record<string, string>,
][] = [
  ['half of an object', '{"a":', 400],
  ['text', 'hello', 400],
  ['two objects', '{}{}', 400],
  ['an array', '[{}]', 400],
  ['an empty array', '[]', 400],
  ['a string', '"text"', 400],
  ['null', 'null', 400],
  ['a number too large for a double', '1e999', 400],
  ['an unknown field', '{"nonsense":1e999}', 400],
  ['a poisoned prototype', '{"__proto__":{"role":"admin","access":"public"}}', 400],
  ['an escaped prototype', '{"\\u005f_proto__":{"role":"admin"}}', 400],
  ['a poisoned constructor', '{"constructor":{"prototype":{"role":"admin"}}}', 400],
  ['a constructor', '{"constructor":"x","toString":"y","hasOwnProperty":1}', 400],
  ['a key given twice', '{"nonsense":1,"nonsense":2}', 400],
  ['a lone surrogate as a key', '{"\\ud800":"\\udfff"}', 400],
  ['a deeply nested array', '['.repeat(20_000), 400],
  ['a deeply nested object', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`, 400],
  ['a deeply nested field', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['NUL bytes', new Uint8Array(64), 400],
  ['too much', `{"a":"${'x'.repeat(bodyLimit)}"}`, 413],
  [
    'UTF-16',
    new Uint8Array(Buffer.from('{}', 'utf16le')),
    415,
    { 'Content-Type': 'application/json; charset=utf-16' },
  ],
  ['another charset', '{"a":"x"}', 415, { 'Content-Type': 'application/json;charset="iso-8859-1"' }],
  ['a content coding', '{"a":"x"}', 415, { 'Content-Type': json, 'Content-Encoding': 'gzip' }],
  ['a form', 'a=x', 415, { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['plain text', '{"a":"x"}', 415, { 'Content-Type': 'text/plain' }],
  ['a multipart form', '--x--', 415, { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['XML', '<a/>', 415, { 'Content-Type': 'application/xml' }],
  ['a type that only begins like JSON', '{}', 415, { 'Content-Type': 'application/jsonx' }],
];

const invalidValues = [
  ...['null', 'true', '7', '1e999', '-0', '[]', '["a"]', '{}', '{"$ne":null}', '{"length":1}'],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"a\\udfff"'],
  JSON.stringify('x'.repeat(20_000)),
];

function withValue(body: Record<string, unknown>, name: string, value: string): string {
  const fields = Object.entries(body).map(
    ([key, own]) => `${JSON.stringify(key)}:${key === name ? value : JSON.stringify(own)}`,
  );
  return `{${fields.join(',')}}`;
}

const malformedIds = [
  '%00',
  '__proto__',
  'constructor',
  "'%20OR%201=1--",
  '..%2f..%2fetc%2fpasswd',
  '%F0%9F%92%A9',
  'null',
  '%0d%0aX-Injected:%20yes',
  'x'.repeat(3000),
];

const table = writes.map((operation, index) => ({
  name: `${operation.method} ${operation.path}`,
  operation,
  index,
}));

describe.each(table)('$name', ({ operation, index }) => {
  const sample = sampleRequest(operation, { email: adminCredentials.email });

  test('refuses invalid bodies', async () => {
    const wrong = sampleEvery(12, invalidBodies, index).map(async ([name, body, status, headers]) => {
      const { status: got, problem } = await send(sample, body, headers);
      return got === status && problem.status === status ? [] : [{ name, got, problem }];
    });
    expect((await Promise.all(wrong)).flat()).toEqual([]);
  });

  if (sample.body) {
    const { body } = sample;

    test('refuses a missing body, an empty body and an empty object', async () => {
      const responses = [await send(sample, undefined), await send(sample, '')];
      expect(responses.map(({ status }) => status)).toEqual([400, 400]);
      // 404 if every field is optional and the record does not exist. Otherwise 400: the schema requires a field, or only the service requires one,
      // such as the current password.
      const expected = operation.body?.safeParse({}).success && sample.path.includes(unknownId) ? 404 : 400;
      expect((await send(sample, '{}')).status).toBe(expected);
    });

    test('names a field with an invalid value', async () => {
      for (const [fieldIndex, name] of Object.keys(body).entries()) {
        // An empty list, a boolean or a long text is valid for some fields. Text that cannot be stored is valid for none.
        const isValid = (value: string) =>
          !value.includes('\\u') &&
          operation.body?.safeParse({ ...body, [name]: JSON.parse(value) as unknown }).success;
        const invalid = sampleEvery(12, invalidValues, index + fieldIndex).filter((value) => !isValid(value));
        const wrong = invalid.map(async (value) => {
          const { status, problem } = await send(sample, withValue(body, name, value));
          const fields = problem.errors?.map(({ field }) => field.split('.', 1)[0]) ?? [];
          const isNamed = fields.length > 0 && fields.every((field) => field === name);
          return status === 400 && isNamed ? [] : [{ name, value, status, problem }];
        });
        expect((await Promise.all(wrong)).flat()).toEqual([]);
      }
    });

    test('refuses a duplicate key, even with valid values', async () => {
      const [[name, value]] = Object.entries(body) as [[string, string]];
      const twice = JSON.stringify(body).replace('{', `{${JSON.stringify(name)}:${JSON.stringify(value)},`);
      expect((await send(sample, twice)).problem).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST' });
    });
  }

  if (operation.path.includes(':id')) {
    test('finds nothing for a malformed id', async () => {
      for (const id of sampleEvery(3, malformedIds, index)) {
        const path = operation.path.replace(':id', id);
        const { status, problem } = await send(
          { method: operation.method, path },
          sample.body && JSON.stringify(sample.body),
        );
        expect([id.slice(0, 40), status, problem.code]).toEqual([id.slice(0, 40), 404, 'NOT_FOUND']);
      }
    });
  }
});

/** The redirect to Google is left out, because it uses the default for an invalid `purpose`. */
const operationsWithQuery = operations
  .filter(({ query, status }) => query && Object.keys(query.shape).length > 0 && status !== 303)
  .map((operation, index) => ({ name: `${operation.method} ${operation.path}`, operation, index }));

const invalidPageNumbers = [
  '0',
  '-1',
  '1e9',
  '999999999',
  '9'.repeat(400),
  '1.5',
  'NaN',
  '',
  '%201',
  '0x10',
  '１',
];

describe.each(operationsWithQuery)('the query of $name', ({ operation, index }) => {
  const { method, path, bytes } = sampleRequest(operation, { email: adminCredentials.email });
  const names = Object.keys(operation.query!.shape);

  async function ask(query: string): Promise<{ query: string; status: number; wrong: string[] }> {
    const response = await fetch(`${site.url}${path.split('?', 1)[0]}?${query}`, {
      method,
      headers: { Authorization: `Bearer ${admin.bearer}`, Accept: json },
      redirect: 'manual',
      ...(method !== 'GET' && { body: new Uint8Array(bytes ?? []) }),
    });
    const { status } = response;
    const text = await response.text();
    const { errors = [] } = status === 400 ? (JSON.parse(text) as Problem) : {};
    return { query: query.slice(0, 60), status, wrong: errors.map(({ field }) => field) };
  }

  test('refuses a repeated parameter', async () => {
    for (const name of names) {
      const { status, wrong } = await ask(`${name}=1&${name}=2`);
      expect([name, status, wrong.includes(name)]).toEqual([name, 400, true]);
    }
  });

  if (method === 'GET')
    test('refuses invalid page numbers and limits, and does not fail for odd values', async () => {
      for (const name of names.filter((one) => one === 'page' || one === 'limit'))
        for (const value of sampleEvery(3, invalidPageNumbers, index))
          expect(await ask(`${name}=${value}`)).toMatchObject({ status: 400, wrong: [name] });
      const odd = names.flatMap((name) => [
        ...[`${name}[]=1`, `${name}[$ne]=1`, `__proto__[${name}]=1`, `constructor.prototype.${name}=1`],
        ...[
          `${name}=${'x'.repeat(8000)}`,
          `${name}=%00`,
          `${name}=%`,
          `${name}=%ff`,
          `${name}=${'%27--'.repeat(99)}`,
        ],
      ]);
      const answers = await Promise.all(sampleEvery(9, odd, index).map(ask));
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    });
});

test('nothing was stored, and the services are ready and have logged no error', async () => {
  expect(await countStoredRows(site)).toEqual(before);
  expect((await admin.get('/auth/me')).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${site.gateways[0]!.healthPort}/metrics`)).text();
  expect(metrics).toMatch(/http_responses_total\{status="400"/);
  expect(metrics).not.toMatch(/http_responses_total\{status="5/);
  for (const { log, health } of serviceNames.flatMap((name) => site[name])) {
    expect((await health('/readyz')).status).toBe(200);
    expect(log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  }
  // No body has changed `Object.prototype`: the gateway and the services run in this process.
  expect(({} as { role?: string }).role).toBeUndefined();
});
