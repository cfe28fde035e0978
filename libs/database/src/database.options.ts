import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSourceOptions, Logger as TypeOrmLogger, MigrationInterface } from 'typeorm';

type EntityClass = new () => object;
export type MigrationClass = new () => MigrationInterface;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** The outbox and inbox tables have none: their code is SQL. */
  entities: EntityClass[];
  /** The service's own, plus `outboxAndInboxMigrations` and `auditMigrations`. */
  migrations: MigrationClass[];
  /** Connections of one process. Postgres' `max_connections` must allow this many for each replica. Default 10. */
  poolSize?: number;
  /** Migrations are exempt. Default 10 000. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection to the server, or a free one of the pool. Default 3 000 ms. */
  connectTimeoutMs?: number;
  /**
   * A transaction whose client is silent for this long is rolled back, so that a frozen process does not keep its locks. Must be shorter than the
   * time that callers wait. Migrations are exempt. Default 6 000 ms.
   */
  idleInTransactionMs?: number;
  /** How long to keep trying to connect at start. Default 60 000 ms. */
  bootTimeoutMs?: number;
  /** `run` (the default) applies missing migrations at start. `wait` waits for the migration program to do so, for at most `bootTimeoutMs`. */
  migrationsAtStart?: 'run' | 'wait';
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
}

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

export function dataSourceOptions(options: DatabaseOptions): PostgresOptions {
  const statementTimeout = options.statementTimeoutMs ?? 10_000;
  return {
    type: 'postgres',
    // TypeORM would load the driver by name at run time, which does not work in a bundle.
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
    // A lost idle connection needs no report: the pool opens another, and readiness fails if it cannot.
    poolErrorHandler: () => undefined,
    logging: false,
    logger: new QuietTypeOrmLogger(),
    extra: {
      options: '-c TimeZone=UTC',
      keepAlive: true,
      // Idle connections stay open: a new one needs a name lookup, which may fail just when work arrives.
      idleTimeoutMillis: 0,
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 6_000,
      // The client's own limit, for a server that hangs or a network that is cut.
      query_timeout: statementTimeout + 2_000,
    },
  };
}

/** Callers log thrown errors with their requests, so only failed migrations are logged here. */
class QuietTypeOrmLogger implements TypeOrmLogger {
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
