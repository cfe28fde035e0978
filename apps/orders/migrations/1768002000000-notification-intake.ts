import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sequence in which notifications are verified, how often the provider denied having sent each, and the account that receives an attempt's
 * money.
 */
export class NotificationIntake1768002000000 implements MigrationInterface {
  name = 'NotificationIntake1768002000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_notices
        -- How many notifications of its attempt were waiting or had proved forged when it came: the fewer, the sooner the provider is asked about it.
        -- Raised when the provider denies having sent it.
        ADD COLUMN doubt integer NOT NULL DEFAULT 0,
        -- How often the provider denied having sent the notification.
        ADD COLUMN refusals integer NOT NULL DEFAULT 0`);
    await runner.query(`
      CREATE INDEX payment_notices_due ON payment_notices ((attempt_id IS NULL), doubt, next_try_at)
      WHERE status = 'waiting'`);
    await runner.query(`ALTER TABLE payment_attempts ADD COLUMN receiver_account text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payment_attempts DROP COLUMN receiver_account`);
    await runner.query(`DROP INDEX payment_notices_due`);
    await runner.query(`ALTER TABLE payment_notices DROP COLUMN doubt, DROP COLUMN refusals`);
  }
}
