import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from './audit-trail.js';
import { dataSourceOptions, type DatabaseOptions } from './database.options.js';
import { Inbox } from './inbox.js';
import { ListTotals } from './list-totals.js';
import { openDatabase } from './migrate.js';
import { OneStatement } from './one-statement.js';
import { Outbox } from './outbox.js';
import { RecordLists } from './record-lists.js';

/**
 * A service's database: migrates and connects while Nest starts, and offers `DataSource`, `Outbox`, `Inbox`, `OneStatement`, `AuditTrail`,
 * `ListTotals` and `RecordLists` to inject anywhere. The outbox relay and the sweeper are started by `runService`, which has the connection
 * to Redis.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // `openDatabase` itself waits, and only for temporary failures: Nest's own retry would also retry a wrong password.
          useFactory: () => ({ ...dataSourceOptions(options), toRetry: () => false }),
          dataSourceFactory: () => openDatabase(options),
        }),
      ],
      providers: [AuditTrail, Inbox, ListTotals, OneStatement, Outbox, RecordLists],
      exports: [AuditTrail, Inbox, ListTotals, OneStatement, Outbox, RecordLists],
    };
  }
}
