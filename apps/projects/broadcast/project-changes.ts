import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type EntitySubscriberInterface, type QueryRunner } from 'typeorm';
import { broadcasts } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Broadcaster } from '#libs/transport';

/** A project whose thread or read marks have changed, or a person whose role in a team has changed. */
type Hint = { projectId: string } | { accountId: string };

/** Tells gateways which open streams of threads they must refresh. If a hint is lost, gateways find the change some seconds later. */
@Injectable()
export class ProjectChanges {
  private readonly pending = new WeakMap<QueryRunner, Map<string, Hint>>();

  constructor(
    dataSource: DataSource,
    private readonly broadcaster: Broadcaster,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const subscriber: EntitySubscriberInterface = {
      afterTransactionCommit: ({ queryRunner }) => {
        // TypeORM also calls this when a savepoint is released inside the open transaction.
        if (queryRunner.isTransactionActive) return;
        const hints = this.pending.get(queryRunner);
        this.pending.delete(queryRunner);
        for (const hint of hints?.values() ?? []) this.publish(hint);
      },
      afterTransactionRollback: ({ queryRunner }) => void this.pending.delete(queryRunner),
    };
    dataSource.subscribers.push(subscriber);
  }

  publishAfterCommit(tx: EntityManager, hint: Hint): void {
    const runner = tx.queryRunner;
    if (!runner?.isTransactionActive)
      throw new Error('A change must be announced in the transaction that makes it');
    const hints = this.pending.get(runner) ?? new Map<string, Hint>();
    this.pending.set(runner, hints.set(JSON.stringify(hint), hint));
  }

  private publish(hint: Hint): void {
    this.broadcaster.publish(broadcasts.projectChanged, hint).catch((error: unknown) => {
      this.logger.warn({ err: error, ...hint }, 'Broadcasting a change of a project or a team failed');
    });
  }
}
