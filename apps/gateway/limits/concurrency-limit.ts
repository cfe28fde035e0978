import { DomainError } from '#libs/contracts';

interface ConcurrencyLimitOptions {
  /** The most for one key, so that one client does not take the places of all others. */
  perKey: number;
  inTotal: number;
  retryAfterSeconds: number;
}

/** Limits how much this process does at the same time: for each key, such as an account, and in total. */
export class ConcurrencyLimit {
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(private readonly options: ConcurrencyLimitOptions) {}

  /** Takes a place until the returned function is called; calling it again changes nothing. Throws OVERLOADED. */
  reserve(key: string): () => void {
    const { perKey, inTotal, retryAfterSeconds } = this.options;
    if ((this.counts.get(key) ?? 0) >= perKey || this.total >= inTotal)
      throw new DomainError('OVERLOADED', { retryAfterSeconds });
    this.count(key, 1);
    let isReserved = true;
    return () => {
      if (isReserved) this.count(key, -1);
      isReserved = false;
    };
  }

  private count(key: string, by: 1 | -1): void {
    this.total += by;
    const count = (this.counts.get(key) ?? 0) + by;
    if (count > 0) this.counts.set(key, count);
    else this.counts.delete(key);
  }
}
