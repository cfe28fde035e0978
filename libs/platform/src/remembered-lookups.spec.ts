import dns, { type LookupAddress } from 'node:dns';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { rememberLookups } from './remembered-lookups.js';

type Callback = (error: Error | null, addresses: LookupAddress[]) => void;

const addresses = [{ address: '192.0.2.1', family: 4 }];
let questions: { host: string; answer: Callback }[];
let lookups: ReturnType<typeof rememberLookups>;
beforeEach(() => {
  questions = [];
  jest.spyOn(dns, 'lookup').mockImplementation(((host: string, _options: unknown, answer: Callback) => {
    questions.push({ host, answer });
  }) as never);
  lookups = rememberLookups();
});
afterEach(() => {
  lookups.restore();
  jest.restoreAllMocks();
});

/** As a socket asks. */
const lookUp = (host: string) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    dns.lookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

async function know(host: string): Promise<void> {
  const found = lookUp(host);
  questions.pop()!.answer(null, addresses);
  expect(await found).toEqual(addresses);
}

test('a name server that stops answering is waited for only as long as an address is unknown', async () => {
  await know('postgres');
  expect(await lookUp('postgres')).toEqual(addresses);
  let isAnswered = false;
  void lookUp('redis').then(() => (isAnswered = true));
  expect(await lookUp('postgres')).toEqual(addresses);
  expect(isAnswered).toBe(false);
  questions.at(-1)!.answer(null, addresses);
  await eventually(() => expect(isAnswered).toBe(true));
});

test('many sockets that need one host ask once', async () => {
  const found = Promise.all(Array.from({ length: 4 }, () => lookUp('postgres')));
  expect(questions).toHaveLength(1);
  questions[0]!.answer(null, addresses);
  expect(await found).toEqual(Array(4).fill(addresses));
});

test('a new address is taken from the next answer, and the former one stands in for a failure', async () => {
  await know('postgres');
  const moved = [{ address: '192.0.2.2', family: 4 }];
  const found = lookUp('postgres');
  questions.pop()!.answer(null, moved);
  expect(await found).toEqual(moved);
  const failed = lookUp('postgres');
  questions.pop()!.answer(new Error('no such host'), []);
  expect(await failed).toEqual(moved);
});

test('an unknown host fails with the reason', async () => {
  const found = lookUp('postgres');
  questions.pop()!.answer(new Error('no such host'), []);
  await expect(found).rejects.toThrow('no such host');
});

test('once frozen, a known host is not looked up any more', async () => {
  await know('postgres');
  lookups.freeze();
  expect(await lookUp('postgres')).toEqual(addresses);
  expect(questions).toEqual([]);
});

test('the other ways to call dns.lookup work as well', async () => {
  const single = new Promise((resolve) => dns.lookup('postgres', (...given) => resolve(given)));
  questions.pop()!.answer(null, addresses);
  expect(await single).toEqual([null, '192.0.2.1', 4]);
  const family = new Promise((resolve) => dns.lookup('redis', 4, (...given) => resolve(given)));
  questions.pop()!.answer(null, addresses);
  expect(await family).toEqual([null, '192.0.2.1', 4]);
});
