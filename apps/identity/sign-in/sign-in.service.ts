import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Client, DomainError, type SecondFactorMethod } from '#libs/contracts';
import { newToken, type ReplyStorage } from '#libs/database';
import { Clock, addSeconds } from '#libs/runtime';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { PendingSignInRepository } from '../session/pending-sign-in.repository.js';
import { type Grant, SessionService } from '../session/session.service.js';

/** People may need to find their phone. */
const pendingSeconds = 10 * 60;

export type FirstStepResult = { grant: Grant } | { pending: PendingSignIn };

interface PendingSignIn {
  accountId: string;
  /** Only its hash is stored. */
  token: string;
  expiresAt: Date;
  methods: SecondFactorMethod[];
}

/** Stored in the inbox, for a repeated request. */
export type StoredFirstStepResult = { sessionId: string } | { pendingFor: string };

/**
 * Sign-ins whose first step is the password or Google. If the account has a second factor, that is the second step. A pending sign-in's token permits
 * only the second step.
 */
@Injectable()
export class SignInService implements ReplyStorage<FirstStepResult, StoredFirstStepResult> {
  constructor(
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly sessions: SessionService,
    private readonly factors: SecondFactorService,
    private readonly clock: Clock,
  ) {}

  /** Call it after the password, or Google, has proved who the person is. */
  async completeFirstStep(tx: EntityManager, accountId: string, client: Client): Promise<FirstStepResult> {
    const methods = await this.factors.methodsOf(tx, accountId);
    if (methods.length === 0) return { grant: await this.sessions.open(tx, accountId, client) };
    return { pending: await this.createPending(tx, accountId, methods) };
  }

  toStored(result: FirstStepResult): StoredFirstStepResult {
    return 'grant' in result
      ? { sessionId: result.grant.sessionId }
      : { pendingFor: result.pending.accountId };
  }

  async restore(stored: StoredFirstStepResult, tx: EntityManager): Promise<FirstStepResult> {
    if ('sessionId' in stored) return { grant: await this.sessions.issueGrant(tx, stored.sessionId) };
    const { pendingFor: accountId } = stored;
    return { pending: await this.createPending(tx, accountId, await this.factors.methodsOf(tx, accountId)) };
  }

  /** Throws SECOND_FACTOR_REQUIRED for a sign-in that needs a second step. */
  requireGrant(result: FirstStepResult): Grant {
    if ('grant' in result) return result.grant;
    const { token, expiresAt, methods } = result.pending;
    throw new DomainError('SECOND_FACTOR_REQUIRED', {
      secondFactor: { token, methods, expiresAt: expiresAt.toISOString() },
    });
  }

  /** The account of the pending sign-in with this token. Throws SIGN_IN_EXPIRED. */
  async getAccountId(token: string): Promise<string> {
    const accountId = await this.pendingSignIns.findAccountId(token, this.clock.now());
    if (accountId === null) throw new DomainError('SIGN_IN_EXPIRED');
    return accountId;
  }

  /** Call it after the second factor was checked. Throws SIGN_IN_EXPIRED, also if the sign-in was completed meanwhile. */
  async completeSecondStep(tx: EntityManager, token: string, client: Client): Promise<Grant> {
    const accountId = await this.pendingSignIns.take(tx, token, this.clock.now());
    if (accountId === null) throw new DomainError('SIGN_IN_EXPIRED');
    return this.sessions.open(tx, accountId, client);
  }

  private async createPending(
    tx: EntityManager,
    accountId: string,
    methods: SecondFactorMethod[],
  ): Promise<PendingSignIn> {
    const token = newToken();
    const expiresAt = addSeconds(this.clock.now(), pendingSeconds);
    await this.pendingSignIns.insert(tx, token, accountId, expiresAt);
    return { accountId, token, expiresAt, methods };
  }
}
