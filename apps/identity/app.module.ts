import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, RecipientLimits } from '#libs/database';
import { AccountMail } from './account-mail.js';
import { AccountChangeService } from './account/account-change.service.js';
import { AccountReader } from './account/account-reader.js';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { AdminRequirement } from './admin-user/admin-requirement.js';
import { AdminUserController } from './admin-user/admin-user.controller.js';
import { AdminUserService } from './admin-user/admin-user.service.js';
import { FirstAdmin, FirstAdminConfig } from './admin-user/first-admin.js';
import { Announcer } from './announcer.js';
import { AuditController } from './audit/audit.controller.js';
import { Clock, SystemClock } from './clock.js';
import { hashingOptions, type IdentityConfig } from './config.js';
import { CredentialService } from './credential/credential.service.js';
import { PasswordCheck } from './credential/password-check.js';
import { PasswordHasher } from './credential/password-hasher.js';
import { PasswordPolicy } from './credential/password-policy.js';
import { SITE_NAMES_SETTINGS, SiteNames, type SiteNamesSettings } from './credential/site-names.js';
import { SignInThrottle } from './credential/sign-in-throttle.js';
import { identityDatabase } from './database.js';
import { KnownDevices } from './device/known-devices.js';
import { GoogleController } from './google/google.controller.js';
import { GoogleFlows } from './google/google-flows.js';
import { GoogleProvider, type GoogleSettings } from './google/google-provider.js';
import { GoogleService } from './google/google.service.js';
import { LinkedIdentities } from './google/linked-identities.js';
import { KeyController } from './key/key.controller.js';
import { KeyRotation, RotationConfig } from './key/key-rotation.js';
import { PrivateKeySealer } from './key/private-key-sealer.js';
import { SigningKeyService } from './key/signing-key.service.js';
import { AccountLinks, SiteUrl } from './link/account-links.js';
import { OwnershipService } from './ownership/ownership.js';
import { PasswordRecoveryService } from './recovery/password-recovery.service.js';
import { RecoveryController } from './recovery/recovery.controller.js';
import { RecoveryDesk } from './recovery/recovery-desk.js';
import { AccessTokenService } from './session/access-token.service.js';
import { PasskeyChallenges } from './passkey/passkey-challenges.js';
import { Passkeys, RelyingParty } from './passkey/passkeys.js';
import { CodeThrottle } from './second-factor/code-throttle.js';
import { RecoveryCodes } from './second-factor/recovery-codes.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import { SecondFactors, TOTP_SEALER } from './second-factor/second-factors.js';
import { ConfirmationService } from './session/confirmation.service.js';
import { PendingSignIns } from './session/pending-sign-ins.js';
import { FRESH_SIGN_IN_SECONDS } from './session/fresh-sign-in.js';
import { OwnSessions } from './session/own-sessions.js';
import { SessionSweeper } from './session/session-sweeper.js';
import { SessionController } from './session/session.controller.js';
import { REFRESH_GRACE_SECONDS, SessionService } from './session/session.service.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationService } from './verification/verification.service.js';

@Module({})
export class AppModule {
  /** `clock` is the system's, except in tests that move it. */
  static forRoot(config: IdentityConfig, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          ...identityDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE),
          schema: config.DATABASE_MIGRATIONS,
        }),
      ],
      controllers: [
        ...[AuditController, AccountController, SessionController, KeyController, AdminUserController],
        ...[VerificationController, RecoveryController, GoogleController, SecondFactorController],
      ],
      providers: [
        { provide: Clock, useValue: clock },
        { provide: PasswordHasher, useValue: new PasswordHasher(hashingOptions(config)) },
        { provide: REFRESH_GRACE_SECONDS, useValue: config.REFRESH_GRACE_SECONDS },
        { provide: FRESH_SIGN_IN_SECONDS, useValue: config.FRESH_SIGN_IN_SECONDS },
        { provide: GoogleProvider, useValue: new GoogleProvider(googleSettings(config), clock) },
        GoogleFlows,
        GoogleService,
        LinkedIdentities,
        SiteNames,
        {
          provide: SITE_NAMES_SETTINGS,
          useValue: {
            redisUrl: config.REDIS_URL,
            publicUrl: config.PUBLIC_URL,
          } satisfies SiteNamesSettings,
        },
        {
          provide: PasswordPolicy,
          useFactory: (names: SiteNames) =>
            new PasswordPolicy(config.PASSWORD_MIN_LENGTH, () => names.current()),
          inject: [SiteNames],
        },
        {
          provide: FirstAdminConfig,
          useValue: new FirstAdminConfig(config.ADMIN_EMAIL, config.ADMIN_PASSWORD),
        },
        { provide: PrivateKeySealer, useValue: new PrivateKeySealer(config.KEY_ENCRYPTION_SECRET) },
        {
          provide: AccessTokenService,
          useFactory: (keys: SigningKeyService) => new AccessTokenService(keys, clock, config.PUBLIC_URL),
          inject: [SigningKeyService],
        },
        { provide: SiteUrl, useValue: new SiteUrl(config.PUBLIC_URL) },
        ...[Announcer, AccountMail, AccountLinks, RecipientLimits, KnownDevices],
        ...[AccountService, AccountChangeService, AccountReader, OwnershipService],
        ...[VerificationService, PasswordRecoveryService, RecoveryDesk],
        {
          provide: TOTP_SEALER,
          useValue: new PrivateKeySealer(config.KEY_ENCRYPTION_SECRET, 'authenticator apps'),
        },
        { provide: RelyingParty, useValue: new RelyingParty(config.PUBLIC_URL) },
        ...[SecondFactors, SecondFactorService, RecoveryCodes, CodeThrottle],
        ...[Passkeys, PasskeyChallenges, PendingSignIns, ConfirmationService],
        ...[AdminUserService, AdminRequirement, FirstAdmin],
        ...[CredentialService, PasswordCheck, SignInThrottle],
        ...[SessionService, OwnSessions, SessionSweeper],
        { provide: RotationConfig, useValue: new RotationConfig(config.KEY_ROTATION_DAYS) },
        ...[SigningKeyService, KeyRotation],
      ],
    };
  }
}

function googleSettings(config: IdentityConfig): GoogleSettings | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  const redirectUri = `${config.PUBLIC_URL}/auth/google/callback`;
  return { clientId, clientSecret, issuer, redirectUri, timeoutMs: config.GOOGLE_TIMEOUT_MS };
}
