import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Mail1765000200000 implements MigrationInterface {
  name = 'Mail1765000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        template text NOT NULL,
        -- The parameters of the template. Secret ones, such as mailed links, are removed when the mail is finished.
        params jsonb NOT NULL,
        -- Whether secret parameters were removed.
        params_blanked boolean NOT NULL DEFAULT false,
        to_address text NOT NULL,
        reply_to jsonb,
        -- The Message-ID header. All attempts use the same one, so that the receiver can recognize a mail that is sent twice.
        message_id text NOT NULL CONSTRAINT mails_message_id_unique UNIQUE,
        -- The Date header: when the mail was first tried.
        dated_at timestamptz(3),
        state text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'cancelled')),
        -- The lowest is sent first. 0: for example mails about an account. 1: for example notifications. 2: mails of campaigns.
        priority smallint NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        -- While the mail is being sent, this is when its lease ends.
        next_attempt_at timestamptz(3) NOT NULL,
        lease uuid,
        -- After this time, the mail is cancelled instead of sent.
        not_after timestamptz(3),
        -- The mail server's last answer, why there was none, or why the mail bounced.
        answer text,
        subject text,
        resend_of uuid REFERENCES mails (id) ON DELETE SET NULL,
        -- What the mail is about, for the list of mails: for example an order's id.
        about text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        bounced_at timestamptz(3)
      )`);
    await runner.query(
      `CREATE INDEX mails_due ON mails (priority, next_attempt_at) WHERE state IN ('queued', 'sending')`,
    );
    await runner.query(`CREATE INDEX mails_by_time ON mails (created_at, id)`);
    await runner.query(`CREATE INDEX mails_by_state ON mails (state, created_at, id)`);
    await runner.query(`CREATE INDEX mails_finished ON mails (finished_at) WHERE finished_at IS NOT NULL`);
    await runner.query(`
      CREATE TABLE site_copies (
        section text NOT NULL,
        id uuid NOT NULL,
        -- Null for a deleted record.
        body jsonb,
        site_version integer NOT NULL,
        PRIMARY KEY (section, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['site_copies', 'mails']) await runner.query(`DROP TABLE ${table}`);
  }
}
