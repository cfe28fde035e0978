import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres.js';
import { freePort } from '../embedded/ports.js';
import { type EmbeddedRedis, startRedis } from '../embedded/redis.js';
import { RedisNotFound } from '../embedded/redis-binary.js';
import { DataFolder } from './data-folder.js';
import {
  type DatabaseUrls,
  createEmbeddedDatabases,
  createExternalDatabases,
  emailOfEarliestAdmin,
} from './databases.js';
import { requireRedis } from './require-redis.js';
import { StackFailure } from './failure.js';
import { type AdminSignIn, prepareFirstAdmin, forgetFirstAdminPassword } from './first-admin.js';
import { planGoogleStandIn } from './google.js';
import { SupervisedServer } from './supervised-server.js';
import { planMailCatcher, prepareReplySettings } from './mail.js';
import { planPayPalSimulator } from './paypal.js';
import { redisUserLines, redisUserUrls, sharedRedisUrls } from './redis-users.js';
import { Replica } from './replica.js';
import { ProcessLog } from './process-log.js';
import { planReplicas } from './replica-plans.js';
import { type ProcessName, siteUrl, type StackSettings } from './settings.js';
import type { StandInPlan } from './stand-in.js';

export interface Reporter {
  /** A returned text is shown next to the name. */
  step(name: string, work: () => Promise<string | void>): Promise<void>;
  printLine(text: string): void;
  /** From now on, the running steps are not shown, nor how they end. */
  abandon(): void;
}

export interface StackOptions {
  settings: StackSettings;
  dist: string;
  reporter: Reporter;
  /** Prints every line of every log, not only warnings and errors. */
  verbose?: boolean;
}

/** `stack.json`, for tests and for tools that use a running stack. */
export interface StackFile {
  url: string;
  admin: { email: string; password?: string };
  /** Null if mail goes to a real server. `url` is the inbox of the mail catcher. */
  mail: { url: string } | null;
  /** Null if it is not used. `url` is the simulator's console. */
  paypal: { url: string } | null;
  /** Null if it is not used. */
  google: { url: string } | null;
  /** Includes `web` and `gateway`. `url` is null for a service, which gets its requests from Redis. `health` is the health server. */
  services: Record<string, { pid: number; url: string | null; health: string }[]>;
  /** Operators' commands use these addresses. */
  databases: DatabaseUrls;
  redis: string;
}

export class Stack {
  /** The folder of the embedded Postgres, if it had to be outside the data folder. */
  databaseFolder: string | undefined;
  private readonly replicas: { name: ProcessName; url: string | null; replica: Replica }[] = [];
  private readonly logs = new Map<string, ProcessLog>();
  private redis: SupervisedServer<EmbeddedRedis> | undefined;
  private postgres: SupervisedServer<EmbeddedPostgres> | undefined;
  private readonly standIns: Replica[] = [];
  private stopping: Promise<void> | undefined;
  private ready = false;
  /** Without the processes, which `services` returns. */
  private stackFile!: Omit<StackFile, 'services'>;
  private adminSignIn!: AdminSignIn;

  private constructor(
    private readonly options: StackOptions,
    private readonly folder: DataFolder,
  ) {}

  /**
   * If something fails, stops what has started and throws, usually a StackFailure. If it is interrupted and everything could be stopped, throws the
   * signal's reason.
   */
  static async start(options: StackOptions, interrupted?: AbortSignal): Promise<Stack> {
    const folder = await DataFolder.claim(options.settings.dataDir, 'npm start');
    const stack = new Stack(options, folder);
    // A failure is not lost: every call of `stop` returns the same promise.
    const stop = () => void stack.stop().catch(() => undefined);
    // Claiming the folder can take seconds, and an already aborted signal fires no event.
    if (interrupted?.aborted) stop();
    interrupted?.addEventListener('abort', stop, { once: true });
    try {
      await stack.open(await requireFreePort(options.settings));
      return stack;
    } catch (error) {
      // What fails during an interruption usually fails because of it.
      const isInterrupted = interrupted?.aborted === true;
      await stack.stop().catch((stopFailure: StackFailure) => {
        if (isInterrupted) throw stopFailure;
        options.reporter.printLine(`! ${stopFailure.message}`);
      });
      throw isInterrupted ? interrupted.reason : error;
    }
  }

