import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { messagesUnread } from '#libs/contracts';
import { Outbox, transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { type UnreadCheck, UnreadCheckRepository, unreadMs } from '../entry/unread-check.repository.js';

/** Finds messages that somebody has not read for five minutes, and publishes an event, once for each reader and batch. */
@Injectable()
export class UnreadMessageWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly checks: UnreadCheckRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Makes all checks that are due. Replicas share them. */
  async run(): Promise<void> {
    while (await transaction(this.dataSource, (tx) => this.checkNext(tx)));
  }

  /** Returns whether one was due. */
  private async checkNext(tx: EntityManager): Promise<boolean> {
    const now = this.clock.now();
    const check = await this.checks.lockDue(tx, now);
    if (!check) return false;
    const finished = { ...check };
    let next: Date | null = null;
    for (const { accountId, afterSeq, upToSeq, since } of await this.checks.unread(tx, check)) {
      const dueAt = new Date(since.getTime() + unreadMs);
      if (dueAt > now) {
        // This reader has read the messages for which the check was due, and the next ones are not old enough yet.
        if (next === null || dueAt < next) next = dueAt;
        continue;
      }
      await this.announce(tx, check, { accountId, afterSeq, upToSeq });
      if (accountId === null) finished.adminsMailedSeq = upToSeq;
      else await this.checks.markMailed(tx, check, accountId, upToSeq);
    }
    await this.checks.finish(tx, finished, next);
    return true;
  }

  private async announce(
    tx: EntityManager,
    { projectId, side }: UnreadCheck,
    batch: { accountId: string | null; afterSeq: number; upToSeq: number },
  ): Promise<void> {
    await this.outbox.append(tx, messagesUnread, { projectId, side, ...batch });
  }
}
