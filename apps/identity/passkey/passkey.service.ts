import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError, type Passkey } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { type ChallengeUse, PasskeyChallengeRepository } from './passkey-challenge.repository.js';
import type { PasskeyEntity } from './passkey.entity.js';
import { PasskeyRepository } from './passkey.repository.js';

const maxPasskeys = 20;
/** The login screen may be open for a while before somebody picks their passkey. */
const challengeSeconds = 15 * 60;

type Json = Record<string, unknown>;

/**
 * WebAuthn Level 3. Authenticators must verify their user, so that a passkey counts as two factors. Each challenge works once, for one purpose and,
 * where the account is known, one account.
 */
@Injectable()
export class PasskeyService {
  /** The host name is WebAuthn's `rpId`. */
  private readonly site: { hostname: string; origin: string };

  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly challenges: PasskeyChallengeRepository,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.site = new URL(config.PUBLIC_URL);
  }

  /** For `navigator.credentials.create`, with a new challenge. Throws COLLECTION_FULL. */
  async issueCreationOptions(account: { id: string; email: string; name: string | null }): Promise<Json> {
    const existing = await this.passkeys.list(account.id);
    requireRoom(existing.length);
    const options = await generateRegistrationOptions({
      rpName: this.site.hostname,
      rpID: this.site.hostname,
      userID: new TextEncoder().encode(account.id),
      userName: account.email,
      userDisplayName: account.name ?? account.email,
      challenge: await this.issueChallenge({ purpose: 'add', accountId: account.id }),
      attestationType: 'none',
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { ...options };
  }

  /** Lock the account first, so that concurrent calls cannot exceed the maximum. Throws INVALID_PASSKEY, DUPLICATE, COLLECTION_FULL. */
  async add(tx: EntityManager, accountId: string, answer: Json, name: string): Promise<Passkey> {
    requireRoom(await this.passkeys.count(tx, accountId));
    const expectedChallenge = await this.takeChallenge(tx, answer, { purpose: 'add', accountId });
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: this.site.origin,
      expectedRPID: this.site.hostname,
    }).catch((error: unknown) => this.refuse(error));
    if (!registrationInfo) throw new DomainError('INVALID_PASSKEY');
    const { credential, credentialBackedUp } = registrationInfo;
    const passkey: PasskeyEntity = {
      id: uuidv7(),
      accountId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports: credential.transports ?? [],
      synced: credentialBackedUp,
      name,
      createdAt: this.clock.now(),
      lastUsedAt: null,
    };
    if (!(await this.passkeys.insert(tx, passkey)))
      throw new DomainError('DUPLICATE', {}, 'This passkey is already registered.');
    return passkeyView(passkey);
  }

  /** For `navigator.credentials.get`, with a new challenge: any passkey of this site fits or, if `use` names an account, only its own. */
  async issueRequestOptions(use: ChallengeUse): Promise<Json> {
    const own = use.accountId === null ? undefined : await this.passkeys.list(use.accountId);
    const options = await generateAuthenticationOptions({
      rpID: this.site.hostname,
      userVerification: 'required',
      challenge: await this.issueChallenge(use),
      ...(own && { allowCredentials: own.map(descriptorOf) }),
    });
    return { ...options };
  }

  /** Returns the account's id. Throws INVALID_PASSKEY, also if `use` names another account. */
  async verify(tx: EntityManager, answer: Json, use: ChallengeUse): Promise<string> {
    const expectedChallenge = await this.takeChallenge(tx, answer, use);
    const passkey = await this.passkeys.lockByCredential(tx, String(answer.id));
    if (!passkey || (use.accountId !== null && passkey.accountId !== use.accountId))
      throw new DomainError('INVALID_PASSKEY');
    // A counter that does not grow is refused: the passkey may have been copied (WebAuthn, section 6.1.1). A counter that stays 0 is accepted.
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: this.site.origin,
      expectedRPID: this.site.hostname,
      credential: {
        ...descriptorOf(passkey),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.counter),
      },
    }).catch((error: unknown) => this.refuse(error));
    if (!verified) throw new DomainError('INVALID_PASSKEY');
    await this.passkeys.recordUse(tx, passkey.id, {
      counter: authenticationInfo.newCounter,
      synced: authenticationInfo.credentialBackedUp,
      lastUsedAt: this.clock.now(),
    });
    return passkey.accountId;
  }

  async list(accountId: string): Promise<Passkey[]> {
    return (await this.passkeys.list(accountId)).map(passkeyView);
  }

  async rename(accountId: string, id: string, name: string): Promise<Passkey> {
    const passkey = isUuid(id) ? await this.passkeys.rename(accountId, id, name) : null;
    if (!passkey) throw new DomainError('NOT_FOUND');
    return passkeyView(passkey);
  }

  async remove(tx: EntityManager, accountId: string, id: string): Promise<void> {
    const removed = isUuid(id) && (await this.passkeys.delete(tx, accountId, id));
    if (!removed) throw new DomainError('NOT_FOUND');
  }

  private async issueChallenge(use: ChallengeUse): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = new Uint8Array(randomBytes(32));
    const expiresAt = addSeconds(this.clock.now(), challengeSeconds);
    await this.challenges.insert(Buffer.from(challenge).toString('base64url'), use, expiresAt);
    return challenge;
  }

  /** Uses up the challenge that this answer signs, and returns it. Throws INVALID_PASSKEY. */
  private async takeChallenge(tx: EntityManager, answer: Json, use: ChallengeUse): Promise<string> {
    const challenge = challengeOf(answer);
    if (!(await this.challenges.take(tx, challenge, use, this.clock.now())))
      throw new DomainError('INVALID_PASSKEY');
    return challenge;
  }

  private refuse(error: unknown): never {
    this.logger.warn({ err: error }, 'A passkey was refused');
    throw new DomainError('INVALID_PASSKEY');
  }
}

/** Throws COLLECTION_FULL. */
function requireRoom(existingCount: number): void {
  if (existingCount < maxPasskeys) return;
  throw new DomainError(
    'COLLECTION_FULL',
    {},
    'You have the maximum number of passkeys. Remove one before you add another.',
  );
}

/** Reads the challenge from the client data, which the authenticator signs (WebAuthn, section 5.8.1). */
function challengeOf(answer: Json): string {
  try {
    const { clientDataJSON } = answer.response as { clientDataJSON: string };
    const clientData = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as Json;
    return String(clientData.challenge);
  } catch {
    throw new DomainError('INVALID_PASSKEY');
  }
}

function descriptorOf({ credentialId, transports }: PasskeyEntity) {
  return { id: credentialId, transports };
}

function passkeyView({ id, name, createdAt, lastUsedAt, synced }: PasskeyEntity): Passkey {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    synced,
  };
}
