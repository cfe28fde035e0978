import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock } from '#libs/runtime';
import type { AccountEntity } from '../account/account.entity.js';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { AdminUserService } from '../admin-user/admin-user.service.js';
import { LinkedIdentityRepository } from '../account/linked-identity.repository.js';
import { AccountReclaimService } from '../reclaim/account-reclaim.service.js';
import { VerificationService } from '../verification/verification.service.js';
import type { GoogleClaims } from './google-client.js';

interface FoundAccount {
  accountId: string;
  /** Sessions that ended because the account was reclaimed. */
  endedSessionIds: string[];
  /** The account's address became verified, which may make the person an admin. */
  becameVerified: boolean;
}

/** Finds the account that is linked to a Google identity (issuer and subject). If none is, finds the account with the identity's e-mail address. */
@Injectable()
export class GoogleAccountService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly identities: LinkedIdentityRepository,
    private readonly adminUsers: AdminUserService,
    private readonly verification: VerificationService,
    private readonly reclaims: AccountReclaimService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * If no account is linked to the identity, links, reclaims or creates one. Also reclaims a linked account if Google now vouches for its unverified
   * address. Throws ADDRESS_UNVERIFIED if none is linked, but an account has the address and Google does not vouch for it.
   */
  async findOrCreate(tx: EntityManager, claims: GoogleClaims): Promise<FoundAccount> {
    // Needed because a verified address may make somebody an admin. The lock also makes two sign-ins of one new person take turns.
    await this.adminUsers.lock(tx);
    const linkedAccountId = await this.identities.recordUseAndFindAccountId(tx, claims, this.clock.now());
    if (linkedAccountId !== null) return this.reclaimIfAddressProven(tx, linkedAccountId, claims);

    const { email, emailVerified } = claims;
    const createdId = await this.accounts.createIfMissing(tx, { email, emailVerified });
    if (createdId !== null) {
      if (!emailVerified) await this.verification.sendIfPermitted(tx, createdId, email);
      await this.link(tx, createdId, claims);
      return { accountId: createdId, endedSessionIds: [], becameVerified: emailVerified };
    }
    const account = await this.lock(tx, { emailNormalized: normalizeEmail(email) });
    if (!emailVerified) throw new DomainError('ADDRESS_UNVERIFIED');
    if (!account.emailVerified) return this.reclaim(tx, account.id, claims);
    await this.link(tx, account.id, claims);
    return { accountId: account.id, endedSessionIds: [], becameVerified: false };
  }

  isLinked(tx: EntityManager, accountId: string, claims: GoogleClaims): Promise<boolean> {
    return this.identities.isLinked(tx, accountId, claims);
  }

  /** If Google now vouches for the account's unverified address, every other way to sign in is removed. */
  private async reclaimIfAddressProven(
    tx: EntityManager,
    accountId: string,
    claims: GoogleClaims,
  ): Promise<FoundAccount> {
    const account = await this.lock(tx, { id: accountId });
    const provesAddress =
      claims.emailVerified &&
      !account.emailVerified &&
      normalizeEmail(claims.email) === account.emailNormalized;
    return provesAddress
      ? this.reclaim(tx, accountId, claims)
      : { accountId, endedSessionIds: [], becameVerified: false };
  }

  private async reclaim(tx: EntityManager, accountId: string, claims: GoogleClaims): Promise<FoundAccount> {
    this.logger.warn(
      { accountId },
      'An account is reclaimed by the owner of its address, who signed in with Google',
    );
    const endedSessionIds = await this.reclaims.reclaim(tx, accountId);
    await this.link(tx, accountId, claims);
    return { accountId, endedSessionIds, becameVerified: true };
  }

  private async link(tx: EntityManager, accountId: string, claims: GoogleClaims): Promise<void> {
    await this.identities.insert(tx, accountId, claims, this.clock.now());
    if (claims.name !== null) await this.accounts.setNameIfMissing(tx, accountId, claims.name);
  }

  private async lock(
    tx: EntityManager,
    where: { id: string } | { emailNormalized: string },
  ): Promise<AccountEntity> {
    const account = await this.accounts.lock(tx, where);
    if (!account) throw new Error('The account was deleted during a sign-in with Google.');
    return account;
  }
}
