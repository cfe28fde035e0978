import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An invitation that is accepted or revoked is deleted. */
export class AdminInvitations1769100100000 implements MigrationInterface {
  name = 'AdminInvitations1769100100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin_invitations (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        email_normalized text NOT NULL CONSTRAINT admin_invitations_email_unique UNIQUE,
        token_hash bytea NOT NULL CONSTRAINT admin_invitations_token_unique UNIQUE,
        invited_by uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        sent_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX admin_invitations_by_inviter ON admin_invitations (invited_by)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE admin_invitations`);
  }
}
