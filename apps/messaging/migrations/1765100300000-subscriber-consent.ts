import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an address gets the newsletter, and the evidence of consent. Nothing shows that existing addresses were entered by their owners, so they
 * are pending until their owners sign up again and confirm.
 */
export class SubscriberConsent1765100300000 implements MigrationInterface {
  name = 'SubscriberConsent1765100300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscribers
      ADD COLUMN status text NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'subscribed', 'unsubscribed', 'suppressed')),
      -- The key that signs the links in mails; 244 random bits. Links stay valid when keys of the installation are replaced.
      ADD COLUMN link_secret text NOT NULL
        DEFAULT encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex'),
      -- Incremented when the subscriber unsubscribes; earlier confirmation links then no longer work.
      ADD COLUMN link_round integer NOT NULL DEFAULT 0,
      ADD COLUMN consent_at timestamptz(3),
      ADD COLUMN consent_source text CHECK (consent_source IN ('form', 'import', 'admin')),
      -- What the person confirms or, for an import, the admin's words on how and when consent was given.
      ADD COLUMN consent_text text,
      ADD COLUMN consent_ip text,
      ADD COLUMN confirmations_sent integer NOT NULL DEFAULT 0,
      ADD COLUMN confirmation_sent_at timestamptz(3),
      ADD COLUMN confirmed_at timestamptz(3),
      ADD COLUMN confirmed_ip text,
      ADD COLUMN unsubscribed_at timestamptz(3),
      ADD COLUMN suppressed_at timestamptz(3),
      ADD COLUMN suppressed_reason text,
      -- The status that the subscriber has again once the suppression is lifted.
      ADD COLUMN status_unsuppressed text
        CHECK (status_unsuppressed IN ('pending', 'subscribed', 'unsubscribed'))`);
    await runner.query(`UPDATE subscribers SET consent_source = 'form', consent_at = created_at`);
    await runner.query(`CREATE INDEX subscribers_by_status ON subscribers (status, created_at, id)`);
    await runner.query(
      `CREATE INDEX subscribers_by_status_and_email ON subscribers (status, email_sorted, id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscribers
      DROP COLUMN status, DROP COLUMN link_secret, DROP COLUMN link_round,
      DROP COLUMN consent_at, DROP COLUMN consent_source, DROP COLUMN consent_text, DROP COLUMN consent_ip,
      DROP COLUMN confirmations_sent, DROP COLUMN confirmation_sent_at, DROP COLUMN confirmed_at,
      DROP COLUMN confirmed_ip, DROP COLUMN unsubscribed_at, DROP COLUMN suppressed_at,
      DROP COLUMN suppressed_reason, DROP COLUMN status_unsuppressed`);
  }
}
