import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type Account,
  broadcasts,
  type Client,
  DomainError,
  type HandlerInputs,
  identityContract,
  type Output,
  type SignedIn,
} from '#libs/contracts';
import {
  Inbox,
  type InboxKey,
  mailboxOf,
  type MailLimit,
  newToken,
  RecipientLimits,
  sha256,
  transaction,
  uuidv7,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles } from '#libs/transport';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { AccountDeviceRepository } from './account-device.repository.js';
import { deviceName } from './device-name.js';
import { AccessTokenService } from './access-token.service.js';
import type { SessionEndReason } from './session.entity.js';
import { SessionRepository } from './session.repository.js';

const daySeconds = 24 * 60 * 60;
/** Needed because somebody who knows the password can pretend to use another device for every sign-in, and each causes a mail. */
const newSignInMailLimits: readonly MailLimit[] = [{ of: 'this kind', count: 10, seconds: daySeconds }];
/** A session ends after this long without use. */
const idleSeconds = 30 * daySeconds;
/** A session ends this long after its sign-in, however much it is used. */
const absoluteSeconds = 90 * daySeconds;

/** A session with a new refresh token. After the commit, `SessionService.answerFor` makes the answer from it. */
export interface Grant {
  account: Account;
  sessionId: string;
  sessionExpiresAt: Date;
  /** Only its hash is stored. */
  refreshToken: string;
}

type Input = HandlerInputs<typeof identityContract>;

