import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Payments1764000100000 implements MigrationInterface {
  name = 'Payments1764000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_attempts (
        id uuid PRIMARY KEY,
        order_id uuid NOT NULL REFERENCES orders (id),
        provider text NOT NULL,
        environment text NOT NULL,
        token text NOT NULL,
        -- SHA-256 of the token. Attempts are looked up by it, so that the time of a lookup does not tell how much of a guessed token is right.
        token_digest bytea NOT NULL CONSTRAINT payment_attempts_token_unique UNIQUE,
        receiver text NOT NULL,
        amount_cents bigint NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        item_name text NOT NULL,
        forged_notices integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        -- When the outcome of the attempt became known.
        outcome_at timestamptz(3),
        -- When it was reported that the attempt has no outcome.
        missed_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX payment_attempts_by_order ON payment_attempts (order_id, id)`);
    await runner.query(`
      CREATE INDEX payment_attempts_open ON payment_attempts (created_at)
      WHERE outcome_at IS NULL AND missed_at IS NULL`);
    await runner.query(`
      CREATE TABLE payment_notices (
        id uuid PRIMARY KEY,
        provider text NOT NULL,
        -- A 'lookup' is the provider's answer to an inquiry.
        source text NOT NULL CHECK (source IN ('notice', 'lookup')),
        -- The bytes as they came. They name the buyer, so they are emptied when nobody needs them any more.
        body bytea NOT NULL,
        body_hash bytea NOT NULL CONSTRAINT payment_notices_body_unique UNIQUE,
        content_type text NOT NULL,
        received_at timestamptz(3) NOT NULL,
        receipts integer NOT NULL DEFAULT 1,
        last_received_at timestamptz(3) NOT NULL,
        -- The attempt that the notification names, even if the notification is forged.
        attempt_id uuid REFERENCES payment_attempts (id),
        traceparent text,
        status text NOT NULL CHECK (status IN
          ('waiting', 'recorded', 'repeated', 'remark', 'held', 'stranger', 'forged')),
        tries integer NOT NULL DEFAULT 0,
        next_try_at timestamptz(3) NOT NULL,
        lease uuid,
        leased_until timestamptz(3),
        last_failure text,
        alerted_at timestamptz(3),
        decided_at timestamptz(3),
        failed_checks jsonb NOT NULL DEFAULT '[]'
      )`);
    await runner.query(`
      CREATE INDEX payment_notices_waiting ON payment_notices ((attempt_id IS NULL), next_try_at)
      WHERE status = 'waiting'`);
    await runner.query(`CREATE INDEX payment_notices_by_attempt ON payment_notices (attempt_id, id)`);
    await runner.query(`
      CREATE INDEX payment_notices_decided ON payment_notices (decided_at) WHERE decided_at IS NOT NULL`);
    await runner.query(`
      CREATE TABLE payment_events (
        id uuid PRIMARY KEY,
        order_id uuid NOT NULL REFERENCES orders (id),
        attempt_id uuid NOT NULL REFERENCES payment_attempts (id),
        notice_id uuid NOT NULL REFERENCES payment_notices (id),
        provider text NOT NULL,
        txn_id text NOT NULL,
        -- As the provider spells it. A pending payment and its completion share a transaction.
        status text NOT NULL,
        parent_txn_id text,
        movement text NOT NULL CHECK (movement IN
          ('received', 'pending', 'failed', 'refunded', 'reversed', 'reversal_cancelled', 'noted')),
        amount_cents bigint NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        happened_at timestamptz(3) NOT NULL,
        recorded_at timestamptz(3) NOT NULL,
        CONSTRAINT payment_events_transaction_unique UNIQUE (provider, txn_id, status)
      )`);
    await runner.query(`CREATE INDEX payment_events_by_order ON payment_events (order_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE payment_events, payment_notices, payment_attempts`);
  }
}
