import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';
import { AccountLinkEntity, type LinkPurpose } from './account-link.entity.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** What a link is for: how long it works, and which page takes it. */
const kinds: Record<LinkPurpose, { lifetimeSeconds: number; page: string; perLifetime: number }> = {
  'verify-email': { lifetimeSeconds: DAY, page: '/verify-email', perLifetime: 5 },
  'reset-password': { lifetimeSeconds: HOUR, page: '/reset', perLifetime: 3 },
  'change-email': { lifetimeSeconds: DAY, page: '/verify-email', perLifetime: 5 },
};

/** Between two mails of one kind. */
const PAUSE_SECONDS = 60;
/** Of all kinds together, to an address that nobody has proved yet: it may be a stranger's. */
const UNPROVED_PER_DAY = 5;
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

/**
 * Links that work once and for a while. The mail is the only place where the token stands in clear. Whoever issues one holds the account's row
 * locked, so that the counts are right.
 */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly clock: Clock,
    private readonly site: SiteUrl,
  ) {}

  /**
   * Seconds until another mail of this kind may go out; 0 when it may now. As many as there are, they all work until they expire: who
   * asks for them in another's name fills a mailbox with three mails an hour, and keeps nobody from getting in.
   */
  async waitFor(
    tx: EntityManager,
    purpose: LinkPurpose,
    account: { id: string; emailVerified: boolean },
  ): Promise<number> {
    const now = this.clock.now();
    const links = await tx.query<{ purpose: LinkPurpose; created_at: Date }[]>(
      `SELECT purpose, created_at FROM account_links WHERE account_id = $1 AND created_at > $2
       ORDER BY created_at DESC`,
      [account.id, secondsAfter(now, -DAY)],
    );
    const { lifetimeSeconds, perLifetime } = kinds[purpose];
    const alike = links.filter((link) => link.purpose === purpose);
    /** The moment at which the one that is now the `count`th newest will be older than `seconds`. */
    const free = (among: typeof links, count: number, seconds: number) =>
      among[count - 1] ? among[count - 1]!.created_at.getTime() / 1000 + seconds : 0;
    const next = Math.max(
      free(alike, 1, PAUSE_SECONDS),
      free(alike, perLifetime, lifetimeSeconds),
      account.emailVerified ? 0 : free(links, UNPROVED_PER_DAY, DAY),
    );
    return Math.max(0, Math.ceil(next - now.getTime() / 1000));
  }

  /** A new link, in the caller's transaction. */
  async issue(
    tx: EntityManager,
    { accountId, purpose, email }: Pick<AccountLinkEntity, 'accountId' | 'purpose' | 'email'>,
  ): Promise<IssuedLink> {
    const now = this.clock.now();
    const { lifetimeSeconds, page } = kinds[purpose];
    const token = randomBytes(32).toString('base64url');
    const expiresAt = secondsAfter(now, lifetimeSeconds);
    await tx.insert(AccountLinkEntity, {
      tokenHash: hashOf(token),
      accountId,
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

  /** None of these works any more. They stay, since they count. */
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
