import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { billingDetailsContract, type HandlerInputs, type VatIdState } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { isWellFormedVatId, normalizedVatId } from './vat-id.js';
import { VatIdCheckRepository } from './vat-id-check.repository.js';
import { ViesClient } from './vies.client.js';

type Input = HandlerInputs<typeof billingDetailsContract>;

/** Callers per process that wait for the register (VIES). Further ones are answered immediately, so a slow register cannot block the service. */
const maxWaiting = 4;

/** While the register does not answer, nobody waits longer than a few seconds, and no VAT ID becomes invalid because of that. */
@Injectable()
export class VatIdService {
  private waiting = 0;

  constructor(
    private readonly checks: VatIdCheckRepository,
    private readonly vies: ViesClient,
  ) {}

  @Handles(billingDetailsContract.checkVatId)
  async check({ vatId: text }: Input['checkVatId']): Promise<{ vatId: string; state: VatIdState }> {
    const vatId = normalizedVatId(text);
    const state = await this.readStateAndQueueCheck(vatId);
    if (state !== 'unknown' || this.waiting >= maxWaiting) return { vatId, state };
    this.waiting += 1;
    try {
      return { vatId, state: (await this.askRegisterAndStore(vatId)) ?? 'unknown' };
    } finally {
      this.waiting -= 1;
    }
  }

  /** For a normalized VAT ID. If it is well-formed and has no recent answer, also queues a check. */
  async readStateAndQueueCheck(vatId: string): Promise<VatIdState> {
    if (!isWellFormedVatId(vatId)) return 'malformed';
    await this.checks.queueIfNeeded(vatId);
    return (await this.checks.find(vatId))?.state ?? 'unknown';
  }

  /** For normalized VAT IDs. Queues no check. */
  async knownStates(manager: EntityManager, vatIds: readonly string[]): Promise<Map<string, VatIdState>> {
    const given = [...new Set(vatIds)].filter((vatId) => vatId !== '');
    const checked = await this.checks.list(manager, given);
    return new Map([
      ...given.map((vatId) => [vatId, isWellFormedVatId(vatId) ? 'unknown' : 'malformed'] as const),
      ...checked.map(({ vatId, state }) => [vatId, state] as const),
    ]);
  }

  async askRegisterAndStore(vatId: string): Promise<'valid' | 'invalid' | null> {
    const answer = await this.vies.ask(vatId);
    if (answer) await this.checks.storeAnswer(vatId, answer);
    return answer;
  }
}
