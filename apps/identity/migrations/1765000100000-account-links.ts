import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountLinks1765000100000 implements MigrationInterface {
  name = 'AccountLinks1765000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_links (
        token_hash bytea PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        purpose text NOT NULL CHECK (purpose IN ('verify-email', 'reset-password', 'change-email')),
        email text NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      )`);
    await runner.query(`CREATE INDEX account_links_by_account ON account_links (account_id, created_at)`);
    await runner.query(`CREATE INDEX account_links_by_time ON account_links (created_at)`);
    await runner.query(`
      CREATE TABLE recovery_requests (
        id uuid PRIMARY KEY,
        email_normalized text NOT NULL,
        requested_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE account_devices (
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        device_hash bytea NOT NULL,
        last_seen_at timestamptz NOT NULL,
        PRIMARY KEY (account_id, device_hash)
      )`);
    await runner.query(`CREATE INDEX account_devices_by_time ON account_devices (last_seen_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE account_devices, recovery_requests, account_links`);
  }
}
