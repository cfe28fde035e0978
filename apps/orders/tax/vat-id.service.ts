import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { billingDetailsContract, type HandlerInputs, type VatIdState } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { isWellFormedVatId, normalizedVatId } from './vat-id.js';
import { VatIdCheckRepository } from './vat-id-check.repository.js';
import { ViesClient } from './vies.client.js';

type Input = HandlerInputs<typeof billingDetailsContract>;

/** How many people may wait for the register at a time, per process. Others are answered immediately, so a slow register cannot block the service. */
const maxWaiting = 4;

/**
 * Checks VAT ids with the register. While the register does not answer, nobody waits longer than a few seconds, and no VAT id becomes invalid
 * because of that.
 */
@Injectable()
export class VatIdService {
  private waiting = 0;

  constructor(
    private readonly checks: VatIdCheckRepository,
    private readonly vies: ViesClient,
  ) {}

  /**
   * Asks the register, unless the VAT id is malformed, an answer is stored, or too many are waiting for the register. Takes some seconds at
   * most.
   */
  @Handles(billingDetailsContract.checkVatId)
  async check({ vatId: text }: Input['checkVatId']): Promise<{ vatId: string; state: VatIdState }> {
    const vatId = normalizedVatId(text);
    const state = await this.knownStateQueueingCheck(vatId);
    if (state !== 'unknown' || this.waiting >= maxWaiting) return { vatId, state };
    this.waiting += 1;
    try {
      return { vatId, state: (await this.askRegister(vatId)) ?? 'unknown' };
    } finally {
      this.waiting -= 1;
    }
  }

  /** What is known of a normalized VAT id. If it is well-formed, also requests a check (see `VatIdCheckRepository.request`). */
  async knownStateQueueingCheck(vatId: string): Promise<VatIdState> {
    if (!isWellFormedVatId(vatId)) return 'malformed';
    await this.checks.request(vatId);
    return (await this.checks.find(vatId))?.state ?? 'unknown';
  }

  /** What is known of normalized VAT ids, without asking the register. */
  async knownStates(manager: EntityManager, vatIds: readonly string[]): Promise<Map<string, VatIdState>> {
    const given = [...new Set(vatIds)].filter((vatId) => vatId !== '');
    const checked = await this.checks.findAll(manager, given);
    return new Map([
      ...given.map((vatId) => [vatId, isWellFormedVatId(vatId) ? 'unknown' : 'malformed'] as const),
      ...checked.map(({ vatId, state }) => [vatId, state] as const),
    ]);
  }

  /** Asks the register and stores its answer; null if it does not answer. */
  async askRegister(vatId: string): Promise<'valid' | 'invalid' | null> {
    const answer = await this.vies.ask(vatId);
    if (answer) await this.checks.noteAnswer(vatId, answer);
    return answer;
  }
}
