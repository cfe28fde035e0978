import { Injectable } from '@nestjs/common';
import {
  accountContract,
  customerContract,
  type CustomerAccount,
  DomainError,
  type Output,
  type SignInMethods,
} from '#libs/contracts';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { personOf } from '../account/person.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { LinkedIdentityRepository } from '../account/linked-identity.repository.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { OwnSessionService } from '../session/own-session.service.js';
import { SessionRepository } from '../session/session.repository.js';

@Injectable()
export class AccountDataService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly credentials: CredentialRepository,
    private readonly identities: LinkedIdentityRepository,
    private readonly factors: SecondFactorService,
    private readonly ownSessions: OwnSessionService,
    private readonly sessions: SessionRepository,
  ) {}

  @Handles(accountContract.getSignInMethods)
  async getSignInMethods(_: object, { actor }: RequestContext): Promise<SignInMethods> {
    return { password: await this.credentials.exists(personOf(actor).accountId) };
  }

  /** Without hashes, keys and secrets. */
  @Handles(accountContract.accountData)
  async getAccountData(
    _: object,
    context: RequestContext,
  ): Promise<Output<typeof accountContract.accountData>> {
    const { accountId } = personOf(context.actor);
    const { account, createdAt } = await this.accounts.getView(accountId);
    const { totp, passkeys, recoveryCodesLeft } = await this.factors.getSecurity(accountId);
    return {
      account: { ...account, registeredAt: createdAt.toISOString() },
      signInMethods: await this.getSignInMethods({}, context),
      linkedIdentities: await this.identities.list(accountId),
      secondFactors: { totp, passkeys, recoveryCodesLeft },
      sessions: await this.ownSessions.list({}, context),
    };
  }

  @Handles(customerContract.getCustomerAccount)
  async getCustomerAccount({ id }: { id: string }): Promise<CustomerAccount> {
    const found = await this.accounts.findView(id);
    if (!found) throw new DomainError('NOT_FOUND');
    const { email, emailVerified, role } = found.account;
    const lastUsedAt = await this.sessions.findLastUse(id);
    return {
      ...{ email, emailVerified, role },
      registeredAt: found.createdAt.toISOString(),
      lastSeenAt: lastUsedAt?.toISOString() ?? null,
    };
  }
}
