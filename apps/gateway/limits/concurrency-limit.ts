import { DomainError } from '#libs/contracts';

interface ConcurrencyLimitOptions {
  /** How many places one key, such as an account, may take at the same time. */
  perKey: number;
  inTotal: number;
  retryAfterSeconds: number;
}

/** Limits how much this process does at the same time. */
export class ConcurrencyLimit {
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(private readonly options: ConcurrencyLimitOptions) {}

  /** Takes a place until the returned function is called; calling it again changes nothing. Throws OVERLOADED if no place is free. */
  reserve(key: string): () => void {
    const { perKey, inTotal, retryAfterSeconds } = this.options;
    if ((this.counts.get(key) ?? 0) >= perKey || this.total >= inTotal)
      throw new DomainError('OVERLOADED', { retryAfterSeconds });
    this.changeCount(key, 1);
    let isReserved = true;
    return () => {
      if (isReserved) this.changeCount(key, -1);
      isReserved = false;
    };
  }

  private changeCount(key: string, by: 1 | -1): void {
    this.total += by;
    const count = (this.counts.get(key) ?? 0) + by;
    if (count > 0) this.counts.set(key, count);
    else this.counts.delete(key);
  }
}
