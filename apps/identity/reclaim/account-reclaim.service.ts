import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountRepository } from '../account/account.repository.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { AccountDeviceRepository } from '../session/account-device.repository.js';
import { MailedLinkService } from '../link/mailed-link.service.js';
import { LinkedIdentityRepository } from '../account/linked-identity.repository.js';
import { SecondFactorRepository } from '../second-factor/second-factor.repository.js';
import { SessionService } from '../session/session.service.js';

/** Gives an account to the owner of its address, when somebody else may have registered it. */
@Injectable()
export class AccountReclaimService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly credentials: CredentialRepository,
    private readonly secondFactors: SecondFactorRepository,
    private readonly identities: LinkedIdentityRepository,
    private readonly links: MailedLinkService,
    private readonly devices: AccountDeviceRepository,
    private readonly sessions: SessionService,
  ) {}

  /**
   * Call it only for an account with an unverified address, when somebody has proved that they own the address, or when the address is `ADMIN_EMAIL`.
   * Marks the address as verified, removes the name and every way to sign in, revokes mailed links and forgets devices. The caller then sets the
   * owner's password or links their Google identity. Returns the ids of the ended sessions, to be broadcast after the commit.
   */
  async reclaim(tx: EntityManager, accountId: string): Promise<string[]> {
    await this.accounts.markReclaimed(tx, accountId);
    await this.credentials.delete(tx, accountId);
    await this.secondFactors.deleteAll(tx, accountId);
    await this.identities.deleteAll(tx, accountId);
    await this.links.revokeAll(tx, accountId);
    await this.devices.deleteAll(tx, accountId);
    return this.sessions.endAll(tx, accountId, 'account-taken-over');
  }
}