/** One sign-in is one session and one family of refresh tokens. */
@Injectable()
export class SessionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionRepository,
    private readonly accessTokens: AccessTokenService,
    private readonly inbox: Inbox,
    private readonly broadcaster: BroadcastService,
    private readonly devices: AccountDeviceRepository,
    private readonly mail: AccountMailService,
    private readonly limits: RecipientLimits,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Mails the owner of a verified address about a new device, except at the first sign-in or beyond `newSignInMailLimits`. */
  async open(tx: EntityManager, accountId: string, client: Client): Promise<Grant> {
    const now = this.clock.now();
    const id = uuidv7();
    await this.sessions.insert(tx, {
      id,
      accountId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: addSeconds(now, idleSeconds),
      userAgent: client.userAgent,
      address: client.address,
      authenticatedAt: now,
      endedAt: null,
      endReason: null,
    });
    const isNewDevice = await this.devices.remember(tx, accountId, client);
    const grant = await this.issueGrant(tx, id);
    if (isNewDevice) await this.mailNewSignIn(tx, grant.account, client, now);
    return grant;
  }

  /** Issues a new refresh token. A repeated request gets another one, because only the hash of the first is stored. Throws SESSION_ENDED. */
  async issueGrant(tx: EntityManager, sessionId: string): Promise<Grant> {
    const session = await this.sessions.findLive(sessionId, this.clock.now(), tx);
    if (!session) throw new DomainError('SESSION_ENDED');
    const { account, expiresAt } = session;
    const refreshToken = newToken();
    await this.sessions.insertRefreshToken(tx, { tokenHash: sha256(refreshToken), sessionId, expiresAt });
    return { account, sessionId, sessionExpiresAt: expiresAt, refreshToken };
  }

  /** Call it after the transaction, so that no database connection is held while the access token is signed. */
  async answerFor(grant: Grant): Promise<SignedIn> {
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

  /** Needs no inbox: a request that arrives twice falls within `REFRESH_GRACE_SECONDS` and gets another token. */
  @Handles(identityContract.refresh)
  async refresh({ refreshToken, client }: Input['refresh']): Promise<SignedIn> {
    const tokenHash = sha256(refreshToken);
    const outcome = await transaction(this.dataSource, (tx) => this.rotate(tx, tokenHash, client));
    if ('grant' in outcome) return this.answerFor(outcome.grant);
    if (outcome.endedSessionId) {
      this.logger.warn(
        { sessionId: outcome.endedSessionId },
        'A session ended because a rotated refresh token was reused',
      );
      await this.broadcaster.publishEndedSessions([outcome.endedSessionId]);
    }
    throw new DomainError('SESSION_ENDED');
  }

  /** Needs no inbox: ending a session twice changes nothing. */
  @Handles(identityContract.logout)
  async end({ refreshToken, sessionId }: Input['logout']): Promise<{ ended: boolean }> {
    const endedIds = await this.sessions.signOut(
      sessionId && isUuid(sessionId) ? sessionId : null,
      refreshToken ? sha256(refreshToken) : null,
      this.clock.now(),
    );
    await this.broadcaster.publishEndedSessions(endedIds);
    return { ended: endedIds.length > 0 };
  }

  /**
   * Also ends pending sign-ins. Change the credential first, in the same transaction: otherwise, somebody could sign in with the former one after
   * this call. Returns the sessions' ids, to be broadcast after the commit.
   */
  endAll(
    tx: EntityManager,
    accountId: string,
    reason: SessionEndReason,
    exceptId: string | null = null,
  ): Promise<string[]> {
    return this.sessions.endAll(tx, accountId, { reason, now: this.clock.now(), exceptId });
  }

  @Handles(identityContract.session)
  async findAccountOfSession({
    sessionId,
  }: {
    sessionId: string;
  }): Promise<Output<typeof identityContract.session>> {
    const session = isUuid(sessionId) ? await this.sessions.findLive(sessionId, this.clock.now()) : null;
    if (!session) return { account: null, freshUntil: null };
    const freshUntil = addSeconds(session.authenticatedAt, this.config.FRESH_SIGN_IN_SECONDS);
    return { account: session.account, freshUntil: freshUntil.toISOString() };
  }

  isFresh(sessionId: string): Promise<boolean> {
    const since = addSeconds(this.clock.now(), -this.config.FRESH_SIGN_IN_SECONDS);
    return this.sessions.isAuthenticatedSince(sessionId, since);
  }

  /** Makes the session fresh, once per request, and returns what `verify` returned. Throws SESSION_ENDED, and what `verify` throws. */
  async reauthenticate<T>(
    key: InboxKey,
    sessionId: string,
    verify: (tx: EntityManager, accountId: string) => Promise<T>,
  ): Promise<T> {
    const now = this.clock.now();
    const reply = await this.inbox.once(key, async (tx) => {
      const session = await this.sessions.lockLive(tx, sessionId, now);
      if (!session) throw new DomainError('SESSION_ENDED');
      const verified = await verify(tx, session.accountId);
      await this.sessions.markAuthenticated(tx, sessionId, now);
      return verified;
    });
    // The session has not ended: this only makes gateways ask again, and learn that it is fresh.
    await this.broadcaster.publish(broadcasts.sessionsEnded, { sessionIds: [sessionId] });
    return reply;
  }

  /** The session's row is locked, so requests with tokens of one family take turns. */
  private async rotate(
    tx: EntityManager,
    tokenHash: Buffer,
    client: Client,
  ): Promise<{ grant: Grant } | { endedSessionId?: string }> {
    const now = this.clock.now();
    const session = await this.sessions.lockByRefreshToken(tx, tokenHash);
    const token = await this.sessions.findRefreshToken(tx, tokenHash);
    if (!session || session.endedAt || session.expiresAt <= now) return {};
    if (!token || token.expiresAt <= now) return {};

    if (token.rotatedAt && token.rotatedAt <= addSeconds(now, -this.config.REFRESH_GRACE_SECONDS)) {
      await this.sessions.end(session.id, 'token-reused', now, tx);
      return { endedSessionId: session.id };
    }
    // Marks all tokens of the session. Two tabs that refresh at the same time get a token each, of which their shared cookie keeps one. If a thief
    // has the other, the next rotation marks that as well, so that its use is noticed.
    if (!token.rotatedAt) await this.sessions.markTokensRotated(tx, session.id, now);
    const absoluteEnd = addSeconds(session.createdAt, absoluteSeconds);
    const idleEnd = addSeconds(now, idleSeconds);
    await this.sessions.recordUse(tx, session.id, {
      lastUsedAt: now,
      expiresAt: idleEnd < absoluteEnd ? idleEnd : absoluteEnd,
      userAgent: client.userAgent,
      address: client.address,
    });
    return { grant: await this.issueGrant(tx, session.id) };
  }

  private async mailNewSignIn(
    tx: EntityManager,
    account: Account,
    { userAgent, address: ipAddress }: Client,
    now: Date,
  ): Promise<void> {
    if (!account.emailVerified) return;
    const mailbox = { key: mailboxOf(account.email), limits: newSignInMailLimits };
    const waitSeconds = await this.limits.countMail(tx, 'new-sign-in', [mailbox], now);
    if (waitSeconds > 0) return;
    const params = { device: deviceName(userAgent), when: now.toISOString(), place: ipAddress };
    await this.mail.send(tx, account.email, 'newSignIn', params);
  }
}
