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
import { identityMigrations } from './migrations/index.js';
import { LinkedIdentityEntity } from './account/linked-identity.entity.js';
import { PasskeyEntity } from './passkey/passkey.entity.js';
import { RecoveryCodeEntity } from './second-factor/recovery-code.entity.js';
import { TotpFactorEntity } from './second-factor/totp-factor.entity.js';
import { RefreshTokenEntity } from './session/refresh-token.entity.js';
import { SessionEntity } from './session/session.entity.js';

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
      ...identityMigrations,
      ...recipientLimitsMigrations,
    ],
  };
}
