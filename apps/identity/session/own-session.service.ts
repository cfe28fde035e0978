import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type AccountSession, type Actor, broadcasts, DomainError } from '#libs/contracts';
import { transaction } from '#libs/database';
import { personOf } from '../account/person.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock } from '../clock.js';
import { deviceName } from '../device/device-name.js';
import { endSessionsOf } from './end-sessions.js';
import { SessionEntity } from './session.entity.js';

/** A list is read by a person; whoever signs in by script has more. */
const LISTED_AT_MOST = 100;

/** The sessions of a person as they see and end them. Needs no inbox: what has ended stays ended. */
@Injectable()
export class OwnSessionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
  ) {}

  /** Those that live, the last seen first. */
  async list(actor: Actor): Promise<AccountSession[]> {
    const { accountId, sessionId } = personOf(actor);
    const sessions = await this.dataSource
      .createQueryBuilder(SessionEntity, 'session')
      .where('session.account_id = :accountId AND session.ended_at IS NULL', { accountId })
      .andWhere('session.expires_at > :now', { now: this.clock.now() })
      .orderBy('session.lastUsedAt', 'DESC')
      .addOrderBy('session.id', 'DESC')
      .take(LISTED_AT_MOST)
      .getMany();
    return sessions.map(({ id, userAgent, address, createdAt, lastUsedAt }) => ({
      id,
      device: deviceName(userAgent),
      address,
      signedInAt: createdAt.toISOString(),
      lastSeenAt: lastUsedAt.toISOString(),
      current: id === sessionId,
    }));
  }

  /** Whether it lived until now. Throws NOT_FOUND for a session that is not the person's. */
  async end(id: string, actor: Actor): Promise<{ ended: boolean }> {
    const { accountId, sessionId } = personOf(actor);
    const own = isUuid(id) && (await this.dataSource.manager.existsBy(SessionEntity, { id, accountId }));
    if (!own) throw new DomainError('NOT_FOUND');
    const result = await this.dataSource
      .createQueryBuilder()
      .update(SessionEntity)
      .set({ endedAt: this.clock.now(), endReason: id === sessionId ? 'signed-out' : 'signed-out-elsewhere' })
      .where('id = :id AND ended_at IS NULL', { id })
      .returning('id')
      .execute();
    await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: [id] });
    return { ended: (result.raw as unknown[]).length > 0 };
  }

  /** Every session of the person, this one too; how many lived until now. */
  async endAll(actor: Actor): Promise<{ ended: number }> {
    const { accountId } = personOf(actor);
    const sessionIds = await transaction(this.dataSource, (tx) =>
      endSessionsOf(tx, accountId, 'signed-out-elsewhere', this.clock.now()),
    );
    await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds });
    return { ended: sessionIds.length };
  }
}
