import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { rememberLookups } from './remembered-lookups.js';

type Callback = (error: Error | null, addresses: LookupAddress[]) => void;

const addresses = [{ address: '192.0.2.1', family: 4 }];
const realLookup = dns.lookup;
let questions: { host: string; options: LookupOptions; answer: Callback }[];
let lookups: ReturnType<typeof rememberLookups>;
beforeEach(() => {
  questions = [];
  jest.spyOn(dns, 'lookup').mockImplementation(((host: string, options: LookupOptions, answer: Callback) => {
    questions.push({ host, options, answer });
  }) as never);
  lookups = rememberLookups();
});
afterEach(() => {
  lookups.restore();
  jest.restoreAllMocks();
});

/** Looks up a host as a socket does. */
const lookUp = (host: string, options: LookupOptions = {}) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

async function remember(host: string): Promise<void> {
  const lookup = lookUp(host);
  questions.pop()!.answer(null, addresses);
  expect(await lookup).toEqual(addresses);
}

test('while a name server does not answer, lookups of known hosts return the last address, and others wait', async () => {
  await remember('postgres');
  expect(await lookUp('postgres')).toEqual(addresses);
  let isAnswered = false;
  void lookUp('redis').then(() => (isAnswered = true));
  expect(await lookUp('postgres')).toEqual(addresses);
  expect(isAnswered).toBe(false);
  questions.at(-1)!.answer(null, addresses);
  await eventually(() => expect(isAnswered).toBe(true));
});

test('concurrent lookups of one host share one request', async () => {
  const lookup = Promise.all(Array.from({ length: 4 }, () => lookUp('postgres')));
  expect(questions).toHaveLength(1);
  questions[0]!.answer(null, addresses);
  expect(await lookup).toEqual(Array(4).fill(addresses));
});

test('a new address replaces the known one and is used after a failed lookup', async () => {
  await remember('postgres');
  const moved = [{ address: '192.0.2.2', family: 4 }];
  const lookup = lookUp('postgres');
  questions.pop()!.answer(null, moved);
  expect(await lookup).toEqual(moved);
  const failed = lookUp('postgres');
  questions.pop()!.answer(new Error('no such host'), []);
  expect(await failed).toEqual(moved);
});

test('a failed lookup of an unknown host rejects with the reason', async () => {
  const lookup = lookUp('postgres');
  questions.pop()!.answer(new Error('no such host'), []);
  await expect(lookup).rejects.toThrow('no such host');
});

test('after `freeze`, known hosts are not looked up any more', async () => {
  await remember('postgres');
  lookups.freeze();
  expect(await lookUp('postgres')).toEqual(addresses);
  expect(questions).toEqual([]);
});

test('the other signatures of dns.lookup work as well', async () => {
  const single = new Promise((resolve) => dns.lookup('postgres', (...given) => resolve(given)));
  questions.pop()!.answer(null, addresses);
  expect(await single).toEqual([null, '192.0.2.1', 4]);
  const family = new Promise((resolve) => dns.lookup('redis', 4, (...given) => resolve(given)));
  questions.pop()!.answer(null, addresses);
  expect(await family).toEqual([null, '192.0.2.1', 4]);
});

test('lookups that ask for different orders of addresses are separate', async () => {
  const ipv4First = lookUp('postgres', { order: 'ipv4first' });
  const verbatim = lookUp('postgres', { verbatim: true });
  expect(questions.map(({ options }) => options)).toEqual([
    { all: true, order: 'ipv4first' },
    { all: true, verbatim: true },
  ]);
  const others = [{ address: '::1', family: 6 }];
  questions[0]!.answer(null, addresses);
  questions[1]!.answer(null, others);
  expect(await Promise.all([ipv4First, verbatim])).toEqual([addresses, others]);
});

test('an answer without addresses counts as a failure', async () => {
  const unknown = lookUp('postgres');
  questions.pop()!.answer(null, []);
  await expect(unknown).rejects.toThrow('postgres has no address');
  await remember('postgres');
  const known = lookUp('postgres');
  questions.pop()!.answer(null, []);
  expect(await known).toEqual(addresses);
});

test('invalid calls fail with Node’s errors, an empty host has no address, and promisify works', async () => {
  // From here on, Node's own `dns.lookup` answers, not the mock.
  lookups.restore();
  jest.restoreAllMocks();
  lookups = rememberLookups();
  // The second call would wait forever if the first one still counted as a lookup under way.
  for (let call = 0; call < 2; call += 1)
    await expect(lookUp('postgres', { hints: 12_345 })).rejects.toThrow("'hints' is invalid");
  expect(() => (dns.lookup as unknown as (host: string) => void)('postgres')).toThrow(
    'must be of type function',
  );
  expect(await new Promise((resolve) => dns.lookup('', (...given) => resolve(given)))).toEqual([
    null,
    null,
    4,
  ]);
  expect(await promisify(dns.lookup)('127.0.0.1')).toEqual({ address: '127.0.0.1', family: 4 });
  lookups.restore();
  expect(dns.lookup).toBe(realLookup);
});
