import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '#libs/runtime';
import { CredentialEntity } from './credential.entity.js';

/** `passwordHash` and `changedAt` are null for an account without a password. */
export interface Credential {
  accountId: string;
  passwordHash: string | null;
  changedAt: Date | null;
}

@Injectable()
export class CredentialRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Null if no account has the address. Always one query, so that its time does not reveal whether there is an account. */
  async findByEmail(emailNormalized: string): Promise<Credential | null> {
    const [credential] = await this.dataSource.sql<Credential[]>`
      SELECT a.id AS "accountId", c.password_hash AS "passwordHash", c.changed_at AS "changedAt"
      FROM accounts a LEFT JOIN credentials c ON c.account_id = a.id WHERE a.email_normalized = ${emailNormalized}`;
    return credential ?? null;
  }

  /** Null without a password. */
  async findHash(tx: EntityManager, accountId: string): Promise<string | null> {
    return (await tx.findOneBy(CredentialEntity, { accountId }))?.passwordHash ?? null;
  }

  exists(accountId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(CredentialEntity, { accountId });
  }

  /** Does not end the account's sessions. */
  async set(tx: EntityManager, accountId: string, passwordHash: string): Promise<void> {
    const changedAt = this.clock.now();
    await tx.upsert(CredentialEntity, { accountId, passwordHash, changedAt }, ['accountId']);
  }

  async delete(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(CredentialEntity, { accountId });
  }

  /**
   * Whether the password is still the one that was verified. If so, a change of the password has to wait for this transaction. The change then also
   * ends a session that this transaction has started.
   */
  async lockIfUnchanged(tx: EntityManager, { accountId, changedAt }: Credential): Promise<boolean> {
    const credential = await tx.findOne(CredentialEntity, {
      where: { accountId },
      lock: { mode: 'pessimistic_read' },
    });
    return credential !== null && credential.changedAt.getTime() === changedAt?.getTime();
  }

  /** Stores another hash of the same password, unless the password has changed meanwhile. */
  async replaceHash({ accountId, passwordHash }: Credential, renewed: string): Promise<void> {
    await this.dataSource.manager.update(
      CredentialEntity,
      { accountId, passwordHash: passwordHash! },
      { passwordHash: renewed },
    );
  }
}
