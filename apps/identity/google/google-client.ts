import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { DomainError, emailAddress } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';

export interface GoogleSettings {
  clientId: string;
  clientSecret: string;
  issuer: string;
  timeoutMs: number;
  /** Where Google leads back to: it takes no other address than those that its console knows. */
  redirectUri: string;
}

/** What has to be remembered between leaving for Google and coming back. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** What Google says of a person, checked. */
export interface GoogleClaims {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  /** When they last proved to Google who they are, where Google tells. */
  authenticatedAt: Date | null;
}

/** Google's addresses and keys move seldom. */
const KEEP_DISCOVERED_SECONDS = 60 * 60;
/** While it does not answer, what was known goes on being used, and this long passes before the next question. */
const RESPITE_SECONDS = 30;
const LONGEST_NAME = 100;

const claimsSchema = z.object({
  iss: z.string().max(255),
  // OpenID Connect Core, section 2: at most 255 ASCII characters.
  sub: z.string().min(1).max(255),
  email: emailAddress,
  // Some providers write it as text.
  email_verified: z
    .union([z.boolean(), z.stringbool()])
    .optional()
    .transform((verified) => verified === true),
  name: z.string().optional(),
  auth_time: z.number().optional(),
});

/** Google as an OpenID provider: discovered, remembered, asked within a deadline. */
@Injectable()
export class GoogleClient {
  private readonly logger = new Logger(GoogleClient.name);
  private known?: { configuration: oidc.Configuration; until: Date };
  private discovering?: Promise<oidc.Configuration>;

  /** `settings`: null where Google is not configured. */
  constructor(
    private readonly settings: GoogleSettings | null,
    private readonly clock: Clock,
  ) {}

  /** Secrets of a flow to come. */
  newSecrets(): FlowSecrets {
    return {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
  }

  /** Where to send the browser. `again`: to prove anew who they are. NOT_FOUND, UNAVAILABLE. */
  async authorizationUrl(
    { state, nonce, codeVerifier }: FlowSecrets,
    { again, hint }: { again: boolean; hint?: string },
  ): Promise<string> {
    const configuration = await this.configuration();
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.configured.redirectUri,
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
   * Exchanges the code that came back. Checked on the way: state, the `iss` of the answer (RFC 9207), and of the ID token the
   * signature, algorithm, issuer, audience, expiry and nonce. SIGN_IN_CANCELLED, SIGN_IN_REFUSED, UNAVAILABLE.
   */
  async exchange(query: string, { state, nonce, codeVerifier }: FlowSecrets): Promise<GoogleClaims> {
    const configuration = await this.configuration();
    const callback = new URL(this.configured.redirectUri);
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
      this.logger.warn(`Google's ID token lacks what is needed: ${z.prettifyError(claims.error)}`);
      throw new DomainError('SIGN_IN_REFUSED');
    }
    const { iss, sub, email, email_verified: emailVerified, name, auth_time: authTime } = claims.data;
    return {
      issuer: iss,
      subject: sub,
      email,
      emailVerified,
      name: tidyName(name),
      authenticatedAt: authTime === undefined ? null : secondsAfter(new Date(0), authTime),
    };
  }

  private get configured(): GoogleSettings {
    if (!this.settings)
      throw new DomainError('NOT_FOUND', {}, 'Signing in with Google isn’t set up on this site.');
    return this.settings;
  }

  /** Asked once an hour; an answer that there was serves on while Google does not give another. */
  private async configuration(): Promise<oidc.Configuration> {
    if (this.known && this.clock.now() < this.known.until) return this.known.configuration;
    this.discovering ??= this.discover().finally(() => (this.discovering = undefined));
    return this.discovering;
  }

  private async discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, timeoutMs } = this.configured;
    const remember = (configuration: oidc.Configuration, seconds: number) => {
      this.known = { configuration, until: secondsAfter(this.clock.now(), seconds) };
      return configuration;
    };
    try {
      const configuration = await oidc.discovery(
        new URL(issuer),
        clientId,
        undefined,
        oidc.ClientSecretPost(clientSecret),
        {
          timeout: timeoutMs / 1000,
          execute: [
            // The ID token's signature is checked although it comes over TLS: with its keys the stand-in is as strict as Google.
            oidc.enableNonRepudiationChecks,
            ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
          ],
        },
      );
      return remember(configuration, KEEP_DISCOVERED_SECONDS);
    } catch (error) {
      this.logger.warn(`Google could not be discovered at ${issuer}: ${reasonOf(error)}`);
      if (this.known) return remember(this.known.configuration, RESPITE_SECONDS);
      throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 5 });
    }
  }

  private failureOf(error: unknown): DomainError {
    if (error instanceof oidc.AuthorizationResponseError) {
      if (error.error === 'access_denied') return new DomainError('SIGN_IN_CANCELLED');
      if (error.error === 'temporarily_unavailable' || error.error === 'server_error') return outage();
    }
    this.logger.warn(`An exchange with Google failed: ${reasonOf(error)}`);
    return isOutage(error) ? outage() : new DomainError('SIGN_IN_REFUSED');
  }
}

const outage = () => new DomainError('UNAVAILABLE', { retryAfterSeconds: 5 });

/** No answer, or one that says nothing of the code. */
function isOutage(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  // The last is what fetch itself throws, bare or as the cause of the package's own error.
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || message === 'fetch failed' || isOutage(cause);
}

function reasonOf(error: unknown): string {
  const { message, code, cause } = error as Error & { code?: string };
  const inner = cause instanceof Error ? `, ${cause.message}` : '';
  return `${message}${code ? ` (${code})` : ''}${inner}`;
}

/** Text of a stranger's: one line, as long as a name is. */
function tidyName(name: string | undefined): string | null {
  const tidy = (name ?? '')
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();
  return [...tidy].slice(0, LONGEST_NAME).join('') || null;
}
