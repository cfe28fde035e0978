import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, RecipientLimits } from '#libs/database';
import { AccountMailService } from './core/account-mail.service.js';
import { AccountSettingsService } from './account-settings/account-settings.service.js';
import { AccountDataService } from './account-settings/account-data.service.js';
import { AccountController } from './account-settings/account-settings.controller.js';
import { AccountService } from './sign-in/password-sign-in.service.js';
import { AdminRequirementService } from './admin-user/admin-requirement.service.js';
import { AdminUserController } from './admin-user/admin-user.controller.js';
import { AdminUserService } from './admin-user/admin-user.service.js';
import { FirstAdminService, FirstAdminConfig } from './admin-user/first-admin.service.js';
import { BroadcastService } from './core/broadcast.service.js';
import { AuditController } from './audit/audit.controller.js';
import { Clock, SystemClock } from './clock.js';
import { hashingOptions, type IdentityConfig } from './config.js';
import { CredentialRepository } from './credential/credential.repository.js';
import { PasswordService } from './credential/password.service.js';
import { PasswordHasher } from './credential/password-hasher.js';
import { PasswordPolicy } from './credential/password-policy.js';
import {
  SITE_NAMES_SETTINGS,
  SiteNameService,
  type SiteNamesSettings,
} from './credential/site-name.service.js';
import { SignInThrottle } from './credential/sign-in-throttle.js';
import { identityDatabase } from './database.js';
import { KnownDeviceService } from './device/known-device.service.js';
import { GoogleController } from './google/google.controller.js';
import { GoogleFlowRepository } from './google/google-flow.repository.js';
import { GoogleClient, type GoogleSettings } from './google/google-client.js';
import { GoogleSignInService } from './google/google-sign-in.service.js';
import { GoogleAccountService } from './google/google-account.service.js';
import { KeyController } from './key/key.controller.js';
import { KeyRotationWorker, RotationConfig } from './key/key-rotation.worker.js';
import { SecretSealer } from './core/secret-sealer.js';
import { SigningKeyService } from './key/signing-key.service.js';
import { AccountLinkService, SiteUrl } from './link/account-link.service.js';
import { OwnershipService } from './reauthentication/ownership.service.js';
import { PasswordRecoveryService } from './recovery/password-recovery.service.js';
import { RecoveryController } from './recovery/recovery.controller.js';
import { RecoveryWorker } from './recovery/recovery.worker.js';
import { AccessTokenService } from './session/access-token.service.js';
import { PasskeyChallenges } from './passkey/passkey-challenges.js';
import { PasskeyService, RelyingParty } from './passkey/passkey.service.js';
import { CodeThrottle } from './second-factor/code-throttle.js';
import { RecoveryCodeService } from './second-factor/recovery-code.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorSetupService } from './second-factor/second-factor-setup.service.js';
import { SecondFactorService, TOTP_SEALER } from './second-factor/second-factor.service.js';
import { ConfirmationService } from './reauthentication/confirmation.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { FRESH_SIGN_IN_SECONDS } from './session/fresh-sign-in.js';
import { OwnSessionService } from './session/own-session.service.js';
import { RetentionWorker } from './retention/retention.worker.js';
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
        { provide: GoogleClient, useValue: new GoogleClient(googleSettings(config), clock) },
        GoogleFlowRepository,
        GoogleSignInService,
        GoogleAccountService,
        SiteNameService,
        {
          provide: SITE_NAMES_SETTINGS,
          useValue: {
            redisUrl: config.REDIS_URL,
            publicUrl: config.PUBLIC_URL,
          } satisfies SiteNamesSettings,
        },
        {
          provide: PasswordPolicy,
          useFactory: (names: SiteNameService) =>
            new PasswordPolicy(config.PASSWORD_MIN_LENGTH, () => names.current()),
          inject: [SiteNameService],
        },
        {
          provide: FirstAdminConfig,
          useValue: new FirstAdminConfig(config.ADMIN_EMAIL, config.ADMIN_PASSWORD),
        },
        { provide: SecretSealer, useValue: new SecretSealer(config.KEY_ENCRYPTION_SECRET) },
        {
          provide: AccessTokenService,
          useFactory: (keys: SigningKeyService) => new AccessTokenService(keys, clock, config.PUBLIC_URL),
          inject: [SigningKeyService],
        },
        { provide: SiteUrl, useValue: new SiteUrl(config.PUBLIC_URL) },
        ...[BroadcastService, AccountMailService, AccountLinkService, RecipientLimits, KnownDeviceService],
        ...[AccountService, AccountSettingsService, AccountDataService, OwnershipService],
        ...[VerificationService, PasswordRecoveryService, RecoveryWorker],
        {
          provide: TOTP_SEALER,
          useValue: new SecretSealer(config.KEY_ENCRYPTION_SECRET, 'authenticator apps'),
        },
        { provide: RelyingParty, useValue: new RelyingParty(config.PUBLIC_URL) },
        ...[SecondFactorService, SecondFactorSetupService, RecoveryCodeService, CodeThrottle],
        ...[PasskeyService, PasskeyChallenges, SignInService, ConfirmationService],
        ...[AdminUserService, AdminRequirementService, FirstAdminService],
        ...[CredentialRepository, PasswordService, SignInThrottle],
        ...[SessionService, OwnSessionService, RetentionWorker],
        { provide: RotationConfig, useValue: new RotationConfig(config.KEY_ROTATION_DAYS) },
        ...[SigningKeyService, KeyRotationWorker],
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
