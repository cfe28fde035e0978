import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from './audit-trail.js';
import { dataSourceOptions, type DatabaseOptions } from './database.options.js';
import { Inbox } from './inbox.js';
import { ListTotals } from './list-totals.js';
import { openDatabase } from './migrate.js';
import { OneStatementInbox } from './one-statement-inbox.js';
import { Outbox } from './outbox.js';
import { RecordLists } from './record-lists.js';

/**
 * Migrates, or waits for the migrations, and connects while Nest starts. `runService` starts `RetentionSweeper`, and the outbox relay, which needs a
 * connection to Redis.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // Nest's own retry would also retry a wrong password; `openDatabase` tries again only while Postgres cannot be reached.
          useFactory: () => ({ ...dataSourceOptions(options), toRetry: () => false }),
          dataSourceFactory: () => openDatabase(options),
        }),
      ],
      providers: [AuditTrail, Inbox, ListTotals, OneStatementInbox, Outbox, RecordLists],
      exports: [AuditTrail, Inbox, ListTotals, OneStatementInbox, Outbox, RecordLists],
    };
  }
}
