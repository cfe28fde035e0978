import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `totp_factors.last_step` is the time step of the last code that was used. `ChallengePurpose` explains `passkey_challenges.purpose`. */
export class SecondFactors1765000210000 implements MigrationInterface {
  name = 'SecondFactors1765000210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE totp_factors (
        account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        secret text NOT NULL,
        created_at timestamptz NOT NULL,
        confirmed_at timestamptz,
        last_step bigint NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE recovery_codes (
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        salt bytea NOT NULL,
        used_at timestamptz,
        PRIMARY KEY (account_id, code_hash)
      )`);
    await runner.query(`
      CREATE TABLE passkeys (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        credential_id text NOT NULL CONSTRAINT passkeys_credential_unique UNIQUE,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        synced boolean NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz
      )`);
    await runner.query(`CREATE INDEX passkeys_by_account ON passkeys (account_id)`);
    await runner.query(`
      CREATE TABLE passkey_challenges (
        challenge_hash bytea PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('add', 'signIn', 'finish', 'confirm')),
        account_id uuid REFERENCES accounts ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`);
    await runner.query(`
      CREATE TABLE pending_sign_ins (
        token_hash bytea PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account_id)`);
    await runner.query(`CREATE INDEX pending_sign_ins_by_expiry ON pending_sign_ins (expires_at)`);
    await runner.query(`
      CREATE TABLE second_factor_attempts (
        account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        failures integer NOT NULL,
        last_attempt_at timestamptz NOT NULL,
        blocked_until timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE admin_requirements (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        second_factor boolean NOT NULL,
        changed_at timestamptz,
        changed_by uuid
      )`);
    await runner.query(`INSERT INTO admin_requirements (second_factor) VALUES (false)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'admin_requirements',
      'second_factor_attempts',
      'pending_sign_ins',
      'passkey_challenges',
      'passkeys',
      'recovery_codes',
      'totp_factors',
    ]) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
