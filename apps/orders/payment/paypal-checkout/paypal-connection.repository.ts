import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Reads of `payment_notices` for the check of the connection. */
@Injectable()
export class PaypalConnectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** When the newest genuine notification about an attempt of ours was last received; null if there is none. */
  async lastNotificationAt(provider: string): Promise<Date | null> {
    const [last] = await this.dataSource.sql<{ at: Date }[]>`
      SELECT last_received_at AS at FROM payment_notices
      WHERE provider = ${provider} AND source = 'notice' AND status NOT IN ('waiting', 'forged', 'stranger')
      ORDER BY id DESC LIMIT 1`;
    return last?.at ?? null;
  }
}
