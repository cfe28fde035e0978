import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { mailboxOf, type MailLimit, newToken, RecipientLimits, sha256 } from '#libs/database';
import { Clock, addSeconds } from '#libs/runtime';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { fieldError } from '../core/field-error.js';
import type { MailedLinkEntity, LinkPurpose } from './mailed-link.entity.js';
import { MailedLinkRepository } from './mailed-link.repository.js';

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/** `path`: of the screen that the link opens. `maxPerLifetime`: how many links may be mailed within the lifetime of one. */
const rulesByPurpose: Record<LinkPurpose, { lifetimeSeconds: number; path: string; maxPerLifetime: number }> =
  {
    'verify-email': { lifetimeSeconds: daySeconds, path: '/verify-email', maxPerLifetime: 5 },
    'reset-password': { lifetimeSeconds: hourSeconds, path: '/reset', maxPerLifetime: 3 },
    'change-email': { lifetimeSeconds: daySeconds, path: '/verify-email', maxPerLifetime: 3 },
  };

/** Between two mails of one kind. */
const pauseSeconds = 60;
/** Limits the mails of all kinds to an unverified address, which may be somebody else's, and those that an account with such an address causes. */
const maxUnverifiedPerDay = 5;
/** `RetentionWorker` deletes links that are older. No link works for longer. */
export const keepLinksSeconds = daySeconds;

export interface IssuedLink {
  /** The token is in the fragment, which browsers send to no server and leave out of referrers. */
  link: string;
  expiresAt: string;
}

interface LinkRequest {
  account: { id: string; email: string; emailVerified: boolean };
  purpose: LinkPurpose;
  /** The account's address, or the one that it is to change to. */
  email: string;
}

/**
 * The caller of `lock` decides whether a used link works again. Only a hash of the token is stored here. The outbox keeps the token for 15 minutes
 * after sending the request for the mail, in case Redis restarts empty.
 */
@Injectable()
export class MailedLinkService {
  constructor(
    private readonly links: MailedLinkRepository,
    private readonly limits: RecipientLimits,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** The caller mails the link. Throws RATE_LIMITED if the mailbox or the account has had too many mails. */
  async issue(tx: EntityManager, request: LinkRequest): Promise<IssuedLink> {
    const issued = await this.issueIfPermitted(tx, request);
    if ('link' in issued) return issued;
    throw new DomainError('RATE_LIMITED', issued);
  }

  /**
   * Like `issue`, but returns how long to wait instead of throwing. Earlier links stay valid: otherwise somebody else could keep the owner out by
   * asking for links again and again. `withPause`: whether two mails of a kind need a minute between them.
   */
  async issueIfPermitted(
    tx: EntityManager,
    { account, purpose, email }: LinkRequest,
    { withPause = true } = {},
  ): Promise<IssuedLink | { retryAfterSeconds: number }> {
    const now = this.clock.now();
    const { lifetimeSeconds, path, maxPerLifetime } = rulesByPurpose[purpose];
    const limitsOf = (isVerified: boolean): MailLimit[] => [
      ...(withPause ? [{ of: 'this kind', count: 1, seconds: pauseSeconds } as const] : []),
      { of: 'this kind', count: maxPerLifetime, seconds: lifetimeSeconds },
      ...(isVerified ? [] : [{ of: 'all kinds', count: maxUnverifiedPerDay, seconds: daySeconds } as const]),
    ];
    const isVerified = account.emailVerified && email === account.email;
    const retryAfterSeconds = await this.limits.countMail(
      tx,
      purpose,
      [
        { key: mailboxOf(email), limits: limitsOf(isVerified) },
        { key: `account ${account.id}`, limits: limitsOf(account.emailVerified) },
      ],
      now,
    );
    if (retryAfterSeconds > 0) return { retryAfterSeconds };
    const token = newToken();
    const expiresAt = addSeconds(now, lifetimeSeconds);
    await this.links.insert(tx, {
      tokenHash: sha256(token),
      accountId: account.id,
      purpose,
      email,
      createdAt: now,
      expiresAt,
      usedAt: null,
    });
    return { link: `${this.config.PUBLIC_URL}${path}#token=${token}`, expiresAt: expiresAt.toISOString() };
  }

  /** Finds the link, used or not, and locks it until the transaction ends. Throws LINK_EXPIRED, also for an unknown token or another purpose. */
  async lock(tx: EntityManager, token: string, purposes: readonly LinkPurpose[]): Promise<MailedLinkEntity> {
    const link = await this.links.lock(tx, sha256(token));
    if (!link || !purposes.includes(link.purpose) || link.expiresAt <= this.clock.now()) throw linkExpired();
    return link;
  }

  async markUsed(tx: EntityManager, link: MailedLinkEntity): Promise<void> {
    await this.links.markUsed(tx, link, this.clock.now());
  }

  async revoke(tx: EntityManager, accountId: string, purposes: readonly LinkPurpose[]): Promise<void> {
    await this.links.revoke(tx, accountId, purposes, this.clock.now());
  }

  async revokeAll(tx: EntityManager, accountId: string): Promise<void> {
    await this.revoke(tx, accountId, Object.keys(rulesByPurpose) as LinkPurpose[]);
  }
}

export const linkExpired = () => fieldError('LINK_EXPIRED', 'token');
