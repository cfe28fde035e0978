import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the provider's fee, when the buyer returned from the checkout, the disputed amount of an order, and who cancelled it. */
export class PaymentMeanings1768001000000 implements MigrationInterface {
  name = 'PaymentMeanings1768001000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payment_events ADD COLUMN fee_cents bigint`);
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
