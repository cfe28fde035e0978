import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { accountContract, type AccountSession, DomainError } from '#libs/contracts';
import { transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { personOf } from '../account/person.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { deviceName } from './device-name.js';
import { SessionRepository } from './session.repository.js';

/** The list is for people. A script that signs in again and again may have many more sessions. */
const maxListed = 100;

/** Needs no inbox: ending a session twice changes nothing. */
@Injectable()
export class OwnSessionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionRepository,
    private readonly broadcaster: BroadcastService,
    private readonly clock: Clock,
  ) {}

  /** Most recently used first. */
  @Handles(accountContract.listSessions)
  async list(_: object, { actor }: RequestContext): Promise<AccountSession[]> {
    const { accountId, sessionId } = personOf(actor);
    const sessions = await this.sessions.listLive(accountId, this.clock.now(), maxListed);
    return sessions.map(({ id, userAgent, address, createdAt, lastUsedAt }) => ({
      id,
      device: deviceName(userAgent),
      address,
      signedInAt: createdAt.toISOString(),
      lastSeenAt: lastUsedAt.toISOString(),
      current: id === sessionId,
    }));
  }

  /** `ended` is false if the session had ended or expired before. */
  @Handles(accountContract.endSession)
  async end({ id }: { id: string }, { actor }: RequestContext): Promise<{ ended: boolean }> {
    const { accountId, sessionId } = personOf(actor);
    if (!isUuid(id) || !(await this.sessions.belongsTo(id, accountId))) throw new DomainError('NOT_FOUND');
    const reason = id === sessionId ? 'signed-out' : 'signed-out-elsewhere';
    const ended = await this.sessions.end(id, reason, this.clock.now());
    await this.broadcaster.publishEndedSessions([id]);
    return { ended };
  }

  /** Also ends the caller's own session, with the same reason. */
  @Handles(accountContract.endAllSessions)
  async endAll(_: object, { actor }: RequestContext): Promise<{ ended: number }> {
    const { accountId } = personOf(actor);
    const endedIds = await transaction(this.dataSource, (tx) =>
      this.sessions.endAll(tx, accountId, { reason: 'signed-out-elsewhere', now: this.clock.now() }),
    );
    await this.broadcaster.publishEndedSessions(endedIds);
    return { ended: endedIds.length };
  }
}
