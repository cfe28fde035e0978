import { writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Session } from '#libs/testing';
import type { SiteStores } from '../commands/backup/backup.js';
import { freePort } from '../embedded/ports.js';
import { databaseNames, type DatabaseUrls } from '../stack/databases.js';
import { storagesFromConfig } from '../stack/storages.js';
import type { Engine } from './engine.js';

const run = promisify(execFile);

/** The site as docker-compose.yml runs it with the profile `dev`. Each run has new secrets and free ports; each checkout, its own project name. */
export class ComposedSystem {
  private constructor(
    readonly engine: Engine,
    private readonly settingsFile: string,
    readonly settings: Record<string, string>,
  ) {}

  static async prepare(engine: Engine, root: string): Promise<ComposedSystem> {
    const { stdout } = await run(process.execPath, [join(root, 'docker', 'settings.mjs'), '--dev']);
    const settings = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ) as Record<string, string>;
    const ports = [await freePort(), await freePort(), await freePort(), await freePort()] as const;
    const [publish, paypal, google, mail] = ports;
    Object.assign(settings, {
      COMPOSE_PROJECT_NAME: engine.namePrefix,
      PUBLISH: `${publish}`,
      PAYPAL_PORT: `${paypal}`,
      GOOGLE_PORT: `${google}`,
      MAIL_PORT: `${mail}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    });
    const file = join(engine.folder, 'settings.env');
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(file, lines.join(''), { mode: 0o600 });
    return new ComposedSystem(engine, file, settings);
  }

  compose(...args: string[]): Promise<string> {
    return this.engine.compose(this.settingsFile, ...args);
  }

  up(...args: string[]): Promise<string> {
    return this.engine.withHealthChecks(() => this.compose('up', '-d', ...args));
  }

  containerName(service: string, number = 1): string {
    return `${this.engine.namePrefix}_${service}_${number}`;
  }

  containers() {
    return this.engine.composeContainers();
  }

  /** The last lines of each container that ended with an error. */
  async logsOfFailed(): Promise<string> {
    const failed = (await this.containers()).filter(({ running, exitCode }) => !running && exitCode !== 0);
    const logs = failed.map(
      async ({ name }) => `${name}:\n${await this.engine.podman('logs', '--tail', '5', name)}`,
    );
    return (await Promise.all(logs)).join('\n');
  }

  /** On the container network, not the published port. */
  async url(): Promise<string> {
    return `http://${await this.engine.addressOf(this.containerName('gateway'))}:3000`;
  }

  async signInAsAdmin(): Promise<Session> {
    const { ADMIN_EMAIL: email = '', ADMIN_PASSWORD: password = '' } = this.settings;
    return Session.signIn(await this.url(), { email, password });
  }

  /** How many requests of this pattern each replica has answered. */
  async handledCounts(service: string, pattern: string, replicas: number): Promise<number[]> {
    return Promise.all(
      Array.from({ length: replicas }, async (_, index) => {
        const address = await this.engine.addressOf(this.containerName(service, index + 1));
        const text = await (await fetch(`http://${address}:9090/metrics`)).text();
        const line = new RegExp(
          `^rpc_handler_seconds_count\\{[^}]*pattern="${pattern}"[^}]*\\} (\\d+)`,
          'gm',
        );
        return [...text.matchAll(line)].reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );
  }

  /** Compose publishes no port for Postgres, so the URLs contain the container's address. The files are in a volume on this machine. */
  async stores(): Promise<SiteStores> {
    const address = await this.engine.addressOf(this.containerName('postgres'));
    const urls = databaseNames.map((name) => {
      const password = this.settings[`${name.toUpperCase()}_DB_PASSWORD`]!;
      return [name, `postgres://${name}:${password}@${address}:5432/${name}`];
    });
    const volume = `${this.engine.namePrefix}_uploads`;
    const mounted = await this.engine.podman('volume', 'inspect', '-f', '{{.Mountpoint}}', volume);
    // IMAGES_DIR is the folder of all files, not only of pictures.
    const storage = { IMAGES_DIR: mounted.trim(), IMAGES_S3_REGION: '' };
    return { databases: Object.fromEntries(urls) as DatabaseUrls, ...storagesFromConfig(storage) };
  }

  psql(database: string, user: string, sql: string): Promise<string> {
    const password = this.settings[`${user.toUpperCase()}_DB_PASSWORD`] ?? this.settings.POSTGRES_PASSWORD!;
    const url = `postgres://${user}:${password}@127.0.0.1/${database}`;
    return this.engine.podman('exec', this.containerName('postgres'), 'psql', url, '-Atc', sql);
  }
}
