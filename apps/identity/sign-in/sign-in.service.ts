import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Client, DomainError, type SecondFactorMethod } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { type Grant, SessionService } from '../session/session.service.js';

/** Time to find the phone. */
const LIFETIME_SECONDS = 10 * 60;

/** A session, or for an account with a second factor a sign-in of which the first step is done. */
export type Entry = { grant: Grant } | { pending: PendingSignIn };

export interface PendingSignIn {
  accountId: string;
  /** In clear, and nowhere else. */
  token: string;
  expiresAt: Date;
  methods: SecondFactorMethod[];
}

/** What is stored of an entry, so that a repeated request gets an equivalent one. */
export type StoredEntry = { sessionId: string } | { pendingFor: string };

/**
 * Sign-ins between password (or Google) and second factor. They are no sessions: their secret opens nothing but the second step.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionService,
    private readonly factors: SecondFactorService,
    private readonly clock: Clock,
  ) {}

  /** After a first step that was right, in its transaction. */
  async enter(tx: EntityManager, accountId: string, client: Client): Promise<Entry> {
    const methods = await this.factors.methodsOf(tx, accountId);
    if (methods.length === 0) return { grant: await this.sessions.open(tx, accountId, client) };
    return { pending: await this.begin(tx, accountId, methods) };
  }

  store(entry: Entry): StoredEntry {
    return 'grant' in entry ? { sessionId: entry.grant.sessionId } : { pendingFor: entry.pending.accountId };
  }

  async restore(stored: StoredEntry, tx: EntityManager): Promise<Entry> {
    if ('sessionId' in stored) return { grant: await this.sessions.grant(tx, stored.sessionId) };
    const { pendingFor: accountId } = stored;
    return { pending: await this.begin(tx, accountId, await this.factors.methodsOf(tx, accountId)) };
  }

  /** The grant of a sign-in that is complete. Throws SECOND_FACTOR_REQUIRED for one that is not. */
  admit(entry: Entry): Grant {
    if ('grant' in entry) return entry.grant;
    const { token, expiresAt, methods } = entry.pending;
    throw new DomainError('SECOND_FACTOR_REQUIRED', {
      secondFactor: { token, methods, expiresAt: expiresAt.toISOString() },
    });
  }

  /** Whose sign-in this is. Throws SIGN_IN_EXPIRED. */
  async accountOf(token: string): Promise<string> {
    const [row] = await this.dataSource.query<{ account_id: string }[]>(
      `SELECT account_id FROM pending_sign_ins WHERE token_hash = $1 AND expires_at > $2`,
      [hashOf(token), this.clock.now()],
    );
    if (!row) throw new DomainError('SIGN_IN_EXPIRED');
    return row.account_id;
  }

  /** Ends it with a session, in the caller's transaction. Throws SIGN_IN_EXPIRED for one that was ended meanwhile. */
  async finish(tx: EntityManager, token: string, client: Client): Promise<Grant> {
    const [[row]] = await tx.query<[{ account_id: string }[], number]>(
      `DELETE FROM pending_sign_ins WHERE token_hash = $1 AND expires_at > $2 RETURNING account_id`,
      [hashOf(token), this.clock.now()],
    );
    if (!row) throw new DomainError('SIGN_IN_EXPIRED');
    return this.sessions.open(tx, row.account_id, client);
  }

  private async begin(
    tx: EntityManager,
    accountId: string,
    methods: SecondFactorMethod[],
  ): Promise<PendingSignIn> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = secondsAfter(this.clock.now(), LIFETIME_SECONDS);
    await tx.query(`INSERT INTO pending_sign_ins (token_hash, account_id, expires_at) VALUES ($1, $2, $3)`, [
      hashOf(token),
      accountId,
      expiresAt,
    ]);
    return { accountId, token, expiresAt, methods };
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
