import { randomUUID } from 'node:crypto';
import { type INestMicroservice, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect } from '@jest/globals';
import pg from 'pg';
import { createClient } from 'redis';
import {
  type ContentRecord,
  contentChanged,
  type MailRequest,
  mailRequested,
  type ServiceName,
} from '#libs/contracts';
import { type RunningService, startService } from '#libs/platform';
import { eventually, freshDatabase, freshRedis } from '#libs/testing';
import { MailCatcher } from '../../../dev/stand-ins/mail/client.js';
import { EventPublisher, type OutgoingEvent, StreamsServer } from '#libs/transport';
import { AppModule } from '../app.module.js';
import { messagingSettings } from '../config.js';

export interface MailRow {
  id: string;
  state: string;
  attempts: number;
  answer: string | null;
  params: Record<string, unknown>;
  params_blanked: boolean;
  message_id: string;
  subject: string | null;
}

@Module({})
class NeighbourModule {}

/** Messaging with its own mail server, and a publisher for the events of other services. */
export class MailHarness {
  private readonly services: RunningService[] = [];
  private readonly neighbours = new Set<INestMicroservice>();
  private siteVersion = 0;

  private constructor(
    readonly mail: MailCatcher,
    readonly sql: pg.Client,
    readonly redisUrl: string,
    private readonly databaseUrl: string,
    private readonly publisher: EventPublisher,
    private readonly closers: (() => Promise<unknown>)[],
  ) {}

  static async open(): Promise<MailHarness> {
    const [database, redis, mail] = await Promise.all([
      freshDatabase('messaging'),
      freshRedis(),
      MailCatcher.start(),
    ]);
    const sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    const publisher = new EventPublisher({ redisUrl: redis.url, name: 'test' });
    await publisher.connect();
    const closers = [
      () => Promise.all([sql.end(), publisher.close(), mail.stop()]),
      () => Promise.all([redis.stop(), database.drop()]),
    ];
    return new MailHarness(mail, sql, redis.url, database.url, publisher, closers);
  }

  settings(more: Record<string, string> = {}): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.redisUrl,
      HEALTH_PORT: '0',
      LOG_LEVEL: 'fatal',
      PUBLIC_URL: 'https://northrank.example',
      SMTP_URL: this.mail.smtpUrl,
      MAIL_FROM: 'hello@northrank.example',
      MAIL_RETRY_MS: '50',
      MAIL_TIMEOUT_MS: '10000',
      ...more,
    };
  }

  /** Starts a replica in the test’s process. */
  async start(more: Record<string, string> = {}): Promise<RunningService> {
    const config = messagingSettings.parse(this.settings(more));
    const service = await startService({ name: 'messaging', config, module: AppModule.forRoot(config) });
    this.services.push(service);
    return service;
  }

  /** Starts a controller that answers calls in place of another service. Returns a function that stops it; `close` does so, too. */
  async startNeighbour(service: ServiceName, controller: Type): Promise<() => Promise<void>> {
    const strategy = new StreamsServer({ service, redisUrl: this.redisUrl });
    const module = { module: NeighbourModule, controllers: [controller] };
    const neighbour = await NestFactory.createMicroservice(module, { strategy, logger: false });
    await neighbour.listen();
    this.neighbours.add(neighbour);
    return async () => {
      this.neighbours.delete(neighbour);
      await neighbour.close();
    };
  }

  /** Requests a mail as the identity and projects services do. Returns the mail's id. */
  async request(mail: Omit<MailRequest, 'mailId'>, mailId: string = randomUUID()): Promise<string> {
    await this.publish({ event: mailRequested.event, payload: { mailId, ...mail } });
    return mailId;
  }

  async requestMany(mails: readonly MailRequest[]): Promise<void> {
    for (let from = 0; from < mails.length; from += 100) {
      const events = mails
        .slice(from, from + 100)
        .map((payload) => this.event({ event: mailRequested.event, payload }));
      await this.publisher.publish(events);
    }
  }

  /** Publishes a new content record as the content service does. */
  async addContent(section: string, body: Record<string, unknown>): Promise<void> {
    const now = new Date().toISOString();
    const _id = randomUUID();
    const record: ContentRecord = { ...body, _id, createdAt: now, updatedAt: now, version: 1 };
    const payload = {
      section,
      id: _id,
      change: 'created',
      recordVersion: 1,
      siteVersion: ++this.siteVersion,
      record,
    };
    await this.publish({ event: contentChanged.event, payload });
  }

  /** Publishing with the same `id` again repeats the event. */
  async publish(event: Pick<OutgoingEvent, 'event' | 'payload'>, id?: string): Promise<void> {
    await this.publisher.publish([this.event(event, id)]);
  }

  /** The time by the clock of the database. */
  async now(): Promise<Date> {
    const { rows } = await this.sql.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return rows[0]!.now;
  }

  /** Waits until messaging has handled every published event whose name begins with `<owner>.`. */
  async untilHandled(owner: string): Promise<void> {
    const redis = createClient({ url: this.redisUrl });
    await redis.connect();
    await eventually(async () => {
      const groups = await redis.xInfoGroups(`{${owner}}:events`);
      expect(groups.map(({ name, pending, lag }) => ({ name, pending, lag }))).toEqual([
        { name: 'messaging', pending: 0, lag: 0 },
      ]);
    });
    redis.destroy();
  }

  async row(id: string): Promise<MailRow | undefined> {
    const { rows } = await this.sql.query<MailRow>('SELECT * FROM mails WHERE id = $1', [id]);
    return rows[0];
  }

  async close(): Promise<void> {
    for (const service of this.services.splice(0)) await service.close();
    for (const neighbour of this.neighbours) await neighbour.close();
    for (const close of this.closers) await close();
  }

  private event(
    { event, payload }: Pick<OutgoingEvent, 'event' | 'payload'>,
    id: string = randomUUID(),
  ): OutgoingEvent {
    return { id, event, payload, occurredAt: new Date() };
  }
}
