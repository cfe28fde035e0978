import { generateKeyPairSync } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { DomainError } from '#libs/contracts';
import type { Clock } from '#libs/runtime';
import type { RpcClient } from '#libs/transport';
import { SigningKeys } from './signing-keys.js';

const keyNamed = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid,
});

function start() {
  let time = Date.parse('2026-11-21T10:00:00Z');
  const published = { keys: [keyNamed('old')] };
  const call = jest.fn(() => Promise.resolve(published));
  const clock: Clock = { now: () => new Date(time) };
  const keys = new SigningKeys({ call } as unknown as RpcClient, clock);
  return { keys, published, call, passSeconds: (seconds: number) => (time += seconds * 1000) };
}

test('the keys are fetched again when one is used over a minute after the last fetch, so a withdrawn key is forgotten', async () => {
  const { keys, published, passSeconds } = start();
  expect(await keys.find('old')).toContain('PUBLIC KEY');
  published.keys = [keyNamed('new')];
  passSeconds(61);
  // This call begins a fetch but does not wait for it, so it still finds the key.
  await keys.find('old');
  expect(await keys.find('old')).toBeUndefined();
  expect(await keys.find('new')).toContain('PUBLIC KEY');
});

test('while identity is down, known keys stay valid and cause only one call a minute, and an unknown key fails as UNAVAILABLE', async () => {
  const { keys, call, passSeconds } = start();
  await keys.find('old');
  call.mockRejectedValue(new DomainError('UNAVAILABLE'));
  passSeconds(61);
  expect(await keys.find('old')).toContain('PUBLIC KEY');
  expect(await keys.find('old')).toContain('PUBLIC KEY');
  expect(call).toHaveBeenCalledTimes(2);
  await expect(keys.find('unknown')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('tokens that name unknown keys make the gateway ask identity at most every five seconds', async () => {
  const { keys, call, passSeconds } = start();
  await keys.find('old');
  for (const kid of ['a', 'b', 'c']) expect(await keys.find(kid)).toBeUndefined();
  expect(call).toHaveBeenCalledTimes(1);
  passSeconds(6);
  await keys.find('a');
  expect(call).toHaveBeenCalledTimes(2);
});
