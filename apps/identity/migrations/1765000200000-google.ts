import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `sessions.authenticated_at`: when the person last proved who they are. `google_flows.session_id`: the session that becomes fresh if its person
 * signs in at Google again; null for a sign-in.
 */
export class Google1765000200000 implements MigrationInterface {
  name = 'Google1765000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz`);
    await runner.query(`UPDATE sessions SET authenticated_at = created_at`);
    await runner.query(`ALTER TABLE sessions ALTER COLUMN authenticated_at SET NOT NULL`);
    await runner.query(`
      CREATE TABLE linked_identities (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        issuer text NOT NULL,
        subject text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz NOT NULL,
        CONSTRAINT linked_identities_unique UNIQUE (issuer, subject)
      )`);
    await runner.query(`CREATE INDEX linked_identities_by_account ON linked_identities (account_id)`);
    await runner.query(`
      CREATE TABLE google_flows (
        state_hash bytea PRIMARY KEY,
        browser_hash bytea NOT NULL,
        nonce text NOT NULL,
        code_verifier text NOT NULL,
        return_to text NOT NULL,
        session_id uuid REFERENCES sessions ON DELETE CASCADE,
        started_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX google_flows_by_expiry ON google_flows (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE google_flows`);
    await runner.query(`DROP TABLE linked_identities`);
    await runner.query(`ALTER TABLE sessions DROP COLUMN authenticated_at`);
  }
}
