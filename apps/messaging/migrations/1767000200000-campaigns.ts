import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Campaigns1767000200000 implements MigrationInterface {
  name = 'Campaigns1767000200000';

  async up(runner: QueryRunner): Promise<void> {
    // Half of each database page stays free for new versions of its rows, because the counts are updated often.
    await runner.query(`
      CREATE TABLE campaigns (
        id uuid PRIMARY KEY,
        subject text NOT NULL,
        preheader text NOT NULL,
        body text NOT NULL,
        state text NOT NULL CHECK (state IN ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled')),
        version integer NOT NULL,
        scheduled_at timestamptz(3),
        started_at timestamptz(3),
        finished_at timestamptz(3),
        -- The last subscriber who was gathered into campaign_recipients; they are gathered in the order of their ids.
        gathered_to uuid,
        -- Whether all of them have been gathered.
        gathered boolean NOT NULL DEFAULT false,
        -- How many recipients there are, and how many had each outcome. Those left out were no longer subscribed. Those who bounced or
        -- unsubscribed also count as sent. Counted here, because the mails are deleted after MAIL_KEEP_DAYS.
        recipients integer NOT NULL DEFAULT 0,
        sent integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        left_out integer NOT NULL DEFAULT 0,
        bounced integer NOT NULL DEFAULT 0,
        unsubscribed integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      ) WITH (fillfactor = 50)`);
    await runner.query(`CREATE INDEX campaigns_by_time ON campaigns (created_at, id)`);
    await runner.query(
      `CREATE INDEX campaigns_under_way ON campaigns (started_at) WHERE state IN ('scheduled', 'sending')`,
    );
    // The recipients whose mail is not in the queue yet.
    await runner.query(`
      CREATE TABLE campaign_recipients (
        campaign_id uuid NOT NULL,
        subscriber_id uuid NOT NULL,
        PRIMARY KEY (campaign_id, subscriber_id)
      )`);
    // A single row. Only the process that has locked it queues campaign mails. `allowance` is how many could be queued at `refilled_at`.
    await runner.query(`
      CREATE TABLE campaign_pace (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        allowance double precision NOT NULL,
        refilled_at timestamptz NOT NULL
      )`);
    await runner.query(`INSERT INTO campaign_pace (allowance, refilled_at) VALUES (0, now())`);
    await runner.query(`
      ALTER TABLE mails
      ADD COLUMN campaign_id uuid,
      ADD COLUMN subscriber_id uuid,
      ADD CHECK ((campaign_id IS NULL) = (subscriber_id IS NULL))`);
    await runner.query(
      `CREATE INDEX mails_of_campaigns ON mails (campaign_id)
       WHERE campaign_id IS NOT NULL AND state IN ('queued', 'sending')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mails DROP COLUMN campaign_id, DROP COLUMN subscriber_id`);
    for (const table of ['campaign_pace', 'campaign_recipients', 'campaigns'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
