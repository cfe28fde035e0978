import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { mailboxOf, type MailLimit, RecipientLimits } from '#libs/database';
import { Clock, secondsAfter } from '../clock.js';
import { AccountLinkEntity, type LinkPurpose } from './account-link.entity.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** What a link is for: how long it works, which page takes it, and how many may be mailed in that time. */
const kinds: Record<LinkPurpose, { lifetimeSeconds: number; page: string; perLifetime: number }> = {
  'verify-email': { lifetimeSeconds: DAY, page: '/verify-email', perLifetime: 5 },
  'reset-password': { lifetimeSeconds: HOUR, page: '/reset', perLifetime: 3 },
  'change-email': { lifetimeSeconds: DAY, page: '/verify-email', perLifetime: 3 },
};

/** Between two mails of one kind that somebody asks for. */
const PAUSE_SECONDS = 60;
/** Of all kinds together, to an address that its account has not confirmed: it may be a stranger's. */
const UNCONFIRMED_PER_DAY = 5;
/** How long links are remembered; none lives longer. */
export const KEEP_LINKS_SECONDS = DAY;

export interface IssuedLink {
  /** With the token in its fragment, which no browser sends to a server or names as a referrer. */
  link: string;
  expiresAt: string;
}

/** The site's address, for links in mails: `PUBLIC_URL`. */
export class SiteUrl {
  constructor(readonly url: string) {}
}

/** Whom a link is for. */
interface LinkRequest {
  account: { id: string; email: string; emailVerified: boolean };
  purpose: LinkPurpose;
  /** The account's address, or the one that it is to have. */
  email: string;
}

/** Links that work once and for a while. The mail is the only place where the token stands in clear. */
@Injectable()
export class AccountLinkService {
  constructor(
    private readonly clock: Clock,
    private readonly site: SiteUrl,
    private readonly limits: RecipientLimits,
  ) {}

  /** A new link, in the caller's transaction, which mails it. Throws RATE_LIMITED while its mailbox or its account has had too many mails. */
  async issue(tx: EntityManager, request: LinkRequest): Promise<IssuedLink> {
    const issued = await this.issueIfPermitted(tx, request);
    if ('link' in issued) return issued;
    throw new DomainError('RATE_LIMITED', issued);
  }

  /**
   * The same, without a failure. All links that were mailed work until they expire: whoever asks for them in another person's name sends a few
   * mails, and keeps nobody from getting in. `pause`: whether two of a kind need a minute between them.
   */
  async issueIfPermitted(
    tx: EntityManager,
    { account, purpose, email }: LinkRequest,
    { pause = true } = {},
  ): Promise<IssuedLink | { retryAfterSeconds: number }> {
    const now = this.clock.now();
    const { lifetimeSeconds, page, perLifetime } = kinds[purpose];
    const limitsOf = (isConfirmed: boolean): MailLimit[] => [
      ...(pause ? [{ of: 'this kind', count: 1, seconds: PAUSE_SECONDS } as const] : []),
      { of: 'this kind', count: perLifetime, seconds: lifetimeSeconds },
      ...(isConfirmed ? [] : [{ of: 'all kinds', count: UNCONFIRMED_PER_DAY, seconds: DAY } as const]),
    ];
    const isConfirmed = account.emailVerified && email === account.email;
    const retryAfterSeconds = await this.limits.count(
      tx,
      purpose,
      [
        { subject: mailboxOf(email), limits: limitsOf(isConfirmed) },
        { subject: `account ${account.id}`, limits: limitsOf(account.emailVerified) },
      ],
      now,
    );
    if (retryAfterSeconds > 0) return { retryAfterSeconds };
    const token = randomBytes(32).toString('base64url');
    const expiresAt = secondsAfter(now, lifetimeSeconds);
    await tx.insert(AccountLinkEntity, {
      tokenHash: hashOf(token),
      accountId: account.id,
      purpose,
      email,
      createdAt: now,
      expiresAt,
      usedAt: null,
    });
    return { link: `${this.site.url}${page}#token=${token}`, expiresAt: expiresAt.toISOString() };
  }

  /** The link of this token, locked until the caller's transaction ends; used ones too. Throws LINK_EXPIRED. */
  async find(tx: EntityManager, token: string, purposes: readonly LinkPurpose[]): Promise<AccountLinkEntity> {
    const link = await tx.findOne(AccountLinkEntity, {
      where: { tokenHash: hashOf(token) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!link || !purposes.includes(link.purpose) || link.expiresAt <= this.clock.now()) throw linkExpired();
    return link;
  }

  /** It works no more. */
  async use(tx: EntityManager, link: AccountLinkEntity): Promise<void> {
    await tx.update(AccountLinkEntity, { tokenHash: link.tokenHash }, { usedAt: this.clock.now() });
  }

  /** None of these works any more. */
  async revoke(tx: EntityManager, accountId: string, purposes: readonly LinkPurpose[]): Promise<void> {
    await tx.query(
      `UPDATE account_links SET used_at = $3 WHERE account_id = $1 AND purpose = ANY ($2) AND used_at IS NULL`,
      [accountId, purposes, this.clock.now()],
    );
  }
}

export function linkExpired(): DomainError {
  const { message } = new DomainError('LINK_EXPIRED');
  return new DomainError('LINK_EXPIRED', { fields: [{ field: 'token', message }] });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
