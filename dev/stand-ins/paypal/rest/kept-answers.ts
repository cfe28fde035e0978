import type { Clock } from '../clock.js';

export interface KeptAnswer {
  key: string;
  answer: object;
  until: number;
}

const maxAnswers = 10_000;

/**
 * Successful answers by app, method, address and `PayPal-Request-Id`. While one is kept, a repeated request gets it again and is not carried out,
 * even if the body differs: PayPal documents no error for that.
 */
export class KeptAnswers {
  private readonly kept = new Map<string, KeptAnswer>();

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  get all(): KeptAnswer[] {
    return [...this.kept.values()];
  }

  find(key: string): object | undefined {
    const kept = this.kept.get(key);
    return kept && kept.until > this.clock.now() ? kept.answer : undefined;
  }

  keep(key: string, answer: object, forMs: number): void {
    this.kept.set(key, { key, answer, until: this.clock.now() + forMs });
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxAnswers) break;
      this.kept.delete(oldest);
    }
    this.changed();
  }

  restore(kept: KeptAnswer[]): void {
    for (const keptAnswer of kept) this.kept.set(keptAnswer.key, keptAnswer);
  }
}
