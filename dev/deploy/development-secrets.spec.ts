import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
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
  expect(printed).toHaveLength(2);
});

test('the addresses of the content service contain the passwords that Postgres and Redis expect', () => {
  const files = read();
  const [, database] = /content:([^@]+)@postgres/.exec(files['content.env']!)!;
  const [, redis] = /content:([^@]+)@redis/.exec(files['content.env']!)!;
  expect(files['postgres.env']).toContain(`CONTENT_DB_PASSWORD=${database}\n`);
  expect(files['redis.env']).toContain(`CONTENT_REDIS_PASSWORD=${redis}\n`);
});
