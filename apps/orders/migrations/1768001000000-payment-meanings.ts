import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Distinguishes refused, disputed and unconfirmed payments, and records who cancelled an order. */
export class PaymentMeanings1768001000000 implements MigrationInterface {
  name = 'PaymentMeanings1768001000000';

  async up(runner: QueryRunner): Promise<void> {
    // The provider's fee, if known.
    await runner.query(`ALTER TABLE payment_events ADD COLUMN fee_cents bigint`);
    // When the buyer first returned from the checkout.
    await runner.query(`ALTER TABLE payment_attempts ADD COLUMN returned_at timestamptz(3)`);
    await runner.query(`ALTER TABLE orders ADD COLUMN disputed_cents bigint NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE orders ADD COLUMN cancelled_by text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE orders DROP COLUMN cancelled_by, DROP COLUMN disputed_cents`);
    await runner.query(`ALTER TABLE payment_attempts DROP COLUMN returned_at`);
    await runner.query(`ALTER TABLE payment_events DROP COLUMN fee_cents`);
  }
}
