import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReportsAndMails1774000400000 implements MigrationInterface {
  name = 'ReportsAndMails1774000400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE report_links (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects (id),
        token_hash bytea NOT NULL UNIQUE,
        label text NOT NULL,
        created_by uuid,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        opened_at timestamptz(3),
        revoked_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX report_links_by_project ON report_links (project_id, id)`);
    await runner.query(`
      CREATE TABLE inbound_mails (
        -- The SHA-256 of the raw message, in hex.
        id text PRIMARY KEY,
        received_at timestamptz(3) NOT NULL,
        state text NOT NULL CHECK (state IN ('stored', 'posted', 'dropped')),
        -- Why it was dropped.
        why text,
        project_id uuid REFERENCES projects (id),
        -- The id under which storage has the raw message until the mail is handled.
        file_id uuid,
        -- A hash (SHA-256) of the Message-ID together with the key of the sender's row in the table readers. It keeps a message from
        -- being posted twice if it arrives again with other trace headers, and therefore with another id.
        reply_key text,
        tries integer NOT NULL DEFAULT 0,
        next_try_at timestamptz(3) NOT NULL DEFAULT now(),
        lease uuid
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX inbound_mails_posted ON inbound_mails (reply_key) WHERE state = 'posted'`,
    );
    await runner.query(
      `CREATE INDEX inbound_mails_due ON inbound_mails (next_try_at) WHERE state = 'stored'`,
    );
    await runner.query(
      `CREATE INDEX inbound_mails_handled ON inbound_mails (received_at) WHERE state <> 'stored'`,
    );
    await runner.query(
      `CREATE TABLE deleted_accounts (account_id uuid PRIMARY KEY, deleted_at timestamptz(3) NOT NULL)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['deleted_accounts', 'inbound_mails', 'report_links'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
