import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { messagesUnread } from '#libs/contracts';
import { Outbox, transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { type UnreadCheck, UnreadCheckRepository, unreadMs } from '../entry/unread-check.repository.js';

/**
 * Once a reader has left a message unread for five minutes, publishes one event about all unread messages of the project about which this reader was
 * not mailed yet.
 */
@Injectable()
export class UnreadMessageWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly checks: UnreadCheckRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Replicas share the checks that are due. */
  async run(): Promise<void> {
    while (await transaction(this.dataSource, (tx) => this.checkNext(tx)));
  }

  private async checkNext(tx: EntityManager): Promise<boolean> {
    const now = this.clock.now();
    const check = await this.checks.lockDue(tx, now);
    if (!check) return false;
    let { adminsMailedSeq } = check;
    let nextDueAt: Date | null = null;
    for (const { accountId, afterSeq, upToSeq, since } of await this.checks.listUnread(tx, check)) {
      const dueAt = new Date(since.getTime() + unreadMs);
      if (dueAt > now) {
        // The check was due for an older message. This reader’s unread messages are newer.
        if (nextDueAt === null || dueAt < nextDueAt) nextDueAt = dueAt;
        continue;
      }
      await this.announce(tx, check, { accountId, afterSeq, upToSeq });
      // Null if nobody is assigned, so that all admins are mailed.
      if (accountId === null) adminsMailedSeq = upToSeq;
      else await this.checks.markMailed(tx, check, accountId, upToSeq);
    }
    await this.checks.finish(tx, { ...check, adminsMailedSeq }, nextDueAt);
    return true;
  }

  private async announce(
    tx: EntityManager,
    { projectId, side }: UnreadCheck,
    unread: { accountId: string | null; afterSeq: number; upToSeq: number },
  ): Promise<void> {
    await this.outbox.append(tx, messagesUnread, { projectId, side, ...unread });
  }
}
