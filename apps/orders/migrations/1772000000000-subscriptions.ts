import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plans that renew every month. */
export class Subscriptions1772000000000 implements MigrationInterface {
  name = 'Subscriptions1772000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE orders
        -- The cycle of a plan that renews, counted from 1.
        ADD COLUMN cycle integer,
        ADD COLUMN subscription_id uuid`);
    await runner.query(`
      CREATE UNIQUE INDEX orders_by_subscription ON orders (subscription_id, cycle) WHERE subscription_id IS NOT NULL`);
    await runner.query(`
      ALTER TABLE payment_attempts ADD COLUMN kind text NOT NULL DEFAULT 'payment'
        CHECK (kind IN ('payment', 'subscription', 'charge'))`);
    await this.createSubscriptions(runner);
    // What happened to each subscription, and how it changed the monthly recurring revenue.
    await runner.query(`
      CREATE TABLE subscription_timeline (
        id uuid PRIMARY KEY,
        subscription_id uuid NOT NULL REFERENCES subscriptions (id),
        at timestamptz(3) NOT NULL,
        text text NOT NULL,
        by text,
        by_account uuid,
        movement text CHECK (movement IN ('new', 'expansion', 'contraction', 'churned')),
        cents bigint CHECK (cents > 0)
      )`);
    await runner.query(
      `CREATE INDEX subscription_timeline_by_subscription ON subscription_timeline (subscription_id, id)`,
    );
    await runner.query(
      `CREATE INDEX subscription_timeline_movements ON subscription_timeline (at) WHERE movement IS NOT NULL`,
    );
    // The provider's product and plan of each package at each price.
    await runner.query(`
      CREATE TABLE billing_plans (
        plan text PRIMARY KEY,
        product text NOT NULL,
        -- The client id of our app at the provider; the app created the plan and the product.
        app text NOT NULL,
        environment text NOT NULL,
        package_name text NOT NULL,
        price_cents bigint NOT NULL,
        UNIQUE (app, environment, package_name, price_cents)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['billing_plans', 'subscription_timeline', 'subscriptions'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query(`ALTER TABLE payment_attempts DROP COLUMN kind`);
    await runner.query(`ALTER TABLE orders DROP COLUMN subscription_id, DROP COLUMN cycle`);
  }

  private async createSubscriptions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE subscriptions (
        id uuid PRIMARY KEY,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        account_id uuid NOT NULL,
        customer_name text NOT NULL,
        customer_email text NOT NULL,
        customer_address text NOT NULL,
        customer_country text NOT NULL,
        package_name text NOT NULL,
        price_cents bigint NOT NULL,
        first_order_id uuid NOT NULL UNIQUE REFERENCES orders (id),
        first_order_number bigint NOT NULL,
        provider text NOT NULL,
        environment text NOT NULL,
        receiver text NOT NULL,
        -- The provider's id of the subscription.
        reference text NOT NULL,
        state text NOT NULL
          CHECK (state IN ('pending', 'active', 'past_due', 'suspended', 'paused', 'ending', 'ended')),
        -- The status at the provider when it was last read.
        provider_status text NOT NULL CHECK (provider_status IN ('unapproved', 'charging', 'stopped', 'cancelled')),
        -- The status that the subscription should have at the provider, and the reason if this is 'stopped'.
        wanted text NOT NULL CHECK (wanted IN ('charging', 'stopped', 'cancelled')),
        wanted_because text CHECK (wanted_because IN ('ending', 'paused', 'unpaid')),
        end_reason text CHECK (end_reason IN ('customer', 'admin', 'provider', 'account_deleted', 'unpaid')),
        -- From here on, all times are by the billing clock.
        started_at timestamptz(3) NOT NULL,
        cycles integer NOT NULL DEFAULT 0,
        next_charge_at timestamptz(3),
        paid_until timestamptz(3),
        past_due_since timestamptz(3),
        retry_at timestamptz(3),
        outstanding_cents bigint NOT NULL DEFAULT 0,
        -- How many reminders of the failed charge have become due.
        reminders integer NOT NULL DEFAULT 0,
        ends_at timestamptz(3),
        ended_at timestamptz(3),
        change_package text,
        change_cents bigint,
        change_by text CHECK (change_by IN ('customer', 'admin')),
        change_approvable_from timestamptz(3),
        change_applies_from timestamptz(3),
        change_approved boolean NOT NULL DEFAULT false,
        -- The customer was told that the change can be approved.
        change_told boolean NOT NULL DEFAULT false,
        problem text,
        inquire_at timestamptz(3),
        -- When the subscription's charges were last read at the provider.
        read_until timestamptz(3),
        UNIQUE (provider, reference)
      )`);
    await runner.query(`CREATE INDEX subscriptions_by_account ON subscriptions (account_id, id)`);
    await runner.query(`CREATE INDEX subscriptions_by_start ON subscriptions (started_at, id)`);
    await runner.query(`CREATE INDEX subscriptions_by_charge ON subscriptions (next_charge_at, id)`);
    await runner.query(`CREATE INDEX subscriptions_by_price ON subscriptions (price_cents, id)`);
    await runner.query(`CREATE INDEX subscriptions_by_package ON subscriptions (package_name, price_cents)`);
    await runner.query(
      `CREATE INDEX subscriptions_due ON subscriptions (inquire_at) WHERE inquire_at IS NOT NULL`,
    );
  }
}
