import { Injectable } from '@nestjs/common';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** Counting a longer list takes more than a few milliseconds. */
const longList = 10_000;
const rememberedMs = 1000;
const maxRemembered = 100;

interface Counted {
  total: number;
  /** `performance.now()` before the count. */
  at: number;
}

/** Counts what a query selects. For a long list, counting would be most of the cost of a page, so the count may be a second old. */
@Injectable()
export class ListTotals {
  private readonly remembered = new Map<string, Counted>();

  async count<R extends ObjectLiteral>(chosen: SelectQueryBuilder<R>): Promise<number> {
    const key = JSON.stringify(chosen.getQueryAndParameters());
    const at = performance.now();
    const known = this.remembered.get(key);
    if (known && at - known.at < rememberedMs) return known.total;
    const total = await chosen.getCount();
    this.remembered.delete(key);
    if (total > longList) this.remembered.set(key, { total, at });
    if (this.remembered.size > maxRemembered) {
      this.remembered.delete(this.remembered.keys().next().value!);
    }
    return total;
  }
}
