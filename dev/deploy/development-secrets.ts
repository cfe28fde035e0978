import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '#libs/contracts';

/** From the files in this folder, which Git ignores, kustomize creates the Secrets of the development overlay. */
export const developmentSecretsFolder = 'k8s/overlays/development/secrets';

/** The content of each file, by its name. Calls `passwordOf` once for each password. */
export function developmentSecrets(passwordOf: (owner: string) => string): Record<string, string> {
  const databasePasswords = new Map(serviceNames.map((name) => [name, passwordOf(`${name} database`)]));
  const redisClients = [...serviceNames, 'gateway'];
  const redisPasswords = new Map(redisClients.map((name) => [name, passwordOf(`${name} redis`)]));
  const redisAdminPassword = passwordOf('redis');
  const redisUrlSetting = (name: string) =>
    ['REDIS_URL', `redis://${name}:${redisPasswords.get(name)}@redis:6379`] as const;
  const identitySettings = [
    ['ADMIN_EMAIL', 'admin@example.com'],
    ['ADMIN_PASSWORD', passwordOf('admin')],
    ['KEY_ENCRYPTION_SECRET', passwordOf('signing keys')],
  ] as const;
  const files: Record<string, readonly (readonly [name: string, value: string])[]> = {
    gateway: [redisUrlSetting('gateway')],
    ...Object.fromEntries(
      serviceNames.map((name) => [
        name,
        [
          [
            'DATABASE_URL',
            `postgres://${name}:${databasePasswords.get(name)}@postgres:5432/${name}`,
          ] as const,
          redisUrlSetting(name),
          ...(name === 'identity' ? identitySettings : []),
        ],
      ]),
    ),
    postgres: [
      ['POSTGRES_PASSWORD', passwordOf('postgres')],
      ...serviceNames.map(
        (name) => [`${name.toUpperCase()}_DB_PASSWORD`, databasePasswords.get(name)!] as const,
      ),
    ],
    redis: [
      ['REDIS_PASSWORD', redisAdminPassword],
      ['REDISCLI_AUTH', redisAdminPassword],
      ...redisClients.map(
        (name) => [`${name.toUpperCase()}_REDIS_PASSWORD`, redisPasswords.get(name)!] as const,
      ),
    ],
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, settings]) => [
      `${name}.env`,
      settings.map(([setting, value]) => `${setting}=${value}\n`).join(''),
    ]),
  );
}

/** Changes nothing if the folder exists, because a database keeps its first passwords. */
export function writeDevelopmentSecrets(root: string, print: (line: string) => void): void {
  const folder = join(root, developmentSecretsFolder);
  if (existsSync(folder)) return print(`${developmentSecretsFolder} already exists and was not changed.`);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(developmentSecrets(() => randomBytes(24).toString('base64url'))))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  print(
    `Wrote the passwords of the development overlay to ${developmentSecretsFolder}. The admin's password is in identity.env.`,
  );
}
