import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSourceOptions, Logger as TypeOrmLogger, MigrationInterface } from 'typeorm';

type EntityClass = new () => object;
export type MigrationClass = new () => MigrationInterface;

/** What a service says about its database. Everything else is the same for all of them. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** The service's own entities. The outbox and inbox tables have none: their code is SQL. */
  entities: EntityClass[];
  /** The service's own migrations, plus `outboxAndInboxMigrations`. */
  migrations: MigrationClass[];
  /** Connections of one process. Postgres' `max_connections` must hold replicas × this. Default 10. */
  poolSize?: number;
  /** Postgres cancels a statement after this long, in milliseconds. Migrations are exempt. Default 10 000. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection: to the server, or a free one of the pool. Default 3 000 ms. */
  connectTimeoutMs?: number;
  /**
   * A transaction whose client says nothing for this long is rolled back: a process that froze, or a machine that vanished, would hold
   * its locks against all the others. Less than callers wait. Default 6 000 ms.
   */
  idleInTransactionMs?: number;
  /** At start: how long to keep trying while Postgres does not answer. Default 60 000 ms. */
  bootTimeoutMs?: number;
  /**
   * What happens to the schema at start: `run` (the default) applies what is missing; `wait` leaves that to a job of its own and
   * waits for it, for at most `bootTimeoutMs`.
   */
  schema?: 'run' | 'wait';
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
}

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** TypeORM's options: Postgres, UTC, bounded waits; never `synchronize`, and migrations only through `runMigrations`. */
export function dataSourceOptions(options: DatabaseOptions): PostgresOptions {
  const statementTimeout = options.statementTimeoutMs ?? 10_000;
  return {
    type: 'postgres',
    // Found by name at run time otherwise, which a bundle has no answer to.
    driver: pg,
    url: options.url,
    entities: options.entities,
    migrations: options.migrations,
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    applicationName: options.applicationName,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMS: options.connectTimeoutMs ?? 3_000,
    // A lost idle connection is no news: the pool opens another, and readiness tells when it cannot.
    poolErrorHandler: () => undefined,
    logging: false,
    logger: new QuietTypeOrm(),
    extra: {
      options: '-c TimeZone=UTC',
      keepAlive: true,
      // Connections stay: each new one needs a name server, which may be away just when the work comes.
      idleTimeoutMillis: 0,
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 6_000,
      // The server's own limit cannot speak when the server hangs or the network is cut.
      query_timeout: statementTimeout + 2_000,
    },
  };
}

/** What TypeORM would print is thrown as well, and printed by who knows the request; only migrations get a line. */
class QuietTypeOrm implements TypeOrmLogger {
  private readonly logger = new Logger('Database');

  logMigration(message: string): void {
    this.logger.error(message);
  }

  logQuery(): void {}
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  log(): void {}
}
