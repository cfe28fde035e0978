import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { CodeAttemptRepository } from './code-attempt.repository.js';

/**
 * Slows down guessing somebody's code from whatever network: an attacker who can guess codes knows the password. Each attempt counts before
 * the code is checked; a right code resets the count.
 */
@Injectable()
export class CodeThrottle {
  constructor(
    private readonly attempts: CodeAttemptRepository,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt. Throws RATE_LIMITED during the delay after the last failure. */
  async countAttempt(accountId: string): Promise<void> {
    const now = this.clock.now();
    if (await this.attempts.count(accountId, now)) return;
    const blockedUntil = (await this.attempts.findBlockedUntil(accountId)) ?? now;
    const waitSeconds = Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000);
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, waitSeconds) });
  }

  async reset(tx: EntityManager, accountId: string): Promise<void> {
    await this.attempts.delete(tx, accountId);
  }
}
