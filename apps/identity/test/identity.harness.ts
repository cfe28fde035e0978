import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import {
  type Account,
  type Actor,
  type Client,
  identityContract,
  type MailRequest,
  type SignedIn,
  visitor,
} from '#libs/contracts';
import { dataSourceOptions } from '#libs/database';
import { createLogger, type RunningService, startService } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { freshDatabase, freshRedis } from '#libs/testing';
import { Broadcaster, RpcClient } from '#libs/transport';
import { AppModule } from '../app.module.js';
import { identitySettings } from '../config.js';
import { identityDatabase } from '../database.js';

export const chrome: Client = { address: '192.0.2.1', userAgent: 'Chrome' };
export const adminEmail = 'Admin@example.com';
export const adminPassword = 'the first admin password';

/** Moves only when a test advances it, so that delays and lifetimes do not run out on a busy machine. */
class ManualClock extends Clock {
  private moment = Date.now();

  override now(): Date {
    return new Date(this.moment);
  }

  advance(time: { seconds?: number; minutes?: number; days?: number }): void {
    const { seconds = 0, minutes = 0, days = 0 } = time;
    this.moment += ((days * 24 * 60 + minutes) * 60 + seconds) * 1000;
  }
}

export class IdentityHarness {
  readonly clock = new ManualClock();
  readonly replicas: RunningService[] = [];
  readonly broadcasts: { channel: string; payload: Record<string, unknown> }[] = [];

  private constructor(
    private readonly settings: Record<string, string>,
    readonly client: RpcClient,
    readonly dataSource: DataSource,
    private readonly cleanUp: () => Promise<void>,
  ) {}

  /** `settings` as environment variables; hashing is cheap by default. Starts no replica. */
  static async prepare(settings: Record<string, string> = {}): Promise<IdentityHarness> {
    const [database, redis] = await Promise.all([freshDatabase('identity'), freshRedis()]);
    const client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
    const listener = new Broadcaster({ redisUrl: redis.url, name: 'test' });
    const dataSource = new DataSource({ ...dataSourceOptions(identityDatabase(database.url)), poolSize: 2 });
    await Promise.all([client.connect(), listener.connect(), dataSource.initialize()]);
    const harness = new IdentityHarness(
      {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        PUBLIC_URL: 'https://site.example',
        LOG_LEVEL: 'silent',
        ARGON2_MEMORY_KIB: '8',
        ARGON2_PASSES: '1',
        ADMIN_EMAIL: adminEmail,
        ADMIN_PASSWORD: adminPassword,
        ...settings,
      },
      client,
      dataSource,
      async () => {
        await Promise.all([client.close(), listener.close(), dataSource.destroy()]);
        await Promise.all([database.drop(), redis.stop()]);
      },
    );
    for (const channel of ['identity.sessionsEnded', 'identity.adminsChanged'] as const) {
      await listener.subscribe(channel, (payload) => harness.broadcasts.push({ channel, payload }));
    }
    return harness;
  }

  static async start(settings: Record<string, string> = {}): Promise<IdentityHarness> {
    const harness = await IdentityHarness.prepare(settings);
    await harness.addReplica();
    return harness;
  }

  /** `settings` override the harness's own; undefined removes one. */
  async addReplica(settings: Record<string, string | undefined> = {}): Promise<RunningService> {
    const config = identitySettings.parse({ ...this.settings, ...settings });
    const replica = await startService({
      name: 'identity',
      config,
      module: AppModule.forRoot(config, this.clock),
      logger: createLogger('identity', config.LOG_LEVEL),
    });
    this.replicas.push(replica);
    return replica;
  }

  get databaseUrl(): string {
    return this.settings.DATABASE_URL!;
  }

  get redisUrl(): string {
    return this.settings.REDIS_URL!;
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.splice(0).map((replica) => replica.close()));
    await this.cleanUp();
  }

  sql<T = Record<string, unknown>>(statement: string, parameters: unknown[] = []): Promise<T[]> {
    return this.dataSource.query<T[]>(statement, parameters);
  }

  register(email: string, password = 'a fine password', requestId = randomUUID()): Promise<SignedIn> {
    return this.client.call(
      identityContract.register,
      { credentials: { email, password }, client: chrome },
      { actor: visitor, requestId },
    );
  }

  login(
    email: string,
    password = 'a fine password',
    { client = chrome, requestId = randomUUID() as string } = {},
  ): Promise<SignedIn> {
    return this.client.call(
      identityContract.login,
      { credentials: { email, password }, client },
      { actor: visitor, requestId },
    );
  }

  refresh(refreshToken: string): Promise<SignedIn> {
    return this.client.call(identityContract.refresh, { refreshToken, client: chrome }, { actor: visitor });
  }

  async findAccountOfSession(sessionId: string): Promise<Account | null> {
    const { account } = await this.client.call(identityContract.session, { sessionId }, { actor: visitor });
    return account;
  }

  async authenticatedAt(sessionId: string): Promise<Date> {
    const [session] = await this.sql<{ authenticated_at: Date }>(
      `SELECT authenticated_at FROM sessions WHERE id = $1`,
      [sessionId],
    );
    return session!.authenticated_at;
  }

  /** Reads the token from the newest mail to this address with this template. Fails if there is none. */
  async mailedToken(to: string, template: MailRequest['template']): Promise<string> {
    const mails = await this.sql<{ link: string }>(
      `SELECT payload->'params'->>'link' AS link FROM outbox_messages
       WHERE event = 'mail.requested' AND payload->>'to' = $1 AND payload->>'template' = $2 ORDER BY id`,
      [to, template],
    );
    return new URLSearchParams(new URL(mails.at(-1)!.link).hash.slice(1)).get('token')!;
  }

  /** Marks the address as verified, as the link in a mail would. */
  async registerVerified(email: string): Promise<SignedIn> {
    const registered = await this.register(email);
    await this.sql(`UPDATE accounts SET email_verified = true WHERE id = $1`, [registered.account.id]);
    return { ...registered, account: { ...registered.account, emailVerified: true } };
  }
}

export type Person = Extract<Actor, { accountId: string }>;

/** The actor that the gateway would derive from a sign-in, except that an admin who lacks a required second factor is still an `admin`. */
export function actorOf({ account, sessionId }: SignedIn): Person {
  return {
    role: account.role === 'Admin' ? 'admin' : 'customer',
    accountId: account.id,
    email: account.email,
    emailVerified: account.emailVerified,
    sessionId,
    // As for somebody who has just signed in.
    freshUntil: '2999-01-01T00:00:00.000Z',
  };
}
