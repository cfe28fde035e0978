import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '../clock.js';
import { CredentialEntity } from './credential.entity.js';
import { PasswordHasher } from './password-hasher.js';

export interface Credential {
  accountId: string;
  /** Null for an account that has no password. */
  passwordHash: string | null;
  changedAt: Date | null;
}

/** The stored passwords. */
@Injectable()
export class CredentialRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** One query, whether or not the address has an account. */
  async find(emailNormalized: string): Promise<Credential | null> {
    const [row] = await this.dataSource.query<
      { id: string; password_hash: string | null; changed_at: Date | null }[]
    >(
      `SELECT a.id, c.password_hash, c.changed_at
       FROM accounts a LEFT JOIN credentials c ON c.account_id = a.id WHERE a.email_normalized = $1`,
      [emailNormalized],
    );
    return row ? { accountId: row.id, passwordHash: row.password_hash, changedAt: row.changed_at } : null;
  }

  async hashOf(tx: EntityManager, accountId: string): Promise<string | null> {
    return (await tx.findOneBy(CredentialEntity, { accountId }))?.passwordHash ?? null;
  }

  /** Sets the account's password, in the caller's transaction; its sessions are the caller's to end. */
  async set(tx: EntityManager, accountId: string, passwordHash: string): Promise<void> {
    await tx.upsert(CredentialEntity, { accountId, passwordHash, changedAt: this.clock.now() }, [
      'accountId',
    ]);
  }

  /**
   * Whether the password is still the one that was verified. Until the caller's transaction ends nobody can
   * change it: whoever does, afterwards, finds (and ends) the session that this transaction starts.
   */
  async lockIfUnchanged(tx: EntityManager, credential: Credential): Promise<boolean> {
    const [row] = await tx.query<{ changed_at: Date }[]>(
      `SELECT changed_at FROM credentials WHERE account_id = $1 FOR SHARE`,
      [credential.accountId],
    );
    return row !== undefined && row.changed_at.getTime() === credential.changedAt?.getTime();
  }

  /** After a sign-in, the one moment when the password is known: hashes it with today's parameters. */
  async renewIfOutdated(credential: Credential, password: string, address: string): Promise<void> {
    const { accountId, passwordHash } = credential;
    if (passwordHash === null || !this.hasher.isOutdated(passwordHash)) return;
    try {
      const renewed = await this.hasher.hash(password, clientNetwork(address));
      await this.dataSource.manager.update(
        CredentialEntity,
        { accountId, passwordHash },
        { passwordHash: renewed },
      );
    } catch (error) {
      // The next sign-in tries again.
      if (!(error instanceof DomainError && error.code === 'OVERLOADED')) throw error;
    }
  }
}
