import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Reads of `payment_notices` for the check of the connection. */
@Injectable()
export class PaypalConnectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** When the last notification came that the provider has confirmed. */
  async lastNotificationAt(provider: string): Promise<Date | null> {
    const [{ at }] = await this.dataSource.sql<[{ at: Date | null }]>`
      SELECT max(last_received_at) AS at FROM payment_notices
      WHERE provider = ${provider} AND source = 'notice' AND status NOT IN ('waiting', 'forged')`;
    return at;
  }
}
