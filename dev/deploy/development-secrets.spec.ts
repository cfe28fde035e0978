import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { serviceNames } from '#libs/contracts';
import { developmentSecretsFolder, writeDevelopmentSecrets } from './development-secrets.js';

const root = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(root, { recursive: true }));

function read(): Record<string, string> {
  const folder = join(root, developmentSecretsFolder);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

test('passwords are random and different, and a second run does not change them', () => {
  const printed: string[] = [];
  writeDevelopmentSecrets(root, (line) => printed.push(line));
  const files = read();
  const passwords = [
    ...Object.values(files)
      .join('')
      .matchAll(/(?:PASSWORD|SECRET)=(.+)/g),
  ].map(([, text]) => text);
  expect(passwords).toHaveLength(15);
  for (const password of passwords) expect(password).toMatch(/^[\w-]{32}$/);
  expect(new Set(passwords).size).toBe(15);
  writeDevelopmentSecrets(root, (line) => printed.push(line));
  expect(read()).toEqual(files);
  expect(printed).toEqual([
    expect.stringContaining('Wrote the passwords'),
    expect.stringContaining('was not changed'),
  ]);
});

const passwordIn = (file: string, user: string, server: string) =>
  new RegExp(`${user}:([^@]+)@${server}`).exec(file)![1];

test.each(serviceNames)(
  'the addresses in %s.env contain the passwords that Postgres and Redis expect',
  (service) => {
    const files = read();
    const envFile = files[`${service}.env`]!;
    const prefix = service.toUpperCase();
    expect(files['postgres.env']).toContain(
      `${prefix}_DB_PASSWORD=${passwordIn(envFile, service, 'postgres')}\n`,
    );
    expect(files['redis.env']).toContain(
      `${prefix}_REDIS_PASSWORD=${passwordIn(envFile, service, 'redis')}\n`,
    );
  },
);

test('the address in gateway.env contains the password that Redis expects', () => {
  const { 'gateway.env': gateway, 'redis.env': redis } = read();
  expect(redis).toContain(`GATEWAY_REDIS_PASSWORD=${passwordIn(gateway!, 'gateway', 'redis')}\n`);
});
