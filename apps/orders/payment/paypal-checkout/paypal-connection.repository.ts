import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class PaypalConnectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** When a genuine notification about an attempt of ours was last received, repetitions included. */
  async findLastNotificationAt(provider: string): Promise<Date | null> {
    const [{ at }] = await this.dataSource.sql<[{ at: Date | null }]>`
      SELECT max(last_received_at) AS at FROM payment_notices
      WHERE provider = ${provider} AND source = 'notice' AND status NOT IN ('waiting', 'forged', 'stranger')`;
    return at;
  }
}
