import { Inject, Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { DomainError, emailAddress, toSingleLine } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';

/** What has to be remembered while the person is at Google. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** What Google says about a person, after all checks. */
export interface GoogleClaims {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** When they last proved to Google who they are, if Google says so. */
  authenticatedAt: Date | null;
}

/** Google's endpoints rarely change. */
const rediscoverSeconds = 60 * 60;
/** After a failed discovery, the last known configuration is used, and discovery is tried again after this time. */
const retryDiscoverySeconds = 30;
const maxNameLength = 100;
/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const maxSubjectLength = 255;

const claimsSchema = z.object({
  iss: z.string().max(255),
  sub: z.string().min(1).max(maxSubjectLength),
  email: emailAddress,
  // Some providers send it as a string.
  email_verified: z
    .union([z.boolean(), z.stringbool()])
    .optional()
    .transform((verified) => verified === true),
  name: z.string().optional(),
  auth_time: z.number().optional(),
});

/** Every request has a deadline (`GOOGLE_TIMEOUT_MS`). */
@Injectable()
export class GoogleClient {
  private cached?: { configuration: oidc.Configuration; until: Date };
  private discovery?: Promise<oidc.Configuration>;

  constructor(
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  newSecrets(): FlowSecrets {
    return {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
  }

  /** `again`: Google should ask the person to sign in again. `hint`: the address that Google fills in. Throws NOT_FOUND, UNAVAILABLE. */
  async authorizationUrl(
    { state, nonce, codeVerifier }: FlowSecrets,
    { again, hint }: { again: boolean; hint?: string },
  ): Promise<string> {
    const configuration = await this.configuration();
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      prompt: 'select_account',
      ...(again && { max_age: '0' }),
      ...(hint !== undefined && { login_hint: hint }),
    });
    return url.href;
  }

  /**
   * Exchanges the code in the callback's query. Checks the state, the `iss` of the answer (RFC 9207), and the ID token in full. Throws
   * NOT_FOUND, SIGN_IN_CANCELLED, SIGN_IN_REFUSED, UNAVAILABLE.
   */
  async exchange(query: string, { state, nonce, codeVerifier }: FlowSecrets): Promise<GoogleClaims> {
    const configuration = await this.configuration();
    const callback = new URL(this.redirectUri);
    callback.search = query;
    let tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;
    try {
      tokens = await oidc.authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
    } catch (error) {
      throw this.failureOf(error);
    }
    const claims = claimsSchema.safeParse(tokens.claims());
    if (!claims.success) {
      this.logger.warn(
        { problems: z.prettifyError(claims.error) },
        'Google’s ID token has missing or invalid claims',
      );
      throw new DomainError('SIGN_IN_REFUSED');
    }
    const { iss, sub, email, email_verified: emailVerified, name, auth_time: authTime } = claims.data;
    return {
      issuer: iss,
      subject: sub,
      email,
      emailVerified,
      name: cleanName(name),
      authenticatedAt: authTime === undefined ? null : addSeconds(new Date(0), authTime),
    };
  }

  /** Google redirects only to addresses that were entered in its console. */
  private get redirectUri(): string {
    return `${this.config.PUBLIC_URL}/auth/google/callback`;
  }

  /** Kept for an hour. If discovering it again fails, the last known configuration is used. */
  private async configuration(): Promise<oidc.Configuration> {
    if (this.cached && this.clock.now() < this.cached.until) return this.cached.configuration;
    this.discovery ??= this.discover().finally(() => (this.discovery = undefined));
    return this.discovery;
  }

  private async discover(): Promise<oidc.Configuration> {
    const {
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
      GOOGLE_ISSUER: issuer,
    } = this.config;
    if (clientId === undefined || clientSecret === undefined)
      throw new DomainError('NOT_FOUND', {}, 'Signing in with Google isn’t set up on this site.');
    const remember = (configuration: oidc.Configuration, seconds: number) => {
      this.cached = { configuration, until: addSeconds(this.clock.now(), seconds) };
      return configuration;
    };
    try {
      const configuration = await oidc.discovery(
        new URL(issuer),
        clientId,
        undefined,
        oidc.ClientSecretPost(clientSecret),
        {
          timeout: this.config.GOOGLE_TIMEOUT_MS / 1000,
          execute: [
            // Checks the ID token's signature although it comes over TLS.
            oidc.enableNonRepudiationChecks,
            ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
          ],
        },
      );
      return remember(configuration, rediscoverSeconds);
    } catch (error) {
      this.logger.warn({ reason: reasonOf(error), issuer }, 'Discovering Google’s configuration failed');
      if (this.cached) return remember(this.cached.configuration, retryDiscoverySeconds);
      throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 5 });
    }
  }

  private failureOf(error: unknown): DomainError {
    if (error instanceof oidc.AuthorizationResponseError) {
      if (error.error === 'access_denied') return new DomainError('SIGN_IN_CANCELLED');
      if (error.error === 'temporarily_unavailable' || error.error === 'server_error') return outage();
    }
    this.logger.warn({ reason: reasonOf(error) }, 'An exchange with Google failed');
    return isOutage(error) ? outage() : new DomainError('SIGN_IN_REFUSED');
  }
}

const outage = () => new DomainError('UNAVAILABLE', { retryAfterSeconds: 5 });

/** Messages of `fetch`'s errors when the connection fails before or after the headers arrive. */
const connectionErrors: readonly unknown[] = ['fetch failed', 'terminated'];

/** Whether Google did not answer in full, or answered with a server error. Looks at openid-client's error and at its causes. */
function isOutage(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500;
  if (typeof error !== 'object' || error === null) return false;
  const { name, message, cause } = error as { name?: unknown; message?: unknown; cause?: unknown };
  return name === 'TimeoutError' || connectionErrors.includes(message) || isOutage(cause);
}

/** For the log. Other properties of openid-client's errors contain claims and secrets, which must not be logged. */
function reasonOf(error: unknown): string {
  const { message, code, cause } = error as Error & { code?: string };
  const inner = cause instanceof Error ? `, ${cause.message}` : '';
  return `${message}${code ? ` (${code})` : ''}${inner}`;
}

/** Shortens a name, which comes from outside, to one line of limited length. */
function cleanName(name: string | undefined): string | null {
  return [...toSingleLine(name ?? '')].slice(0, maxNameLength).join('') || null;
}