  get url(): string {
    return this.stackFile.url;
  }

  get paypalUrl(): string | undefined {
    return this.stackFile.paypal?.url;
  }

  get googleUrl(): string | undefined {
    return this.stackFile.google?.url;
  }

  get mailUrl(): string | undefined {
    return this.stackFile.mail?.url;
  }

  get databases(): DatabaseUrls {
    return this.stackFile.databases;
  }

  get admin(): AdminSignIn {
    return this.adminSignIn;
  }

  get services(): StackFile['services'] {
    const services: StackFile['services'] = {};
    for (const { name, url, replica } of this.replicas) {
      (services[name] ??= []).push({ pid: replica.pid, url, health: replica.healthUrl });
    }
    return services;
  }

  /** Stops the gateway first, so that no request fails half-way. Throws a StackFailure if something cannot be stopped. */
  stop(): Promise<void> {
    return (this.stopping ??= this.close().catch((cause: Error) => {
      throw new StackFailure(`The site could not be stopped completely: ${cause.message}`, { cause });
    }));
  }

  /** Does not wait for requests in progress. Postgres and Redis keep running. */
  kill(): void {
    for (const { replica } of this.replicas) replica.kill();
    for (const standIn of this.standIns) standIn.kill();
  }

  async replaceProcesses(names: readonly ProcessName[]): Promise<void> {
    if (this.stopping) return;
    const chosen = this.replicas.filter(({ name }) => names.includes(name));
    await Promise.all(chosen.map(({ replica }) => replica.replace()));
  }

  /** Call it after the password was printed. */
  forgetAdminPassword(): void {
    forgetFirstAdminPassword(this.folder);
  }

