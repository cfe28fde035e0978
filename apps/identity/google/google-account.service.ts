import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { AccountEntity } from '../account/account.entity.js';
import { AccountService } from '../sign-in/password-sign-in.service.js';
import { normalizeEmail } from '../account/email.js';
import { takeOver } from '../reclaim/take-over.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { Clock } from '../clock.js';
import { VerificationService } from '../verification/verification.service.js';
import type { GoogleClaims } from './google-client.js';

/** Whose account it is, and the sessions that ended because it was taken over. */
export interface Found {
  accountId: string;
  ended: string[];
}

/** Which account belongs to whom Google names. Bound by issuer and subject; the address only finds it the first time. */
@Injectable()
export class GoogleAccountService {
  private readonly logger = new Logger(GoogleAccountService.name);

  constructor(
    private readonly accounts: AccountService,
    private readonly adminUsers: AdminUserService,
    private readonly verification: VerificationService,
    private readonly clock: Clock,
  ) {}

  /**
   * The account of this person, in the caller's transaction: linked before; or joined, taken over or made now. ADDRESS_UNVERIFIED when an
   * account has the address and Google does not vouch for it.
   */
  async accountOf(tx: EntityManager, claims: GoogleClaims): Promise<Found> {
    // Verifying an address may make an admin. Also lets two sign-ins of one new person take turns.
    await this.adminUsers.lock(tx);
    const linked = await this.linkedTo(tx, claims);
    if (linked) return this.signInLinked(tx, linked, claims);

    const created = await this.accounts.create(tx, {
      email: claims.email,
      emailVerified: claims.emailVerified,
    });
    if (created) {
      if (!claims.emailVerified) await this.verification.begin(tx, created, claims.email);
      await this.link(tx, created, claims);
      return { accountId: created, ended: [] };
    }
    const account = await this.lockByAddress(tx, claims.email);
    if (!claims.emailVerified) throw new DomainError('ADDRESS_UNVERIFIED');
    const ended = account.emailVerified ? [] : await this.giveToOwner(tx, account.id);
    await this.link(tx, account.id, claims);
    return { accountId: account.id, ended };
  }

  /** Whether this person is linked to the account. */
  async isLinked(
    tx: EntityManager,
    accountId: string,
    { issuer, subject }: Pick<GoogleClaims, 'issuer' | 'subject'>,
  ): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `SELECT 1 FROM linked_identities WHERE account_id = $1 AND issuer = $2 AND subject = $3`,
      [accountId, issuer, subject],
    );
    return rows.length > 0;
  }

  private async linkedTo(
    tx: EntityManager,
    { issuer, subject }: GoogleClaims,
  ): Promise<AccountEntity | undefined> {
    const [[link]] = await tx.query<[{ account_id: string }[], number]>(
      `UPDATE linked_identities SET last_used_at = $3 WHERE issuer = $1 AND subject = $2 RETURNING account_id`,
      [issuer, subject, this.clock.now()],
    );
    return link && this.lockAccount(tx, { id: link.account_id });
  }

  /** An address that Google has come to vouch for since is proved now, and with it whose the account is. */
  private async signInLinked(
    tx: EntityManager,
    account: AccountEntity,
    claims: GoogleClaims,
  ): Promise<Found> {
    const proves =
      claims.emailVerified &&
      !account.emailVerified &&
      normalizeEmail(claims.email) === account.emailNormalized;
    if (!proves) return { accountId: account.id, ended: [] };
    const ended = await this.giveToOwner(tx, account.id);
    await this.link(tx, account.id, claims);
    return { accountId: account.id, ended };
  }

  private async giveToOwner(tx: EntityManager, accountId: string): Promise<string[]> {
    this.logger.warn(`Account ${accountId} is taken over by its address's owner`);
    const ended = await takeOver(tx, accountId, this.clock.now());
    await tx.update(AccountEntity, accountId, { emailVerified: true });
    return ended;
  }

  private async link(tx: EntityManager, accountId: string, claims: GoogleClaims): Promise<void> {
    const now = this.clock.now();
    await tx.query(
      `INSERT INTO linked_identities (id, account_id, issuer, subject, created_at, last_used_at)
       VALUES ($1, $2, $3, $4, $5, $5)`,
      [uuidv7(), accountId, claims.issuer, claims.subject, now],
    );
    if (claims.name !== null) {
      await tx.query(`UPDATE accounts SET name = $2 WHERE id = $1 AND name IS NULL`, [
        accountId,
        claims.name,
      ]);
    }
  }

  private lockByAddress(tx: EntityManager, email: string): Promise<AccountEntity> {
    return this.lockAccount(tx, { emailNormalized: normalizeEmail(email) });
  }

  private lockAccount(
    tx: EntityManager,
    where: { id: string } | { emailNormalized: string },
  ): Promise<AccountEntity> {
    return tx.findOneOrFail(AccountEntity, { where, lock: { mode: 'pessimistic_write' } });
  }
}
