import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Identity1763600100000 implements MigrationInterface {
  name = 'Identity1763600100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        email_normalized text NOT NULL CONSTRAINT accounts_email_unique UNIQUE,
        email_verified boolean NOT NULL,
        name text,
        created_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE credentials (
        account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        password_hash text NOT NULL,
        changed_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE sessions (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        user_agent text NOT NULL,
        address text NOT NULL,
        ended_at timestamptz,
        end_reason text,
        CONSTRAINT sessions_end_has_reason CHECK ((ended_at IS NULL) = (end_reason IS NULL))
      )`);
    await runner.query(`CREATE INDEX sessions_by_account ON sessions (account_id) WHERE ended_at IS NULL`);
    await runner.query(`CREATE INDEX sessions_by_expiry ON sessions (expires_at)`);
    await runner.query(`CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL`);
    await runner.query(`
      CREATE TABLE refresh_tokens (
        token_hash bytea PRIMARY KEY,
        session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        rotated_at timestamptz
      )`);
    await runner.query(`CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id)`);
    await runner.query(`CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at)`);
    await runner.query(`
      CREATE TABLE sign_in_attempts (
        email_hash bytea NOT NULL,
        address text NOT NULL,
        failures integer NOT NULL,
        last_attempt_at timestamptz NOT NULL,
        blocked_until timestamptz NOT NULL,
        PRIMARY KEY (email_hash, address)
      )`);
    await runner.query(`CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (last_attempt_at)`);
    await runner.query(`
      CREATE TABLE signing_keys (
        kid text PRIMARY KEY,
        algorithm text NOT NULL,
        state text NOT NULL CHECK (state IN ('next', 'current', 'retired')),
        public_jwk jsonb NOT NULL,
        private_key text NOT NULL,
        created_at timestamptz NOT NULL,
        retired_at timestamptz
      )`);
    // Replicas that start at the same time each insert a current key; only the first is accepted.
    await runner.query(
      `CREATE UNIQUE INDEX signing_keys_one_current ON signing_keys (state) WHERE state = 'current'`,
    );
    await runner.query(`
      CREATE TABLE admin_users (
        id uuid PRIMARY KEY,
        user_email text NOT NULL,
        email_normalized text NOT NULL CONSTRAINT admin_users_email_unique UNIQUE,
        version integer NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE admin_user_history (
        id uuid PRIMARY KEY,
        admin_user_id uuid NOT NULL,
        version integer NOT NULL,
        change text NOT NULL CHECK (change IN ('created', 'updated', 'deleted')),
        user_email text NOT NULL,
        changed_at timestamptz NOT NULL,
        changed_by uuid
      )`);
    await runner.query(
      `CREATE INDEX admin_user_history_by_entry ON admin_user_history (admin_user_id, version)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'admin_user_history',
      'admin_users',
      'signing_keys',
      'sign_in_attempts',
      'refresh_tokens',
      'sessions',
      'credentials',
      'accounts',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
