import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres.js';
import { freePort } from '../embedded/ports.js';
import { type EmbeddedRedis, startRedis } from '../embedded/redis.js';
import { NoRedis } from '../embedded/redis-binary.js';
import { DataFolder } from './data-folder.js';
import { type DatabaseUrls, embeddedDatabases, externalDatabases, existingAdmin } from './databases.js';
import { externalRedis } from './external-redis.js';
import { StackFailure } from './failure.js';
import { type AdminSignIn, firstAdmin, signInWasPrinted } from './first-admin.js';
import { planGoogle } from './google.js';
import { KeptServer } from './kept-server.js';
import { planCatcher } from './mail.js';
import { planSimulator } from './paypal.js';
import { redisUserLines, redisUserUrls, sameRedisFor } from './redis-users.js';
import { Replica } from './replica.js';
import { ServiceLog } from './service-log.js';
import { planReplicas } from './services.js';
import { type ProcessName, type StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

/** What tells a person how it goes. */
export interface Reporter {
  /** Runs a piece of work under a name; a returned text is shown beside it. */
  step(name: string, work: () => Promise<string | void>): Promise<void>;
  line(text: string): void;
  /** Nothing of what is under way matters any more. */
  abandon(): void;
}

export interface StackOptions {
  settings: StackSettings;
  /** The compiled project. */
  dist: string;
  reporter: Reporter;
  /** Every line of every service, not only warnings and errors. */
  verbose?: boolean;
}

/** The content of `stack.json`: for tests, and for tools that work on a running stack. */
export interface StackFile {
  url: string;
  admin: { email: string; password?: string };
  /** The mail catcher; null when mail goes to a real server. Its inbox is the address itself. */
  mail: { url: string } | null;
  /** The simulator; null in the other modes. Its console is the address itself. */
  paypal: { url: string } | null;
  /** The stand-in; null when people sign in at Google itself. */
  google: { url: string } | null;
  services: Record<string, { pid: number; url: string | null; health: string }[]>;
  /** Reached with these by the commands of an operator (`npm run admin`). */
  databases: DatabaseUrls;
  redis: string;
}

/** Everything that runs on this machine for the site, from the databases to the gateway. */
export class Stack {
  private readonly replicas: { name: ProcessName; url: string | null; replica: Replica }[] = [];
  private readonly logs = new Map<string, ServiceLog>();
  private redis: KeptServer<EmbeddedRedis> | undefined;
  private postgres: KeptServer<EmbeddedPostgres> | undefined;
  /** What stands in for PayPal, for Google and for a mail server. */
  private readonly standIns: Replica[] = [];
  private stopping: Promise<void> | undefined;
  private ready = false;
  private file!: Omit<StackFile, 'services'>;

  private constructor(
    private readonly options: StackOptions,
    private readonly folder: DataFolder,
  ) {}

  /** Starts everything, or nothing: what had started is stopped again when something fails. */
  static async start(options: StackOptions, interrupted?: AbortSignal): Promise<Stack> {
    const folder = await DataFolder.claim(options.settings.dataDir);
    const stack = new Stack(options, folder);
    interrupted?.addEventListener('abort', () => void stack.stop(), { once: true });
    try {
      await stack.open(await listeningPort(options.settings));
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get url(): string {
    return this.file.url;
  }

  /** Of the PayPal simulator, when people pay there. */
  get paypalUrl(): string | undefined {
    return this.file.paypal?.url;
  }

  /** Of the stand-in for Google, when people sign in there. */
  get googleUrl(): string | undefined {
    return this.file.google?.url;
  }

  /** Of the mail catcher, when mail goes there. */
  get mailUrl(): string | undefined {
    return this.file.mail?.url;
  }

  /** Where each service keeps its records. */
  get databases(): DatabaseUrls {
    return this.file.databases;
  }

  get admin(): AdminSignIn {
    return this.signIn;
  }

  /** The processes by the service's name. */
  get services(): StackFile['services'] {
    const services: StackFile['services'] = {};
    for (const { name, url, replica } of this.replicas) {
      (services[name] ??= []).push({ pid: replica.pid, url, health: replica.health });
    }
    return services;
  }

  /** Of embedded Postgres, when it had to be kept outside the data folder. */
  databaseFolder: string | undefined;
  private signIn!: AdminSignIn;

  /** The gateway first, so that nothing is refused half-way; then the services; then what they stand on. */
  stop(): Promise<void> {
    return (this.stopping ??= this.close());
  }

  /** At once, without waiting for what is in hand. */
  kill(): void {
    for (const { replica } of this.replicas) replica.kill();
    for (const standIn of this.standIns) standIn.kill();
  }

  /** Replaces every process of these services, as after a new build. */
  async replace(names: readonly ProcessName[]): Promise<void> {
    const chosen = this.replicas.filter(({ name }) => names.includes(name));
    await Promise.all(chosen.map(({ replica }) => replica.replace()));
  }

  signInPrinted(): void {
    signInWasPrinted(this.folder);
  }

  private async open(port: number): Promise<void> {
    const { settings, reporter, dist } = this.options;
    const [redisUrl, databases] = await all([this.openRedis(), this.openDatabases()]);
    this.signIn = firstAdmin(settings, this.folder, await existingAdmin(databases.identity));
    if (this.stopping) throw new StackFailure('Interrupted.');
    const url = `http://localhost:${port}`;
    const publicUrl = settings.PUBLIC_URL ?? url;
    const { email, password } = this.signIn;
    const simulator = await planSimulator(dist, settings);
    const google = await planGoogle(dist, settings, publicUrl);
    const catcher = await planCatcher(dist, settings);
    this.file = {
      url,
      admin: { email, ...(password !== undefined && { password }) },
      mail: catcher ? { url: catcher.url } : null,
      paypal: simulator ? { url: simulator.url } : null,
      google: google ? { url: google.url } : null,
      databases,
      redis: redisUrl,
    };
    const plans = await planReplicas(dist, {
      settings,
      port,
      publicUrl,
      redisUrls: this.redis ? redisUserUrls(redisUrl) : sameRedisFor(redisUrl),
      databases,
      admin: this.signIn,
      paypalUrl: simulator?.url ?? null,
      google: google ?? null,
      smtpUrl: catcher?.smtpUrl ?? settings.SMTP_URL!,
    });
    for (const plan of plans) {
      if (!existsSync(plan.entry))
        throw new StackFailure(`${plan.entry} is missing: run npm run build -- --force.`);
      this.replicas.push({
        name: plan.name,
        url:
          plan.name === 'gateway'
            ? url
            : (plan.env.WEB_PORT && `http://127.0.0.1:${plan.env.WEB_PORT}`) || null,
        replica: new Replica({
          ...plan,
          log: this.log(plan.name),
          onStarted: (pid) => this.processStarted(pid),
          notice: (text) => reporter.line(`! ${text}`),
        }),
      });
    }
    const names = [...new Set(plans.map(({ name }) => name))];
    await Promise.all([
      ...names.map((name) => this.openService(name)),
      simulator && this.openStandIn(simulator),
      catcher && this.openStandIn(catcher),
      google && this.openStandIn(google),
    ]);
    this.ready = true;
    this.writeStackFile();
  }

  private openService(name: ProcessName): Promise<void> {
    const replicas = this.replicas.filter((entry) => entry.name === name).map(({ replica }) => replica);
    return this.options.reporter.step(name, async () => {
      await Promise.all(replicas.map((replica) => replica.start())).catch((error: Error) => {
        throw new StackFailure(`${name} did not start: it ${error.message}. Its log: ${this.log(name).file}`);
      });
    });
  }

  private openStandIn({ name, title, port, ...process }: StandInPlan): Promise<void> {
    const { reporter } = this.options;
    const log = this.log(name);
    const standIn = new Replica({
      ...process,
      label: name,
      healthPort: port,
      sharesPort: false,
      log,
      onStarted: (pid) => this.processStarted(pid),
      notice: (text) => reporter.line(`! ${text}`),
    });
    this.standIns.push(standIn);
    return reporter.step(name, () =>
      standIn.start().catch((error: Error) => {
        throw new StackFailure(`${title} did not start: it ${error.message}. Its log: ${log.file}`);
      }),
    );
  }

  private async openRedis(): Promise<string> {
    const { settings, reporter } = this.options;
    if (settings.REDIS_URL) return externalRedis(settings.REDIS_URL);
    const log = this.log('redis');
    let url = '';
    await reporter.step('redis', async () => {
      this.redis = new KeptServer(
        'redis',
        async (before) => {
          const same = before && { port: before.port, password: new URL(before.url).password };
          const redis = await startRedis({
            dataDir: this.folder.path,
            ...same,
            users: redisUserLines,
            log: (line) => log.line(line),
          });
          this.processStarted(redis.pid);
          return redis;
        },
        (text) => reporter.line(`! ${text}`),
      );
      url = await this.redis.start().then(
        (redis) => redis.url,
        (error: Error) => {
          throw new StackFailure(
            error instanceof NoRedis ? error.message : `Redis did not start: ${error.message}`,
          );
        },
      );
    });
    return url;
  }

  private async openDatabases(): Promise<DatabaseUrls> {
    const { settings, reporter } = this.options;
    let urls!: DatabaseUrls;
    await reporter.step('postgres', async () => {
      if (settings.DATABASE_URL) {
        urls = await externalDatabases(settings.DATABASE_URL);
        return;
      }
      const log = this.log('postgres');
      this.postgres = new KeptServer(
        'postgres',
        async (before) => {
          const postgres = await startPostgres({
            dataDir: this.folder.path,
            ...(before && { port: before.port }),
            log: (line) => log.line(line),
          });
          this.processStarted(postgres.pid);
          return postgres;
        },
        (text) => reporter.line(`! ${text}`),
      );
      const postgres = await this.postgres.start().catch((error: Error) => {
        throw new StackFailure(`Postgres did not start: ${error.message}. Its log: ${log.file}`);
      });
      if (!postgres.folder.startsWith(this.folder.path)) this.databaseFolder = postgres.folder;
      urls = await embeddedDatabases(postgres.url('postgres'));
    });
    return urls;
  }

  private log(name: string): ServiceLog {
    let log = this.logs.get(name);
    if (!log) {
      const { reporter, verbose } = this.options;
      const column = name.padEnd(9);
      log = new ServiceLog(
        join(this.folder.path, 'logs', `${name}.log`),
        (level, message) => {
          // While they start and stop, services complain of each other's absence.
          if (this.ready && !this.stopping && !verbose) reporter.line(`! ${column} ${level}: ${message}`);
        },
        verbose ? (line) => reporter.line(`${column} ${line}`) : undefined,
      );
      this.logs.set(name, log);
    }
    return log;
  }

  private processStarted(pid: number): void {
    this.folder.addChild(pid);
    if (this.ready) this.writeStackFile();
  }

  private writeStackFile(): void {
    const { databases, redis, ...rest } = this.file;
    this.folder.writeJson('stack.json', { ...rest, services: this.services, databases, redis });
  }

  private async close(): Promise<void> {
    if (!this.ready) this.options.reporter.abandon();
    const stopAll = (chosen: (name: ProcessName) => boolean) =>
      Promise.all(this.replicas.filter(({ name }) => chosen(name)).map(({ replica }) => replica.stop()));
    // A signal to the whole process group may have reached some of them already.
    for (const { replica } of this.replicas) replica.expectEnd();
    for (const standIn of this.standIns) standIn.expectEnd();
    await stopAll((name) => name === 'gateway');
    await stopAll((name) => name !== 'gateway');
    // Last: messaging says goodbye to its mail server.
    await Promise.all(this.standIns.map((standIn) => standIn.stop()));
    await Promise.all([this.redis?.stop(), this.postgres?.stop()]);
    await Promise.all([...this.logs.values()].map((log) => log.flushed()));
    this.folder.remove('stack.json');
    this.folder.release();
  }
}

/** Like Promise.all, but when one fails the others are awaited before that is told: nothing goes on unseen. */
async function all<const T extends readonly Promise<unknown>[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

/** The gateway's port, known to be free before anything is started. */
async function listeningPort({ PORT, HOST }: StackSettings): Promise<number> {
  if (PORT === 0) return freePort();
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason =
        code === 'EADDRINUSE'
          ? 'is in use by another program: stop that one, or set PORT to another (0 picks a free one)'
          : code === 'EACCES'
            ? 'may not be used by this user: set PORT to one above 1023'
            : `cannot be used: ${message}`;
      reject(new StackFailure(`Port ${PORT} ${reason}.`));
    });
    probe.listen(PORT, HOST ?? '0.0.0.0', () => probe.close(() => resolve(PORT)));
  });
}
