import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type Account, broadcasts, type Client, DomainError, type SignedIn } from '#libs/contracts';
import { mailboxOf, type MailLimit, RecipientLimits, transaction, uuidv7 } from '#libs/database';
import { deviceName } from '../device/device-name.js';
import { KnownDeviceService } from '../device/known-device.service.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { accountColumns, type AccountRow, accountView } from '../account/account-view.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { Clock, secondsAfter } from '../clock.js';
import { AccessTokenService } from './access-token.service.js';
import { FRESH_SIGN_IN_SECONDS } from './fresh-sign-in.js';
import { RefreshTokenEntity } from './refresh-token.entity.js';
import { SessionEntity } from './session.entity.js';

const DAY = 24 * 60 * 60;
/** Whoever knows the password can sign in from a made-up device for every request. */
const NEW_SIGN_IN_LIMITS: readonly MailLimit[] = [{ of: 'this kind', count: 10, seconds: DAY }];
/** A session ends when it was not used for this long. */
const IDLE_SECONDS = 30 * DAY;
/** However much it is used, a session ends this long after its sign-in. */
const ABSOLUTE_SECONDS = 90 * DAY;
/** Nest's token for the seconds that a rotated token is still honoured: two tabs, or a request delivered twice, held the same one. */
export const REFRESH_GRACE_SECONDS = Symbol('refresh grace in seconds');

/** A sign-in or refresh that is committed; `SessionService.signedIn` makes the answer from it. */
export interface Grant {
  account: Account;
  sessionId: string;
  sessionExpiresAt: Date;
  /** In clear, and nowhere else: the database has its hash. */
  refreshToken: string;
}

export interface Holder {
  account: Account;
  /** Until then they count as having just signed in. */
  freshUntil: Date;
}

/** Sessions and the refresh tokens that keep them going. One sign-in is one session is one token family. */
@Injectable()
export class SessionService {
  private readonly logger = new Logger(SessionService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accessTokens: AccessTokenService,
    private readonly announcer: BroadcastService,
    private readonly clock: Clock,
    private readonly devices: KnownDeviceService,
    private readonly mail: AccountMailService,
    private readonly limits: RecipientLimits,
    @Inject(REFRESH_GRACE_SECONDS) private readonly graceSeconds: number,
    @Inject(FRESH_SIGN_IN_SECONDS) private readonly freshSeconds: number,
  ) {}

  /** Starts a session in the caller's transaction. The owner is told of a device that is new to the account. */
  async open(tx: EntityManager, accountId: string, client: Client): Promise<Grant> {
    const now = this.clock.now();
    const id = uuidv7();
    await tx.insert(SessionEntity, {
      id,
      accountId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: secondsAfter(now, IDLE_SECONDS),
      userAgent: client.userAgent,
      address: client.address,
      authenticatedAt: now,
      endedAt: null,
      endReason: null,
    });
    const isNewDevice = await this.devices.note(tx, accountId, client);
    const grant = await this.grant(tx, id);
    if (isNewDevice && grant.account.emailVerified) {
      const device = deviceName(client.userAgent);
      const params = { device, when: now.toISOString(), place: client.address };
      const mailbox = { subject: mailboxOf(grant.account.email), limits: NEW_SIGN_IN_LIMITS };
      const waitSeconds = await this.limits.count(tx, 'new-sign-in', [mailbox], now);
      if (waitSeconds === 0) await this.mail.tell(tx, grant.account, 'newSignIn', params);
    }
    return grant;
  }

  /**
   * A further refresh token for a living session, in the caller's transaction: also what answers a repeated
   * request, since the first answer's token is not kept. Throws SESSION_ENDED.
   */
  async grant(tx: EntityManager, sessionId: string): Promise<Grant> {
    const [session] = await tx.query<(AccountRow & { expires_at: Date })[]>(
      `SELECT s.expires_at, ${accountColumns} FROM sessions s JOIN accounts a ON a.id = s.account_id
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > $2`,
      [sessionId, this.clock.now()],
    );
    if (!session) throw new DomainError('SESSION_ENDED');
    const refreshToken = randomBytes(32).toString('base64url');
    await tx.insert(RefreshTokenEntity, {
      tokenHash: hashOf(refreshToken),
      sessionId,
      expiresAt: session.expires_at,
      rotatedAt: null,
    });
    return {
      account: accountView(session),
      sessionId,
      sessionExpiresAt: session.expires_at,
      refreshToken,
    };
  }

  /** The answer to a sign-in or refresh, after its transaction: signing needs no connection of the pool. */
  async signedIn(grant: Grant): Promise<SignedIn> {
    const access = await this.accessTokens.issue(grant.account.id, {
      id: grant.sessionId,
      expiresAt: grant.sessionExpiresAt,
    });
    return {
      account: grant.account,
      sessionId: grant.sessionId,
      accessToken: access.token,
      accessTokenExpiresAt: access.expiresAt.toISOString(),
      refreshToken: grant.refreshToken,
      refreshTokenExpiresAt: grant.sessionExpiresAt.toISOString(),
    };
  }

