import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For providers that create a checkout, take the money when asked to, and can be asked what has become of an attempt. */
export class ProviderCheckouts1771000000000 implements MigrationInterface {
  name = 'ProviderCheckouts1771000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_attempts
        -- The provider's id of the checkout, of the subscription, or of the charge.
        ADD COLUMN checkout_reference text,
        -- The invoice number for providers that take one: the order's number, from the second attempt on with a suffix.
        ADD COLUMN invoice text,
        -- This attempt has claimed the order's money.
        ADD COLUMN capturing boolean NOT NULL DEFAULT false,
        ADD COLUMN inquire_at timestamptz(3)`);
    await runner.query(`
      CREATE UNIQUE INDEX payment_attempts_by_checkout ON payment_attempts (provider, checkout_reference)
      WHERE checkout_reference IS NOT NULL`);
    // At most one attempt of an order has the claim.
    await runner.query(
      `CREATE UNIQUE INDEX payment_attempts_capturing ON payment_attempts (order_id) WHERE capturing`,
    );
    await runner.query(`
      CREATE INDEX payment_attempts_due ON payment_attempts (inquire_at) WHERE inquire_at IS NOT NULL`);
    // The headers that hold the signature of a notification.
    await runner.query(`ALTER TABLE payment_notices ADD COLUMN headers jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE TABLE payment_refunds (
        id uuid PRIMARY KEY,
        order_id uuid NOT NULL REFERENCES orders (id),
        attempt_id uuid NOT NULL REFERENCES payment_attempts (id),
        txn_id text NOT NULL,
        amount_cents bigint NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        -- The buyer reads it.
        reason text NOT NULL,
        requested_by text NOT NULL,
        requested_account uuid NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        state text NOT NULL CHECK (state IN ('requested', 'accepted', 'refused')),
        -- The provider's id of the refund, once the provider has accepted it.
        refund_txn_id text,
        -- Why the provider refused it.
        problem text,
        tries integer NOT NULL DEFAULT 0,
        next_try_at timestamptz(3) NOT NULL,
        lease uuid,
        leased_until timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX payment_refunds_by_order ON payment_refunds (order_id, id)`);
    await runner.query(`
      CREATE INDEX payment_refunds_due ON payment_refunds (next_try_at) WHERE state = 'requested'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE payment_refunds`);
    await runner.query(`ALTER TABLE payment_notices DROP COLUMN headers`);
    await runner.query(`
      ALTER TABLE payment_attempts
        DROP COLUMN inquire_at, DROP COLUMN capturing, DROP COLUMN invoice, DROP COLUMN checkout_reference`);
  }
}
