import {
  auditMigrations,
  type DatabaseOptions,
  outboxAndInboxMigrations,
  recipientLimitsMigrations,
} from '#libs/database';
import { AccountEntity } from './account/account.entity.js';
import { AdminUserHistoryEntity } from './admin-user/admin-user-history.entity.js';
import { AdminUserEntity } from './admin-user/admin-user.entity.js';
import { CredentialEntity } from './credential/credential.entity.js';
import { SigningKeyEntity } from './key/signing-key.entity.js';
import { MailedLinkEntity } from './link/mailed-link.entity.js';
import { Identity1763600100000 } from './migrations/1763600100000-identity.js';
import { AccountLinks1765000100000 } from './migrations/1765000100000-account-links.js';
import { Google1765000200000 } from './migrations/1765000200000-google.js';
import { SecondFactors1765000210000 } from './migrations/1765000210000-second-factors.js';
import { RestoredAdmins1767000100000 } from './migrations/1767000100000-restored-admins.js';
import { AdminInvitations1769100100000 } from './migrations/1769100100000-admin-invitations.js';
import { MutedNotifications1769100000000 } from './migrations/1769100000000-muted-notifications.js';
import { SessionsOfAccount1769100200000 } from './migrations/1769100200000-sessions-of-account.js';
import { RecoveryCodeCost1769100300000 } from './migrations/1769100300000-recovery-code-cost.js';
import { OneComingKey1765000130000 } from './migrations/1765000130000-one-coming-key.js';
import { LinkedIdentityEntity } from './account/linked-identity.entity.js';
import { PasskeyEntity } from './passkey/passkey.entity.js';
import { RecoveryCodeEntity } from './second-factor/recovery-code.entity.js';
import { TotpFactorEntity } from './second-factor/totp-factor.entity.js';
import { RefreshTokenEntity } from './session/refresh-token.entity.js';
import { SessionEntity } from './session/session.entity.js';

/** The entities and migrations of the identity database. */
export function identityDatabase(url: string, poolSize?: number): DatabaseOptions {
  return {
    url,
    poolSize,
    applicationName: 'identity',
    entities: [
      AccountEntity,
      MailedLinkEntity,
      AdminUserEntity,
      AdminUserHistoryEntity,
      CredentialEntity,
      LinkedIdentityEntity,
      PasskeyEntity,
      RecoveryCodeEntity,
      RefreshTokenEntity,
      SessionEntity,
      SigningKeyEntity,
      TotpFactorEntity,
    ],
    migrations: [
      ...outboxAndInboxMigrations,
      ...auditMigrations,
      Identity1763600100000,
      AccountLinks1765000100000,
      OneComingKey1765000130000,
      Google1765000200000,
      SecondFactors1765000210000,
      RestoredAdmins1767000100000,
      MutedNotifications1769100000000,
      AdminInvitations1769100100000,
      SessionsOfAccount1769100200000,
      RecoveryCodeCost1769100300000,
      ...recipientLimitsMigrations,
    ],
  };
}