  /**
   * Rotates a refresh token. Needs no inbox: a second delivery falls into the grace period and is answered like
   * the second of two tabs. Throws SESSION_ENDED.
   */
  async refresh(refreshToken: string, client: Client): Promise<SignedIn> {
    const tokenHash = hashOf(refreshToken);
    const outcome = await transaction(this.dataSource, (tx) => this.rotate(tx, tokenHash, client));
    if ('grant' in outcome) return this.signedIn(outcome.grant);
    if (outcome.reusedIn) {
      this.logger.warn(`A rotated refresh token was used again; session ${outcome.reusedIn} ends`);
      await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: [outcome.reusedIn] });
    }
    throw new DomainError('SESSION_ENDED');
  }

  /** Ends the session of this id, of this refresh token, or both. Returns whether one ended now. */
  async end(target: { refreshToken?: string; sessionId?: string }): Promise<boolean> {
    const ended = await this.dataSource
      .createQueryBuilder()
      .update(SessionEntity)
      .set({ endedAt: this.clock.now(), endReason: 'signed-out' })
      .where('ended_at IS NULL')
      .andWhere(`(id = :id OR id = (SELECT session_id FROM refresh_tokens WHERE token_hash = :tokenHash))`, {
        id: target.sessionId && isUuid(target.sessionId) ? target.sessionId : null,
        tokenHash: target.refreshToken ? hashOf(target.refreshToken) : null,
      })
      .returning('id')
      .execute();
    const sessionIds = (ended.raw as { id: string }[]).map(({ id }) => id);
    if (sessionIds.length > 0) await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds });
    return sessionIds.length > 0;
  }

  /** Who holds this session, with the role of this moment; null once it has ended. */
  async holder(sessionId: string): Promise<Holder | null> {
    if (!isUuid(sessionId)) return null;
    const [row] = await this.dataSource.query<(AccountRow & { authenticated_at: Date })[]>(
      `SELECT s.authenticated_at, ${accountColumns} FROM sessions s JOIN accounts a ON a.id = s.account_id
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > $2`,
      [sessionId, this.clock.now()],
    );
    if (!row) return null;
    return {
      account: accountView(row),
      freshUntil: secondsAfter(row.authenticated_at, this.freshSeconds),
    };
  }

  /**
   * Counts the session as just signed in, if `proves` says that it is its person who proved it. SESSION_ENDED, SIGN_IN_REFUSED.
   */
  async confirm(
    sessionId: string,
    proves: (tx: EntityManager, accountId: string) => Promise<boolean>,
  ): Promise<void> {
    const now = this.clock.now();
    await transaction(this.dataSource, async (tx) => {
      const [session] = await tx.query<{ account_id: string }[]>(
        `SELECT account_id FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > $2 FOR UPDATE`,
        [sessionId, now],
      );
      if (!session) throw new DomainError('SESSION_ENDED');
      if (!(await proves(tx, session.account_id))) throw new DomainError('SIGN_IN_REFUSED');
      await tx.update(SessionEntity, sessionId, { authenticatedAt: now });
    });
    // A gateway that remembers the session as stale would ask once more.
    await this.announcer.tell(broadcasts.sessionsEnded, { sessionIds: [sessionId] });
  }

  /** The session's row is the lock: requests with tokens of one family take turns. */
  private async rotate(
    tx: EntityManager,
    tokenHash: Buffer,
    client: Client,
  ): Promise<{ grant: Grant } | { reusedIn?: string }> {
    const now = this.clock.now();
    const session = await tx
      .createQueryBuilder(SessionEntity, 'session')
      .where('session.id = (SELECT session_id FROM refresh_tokens WHERE token_hash = :tokenHash)', {
        tokenHash,
      })
      .setLock('pessimistic_write')
      .getOne();
    const token = await tx.findOneBy(RefreshTokenEntity, { tokenHash });
    if (!session || session.endedAt || session.expiresAt <= now) return {};
    if (!token || token.expiresAt <= now) return {};

    if (token.rotatedAt && token.rotatedAt <= secondsAfter(now, -this.graceSeconds)) {
      await tx.update(SessionEntity, session.id, { endedAt: now, endReason: 'token-reused' });
      return { reusedIn: session.id };
    }
    if (!token.rotatedAt) {
      // All of them: of two tabs that refreshed at once each got a token, and the family keeps using one.
      // A thief who was the other 'tab' is noticed at the next rotation.
      await tx
        .createQueryBuilder()
        .update(RefreshTokenEntity)
        .set({ rotatedAt: now })
        .where('session_id = :id AND rotated_at IS NULL', { id: session.id })
        .execute();
    }
    const lastEnd = secondsAfter(session.createdAt, ABSOLUTE_SECONDS);
    const idleEnd = secondsAfter(now, IDLE_SECONDS);
    await tx.update(SessionEntity, session.id, {
      lastUsedAt: now,
      expiresAt: idleEnd < lastEnd ? idleEnd : lastEnd,
      userAgent: client.userAgent,
      address: client.address,
    });
    return { grant: await this.grant(tx, session.id) };
  }
}

function hashOf(refreshToken: string): Buffer {
  return createHash('sha256').update(refreshToken).digest();
}
