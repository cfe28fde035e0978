import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from '#libs/platform';
import { messagingSettings } from './config.js';

const pemOf = ({ privateKey }: ReturnType<typeof generateKeyPairSync>) =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

test.each([
  ['RSA', pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 })), true],
  ['Ed25519', pemOf(generateKeyPairSync('ed25519')), false],
  ['EC', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })), false],
  ['malformed', 'a key', false],
])('a DKIM key of the kind %s is accepted only if mails can be signed with it', (_kind, key, accepted) => {
  const reading = readConfig(messagingSettings, {
    DATABASE_URL: 'postgres://localhost/messaging',
    REDIS_URL: 'redis://localhost',
    PUBLIC_URL: 'https://site.example/',
    DKIM_DOMAIN: 'site.example',
    DKIM_SELECTOR: 'mail',
    DKIM_PRIVATE_KEY: key,
  });
  expect(reading.ok).toBe(accepted);
});
