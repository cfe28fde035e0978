import { Injectable, Logger } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError, type Passkey } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { Clock } from '../clock.js';
import { type PasskeyRow, passkeyView } from '../second-factor/second-factor.service.js';
import { type ChallengePurpose, PasskeyChallenges } from './passkey-challenges.js';

/** For whom passkeys are made: the site's host name (WebAuthn's `rpId`), and where its pages are. */
export class RelyingParty {
  readonly id: string;
  readonly origin: string;

  constructor(publicUrl: string) {
    ({ hostname: this.id, origin: this.origin } = new URL(publicUrl));
  }
}

const PASSKEYS_AT_MOST = 20;

type Json = Record<string, unknown>;

interface StoredPasskey {
  id: string;
  account_id: string;
  credential_id: string;
  public_key: Buffer;
  /** A bigint, which the driver gives as text. */
  counter: string;
  transports: string[];
}

/**
 * PasskeyService (WebAuthn Level 3). The authenticator always verifies its user, by finger, face or PIN: so one is two factors, and signs in alone.
 */
@Injectable()
export class PasskeyService {
  private readonly logger = new Logger(PasskeyService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly challenges: PasskeyChallenges,
    private readonly party: RelyingParty,
    private readonly clock: Clock,
  ) {}

  /** What `navigator.credentials.create` takes. Throws COLLECTION_FULL. */
  async creationOptions({
    id,
    email,
    name,
  }: {
    id: string;
    email: string;
    name: string | null;
  }): Promise<Json> {
    const existing = await this.of(id);
    if (existing.length >= PASSKEYS_AT_MOST)
      throw new DomainError(
        'COLLECTION_FULL',
        {},
        'You have the maximum number of passkeys. Remove one before you add another.',
      );
    const options = await generateRegistrationOptions({
      rpName: this.party.id,
      rpID: this.party.id,
      // No person is told by it: the account's id.
      userID: new TextEncoder().encode(id),
      userName: email,
      userDisplayName: name ?? email,
      challenge: await this.challenges.issue('add', id),
      attestationType: 'none',
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { ...options };
  }

  /** Throws INVALID_PASSKEY, DUPLICATE. */
  async add(tx: EntityManager, accountId: string, answer: Json, name: string): Promise<Passkey> {
    const expectedChallenge = await this.challenges.take(tx, answer, { purpose: 'add', accountId });
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: this.party.origin,
      expectedRPID: this.party.id,
    }).catch((error: unknown) => this.refuse(error));
    if (!made) throw new DomainError('INVALID_PASSKEY');
    const { credential } = made;
    const id = uuidv7();
    const [row] = await tx.query<PasskeyRow[]>(
      `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, synced, name, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (credential_id) DO NOTHING
       RETURNING id, name, created_at, last_used_at, synced`,
      [
        id,
        accountId,
        credential.id,
        Buffer.from(credential.publicKey),
        credential.counter,
        credential.transports ?? [],
        made.credentialBackedUp,
        name,
        this.clock.now(),
      ],
    );
    if (!row) throw new DomainError('DUPLICATE', {}, 'This passkey is already registered.');
    return passkeyView(row);
  }

  /** What `navigator.credentials.get` takes: any passkey of this site, or those of one account. */
  async requestOptions(purpose: Exclude<ChallengePurpose, 'add'>, accountId: string | null): Promise<Json> {
    const own = accountId === null ? [] : await this.of(accountId);
    const options = await generateAuthenticationOptions({
      rpID: this.party.id,
      userVerification: 'required',
      challenge: await this.challenges.issue(purpose, accountId),
      ...(accountId !== null && { allowCredentials: own.map(descriptorOf) }),
    });
    return { ...options };
  }

  /** Whose passkey this is, used in the caller's transaction. `accountId`: whose it has to be, where that is known. Throws INVALID_PASSKEY. */
  async use(
    tx: EntityManager,
    answer: Json,
    { purpose, accountId }: { purpose: Exclude<ChallengePurpose, 'add'>; accountId: string | null },
  ): Promise<string> {
    const expectedChallenge = await this.challenges.take(tx, answer, { purpose, accountId });
    const [passkey] = await tx.query<StoredPasskey[]>(
      `SELECT id, account_id, credential_id, public_key, counter, transports FROM passkeys
       WHERE credential_id = $1 FOR UPDATE`,
      [String(answer.id)],
    );
    if (!passkey || (accountId !== null && passkey.account_id !== accountId))
      throw new DomainError('INVALID_PASSKEY');
    // A counter that does not grow is a copy's (WebAuthn, section 6.1.1); those that always say 0 have none.
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: this.party.origin,
      expectedRPID: this.party.id,
      credential: {
        ...descriptorOf(passkey),
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    }).catch((error: unknown) => this.refuse(error));
    if (!verified) throw new DomainError('INVALID_PASSKEY');
    await tx.query(`UPDATE passkeys SET counter = $2, synced = $3, last_used_at = $4 WHERE id = $1`, [
      passkey.id,
      authenticationInfo.newCounter,
      authenticationInfo.credentialBackedUp,
      this.clock.now(),
    ]);
    return passkey.account_id;
  }

  /** Throws NOT_FOUND. */
  async rename(accountId: string, id: string, name: string): Promise<Passkey> {
    const [[row]] = isUuid(id)
      ? await this.dataSource.query<[PasskeyRow[], number]>(
          `UPDATE passkeys SET name = $3 WHERE id = $1 AND account_id = $2
           RETURNING id, name, created_at, last_used_at, synced`,
          [id, accountId, name],
        )
      : [[]];
    if (!row) throw new DomainError('NOT_FOUND');
    return passkeyView(row);
  }

  /** In the caller's transaction. Throws NOT_FOUND. */
  async remove(tx: EntityManager, accountId: string, id: string): Promise<void> {
    const [rows] = isUuid(id)
      ? await tx.query<[unknown[], number]>(
          `DELETE FROM passkeys WHERE id = $1 AND account_id = $2 RETURNING 1`,
          [id, accountId],
        )
      : [[]];
    if (rows.length === 0) throw new DomainError('NOT_FOUND');
  }

  private of(accountId: string): Promise<StoredPasskey[]> {
    return this.dataSource.query<StoredPasskey[]>(
      `SELECT id, account_id, credential_id, public_key, counter, transports FROM passkeys WHERE account_id = $1`,
      [accountId],
    );
  }

  /** The package throws for whatever is not as it has to be. */
  private refuse(error: unknown): never {
    this.logger.warn(`A passkey was refused: ${error instanceof Error ? error.message : String(error)}`);
    throw new DomainError('INVALID_PASSKEY');
  }
}

function descriptorOf({ credential_id, transports }: StoredPasskey) {
  return { id: credential_id, transports: transports };
}