  private async open(port: number): Promise<void> {
    const { settings, reporter, dist } = this.options;
    this.throwIfStopping();
    const [redisUrl, databases] = await all([this.openRedis(), this.openDatabases()]);
    this.adminSignIn = prepareFirstAdmin(
      settings,
      this.folder,
      await emailOfEarliestAdmin(databases.identity),
    );
    const url = siteUrl(settings, port);
    const publicUrl = settings.PUBLIC_URL ?? url;
    const { email, password } = this.adminSignIn;
    const simulator = await planPayPalSimulator(dist, settings, publicUrl);
    const google = await planGoogleStandIn(dist, settings, publicUrl);
    const replies = prepareReplySettings(settings);
    const catcher = await planMailCatcher(dist, settings, { siteUrl: url, replies });
    this.stackFile = {
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
      redisUrls: this.redis ? redisUserUrls(redisUrl) : sharedRedisUrls(redisUrl),
      databases,
      admin: this.adminSignIn,
      paypalUrl: simulator?.url ?? null,
      google: google ?? null,
      smtpUrl: catcher?.smtpUrl ?? settings.SMTP_URL!,
      replies,
    });
    // Nothing is awaited from here until all processes are spawned, so that `close` finds each of them.
    this.throwIfStopping();
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
          log: this.logOf(plan.name),
          onStarted: (pid) => this.processStarted(pid),
          report: (text) => reporter.printLine(`! ${text}`),
        }),
      });
    }
    const names = [...new Set(plans.map(({ name }) => name))];
    await Promise.all([
      ...names.map((name) => this.openReplicas(name)),
      simulator && this.openStandIn(simulator),
      catcher && this.openStandIn(catcher),
      google && this.openStandIn(google),
    ]);
    this.throwIfStopping();
    this.ready = true;
    this.writeStackFile();
  }

  /** `close` ends only what has started before it, so nothing may start after it, nor be reported as ready. */
  private throwIfStopping(): void {
    if (this.stopping) throw new StackFailure('Interrupted.');
  }

  private openReplicas(name: ProcessName): Promise<void> {
    const replicas = this.replicas.filter((entry) => entry.name === name).map(({ replica }) => replica);
    return this.options.reporter.step(name, async () => {
      await Promise.all(replicas.map((replica) => replica.start())).catch((error: Error) => {
        throw new StackFailure(
          `${name} did not start: it ${error.message}. Its log: ${this.logOf(name).file}`,
        );
      });
    });
  }

  private openStandIn({ name, title, port, ...process }: StandInPlan): Promise<void> {
    const { reporter } = this.options;
    const log = this.logOf(name);
    const standIn = new Replica({
      ...process,
      label: name,
      healthPort: port,
      sharesPort: false,
      log,
      onStarted: (pid) => this.processStarted(pid),
      report: (text) => reporter.printLine(`! ${text}`),
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
    if (settings.REDIS_URL) return requireRedis(settings.REDIS_URL);
    const log = this.logOf('redis');
    let url = '';
    await reporter.step('redis', async () => {
      this.redis = new SupervisedServer(
        'redis',
        async (before) => {
          const sameAddress = before && { port: before.port, password: new URL(before.url).password };
          const redis = await startRedis({
            dataDir: this.folder.path,
            ...sameAddress,
            users: redisUserLines,
            log: (line) => log.writeLine(line),
          });
          this.processStarted(redis.pid);
          return redis;
        },
        (text) => reporter.printLine(`! ${text}`),
      );
      url = await this.redis.start().then(
        (redis) => redis.url,
        (error: Error) => {
          throw new StackFailure(
            error instanceof RedisNotFound ? error.message : `Redis did not start: ${error.message}`,
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
        urls = await createExternalDatabases(settings.DATABASE_URL);
        return;
      }
      const log = this.logOf('postgres');
      this.postgres = new SupervisedServer(
        'postgres',
        async (before) => {
          const postgres = await startPostgres({
            dataDir: this.folder.path,
            ...(before && { port: before.port }),
            log: (line) => log.writeLine(line),
          });
          this.processStarted(postgres.pid);
          return postgres;
        },
        (text) => reporter.printLine(`! ${text}`),
      );
      const postgres = await this.postgres.start().catch((error: Error) => {
        throw new StackFailure(`Postgres did not start: ${error.message}. Its log: ${log.file}`);
      });
      if (!postgres.folder.startsWith(this.folder.path)) this.databaseFolder = postgres.folder;
      urls = await createEmbeddedDatabases(postgres.url('postgres'));
    });
    return urls;
  }

  private logOf(name: string): ProcessLog {
    let log = this.logs.get(name);
    if (!log) {
      const { reporter, verbose } = this.options;
      const column = name.padEnd(9);
      log = new ProcessLog(
        join(this.folder.path, 'logs', `${name}.log`),
        (level, message) => {
          // While processes start and stop, they log that others are unavailable.
          if (this.ready && !this.stopping && !verbose)
            reporter.printLine(`! ${column} ${level}: ${message}`);
        },
        verbose ? (line) => reporter.printLine(`${column} ${line}`) : undefined,
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
    const { databases, redis, ...rest } = this.stackFile;
    this.folder.writeJson('stack.json', { ...rest, services: this.services, databases, redis });
  }

  private async close(): Promise<void> {
    if (!this.ready) this.options.reporter.abandon();
    const stopAll = (chosen: (name: ProcessName) => boolean) =>
      Promise.all(this.replicas.filter(({ name }) => chosen(name)).map(({ replica }) => replica.stop()));
    // No restarts from now on: a signal to the whole process group may have reached some processes already.
    for (const { replica } of this.replicas) replica.expectEnd();
    for (const standIn of this.standIns) standIn.expectEnd();
    await stopAll((name) => name === 'gateway');
    await stopAll((name) => name !== 'gateway');
    // After the services, because messaging still closes its connection to the mail server.
    await Promise.all(this.standIns.map((standIn) => standIn.stop()));
    await Promise.all([this.redis?.stop(), this.postgres?.stop()]);
    await Promise.all([...this.logs.values()].map((log) => log.flushed()));
    this.folder.remove('stack.json');
    this.folder.release();
  }
}

/** Like Promise.all, but rejects only after all promises have settled. */
async function all<const T extends readonly Promise<unknown>[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

/** Throws a StackFailure if the port cannot be used, before anything is started. */
async function requireFreePort({ PORT, HOST }: StackSettings): Promise<number> {
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
