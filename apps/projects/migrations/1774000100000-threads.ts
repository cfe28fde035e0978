import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What only staff may read is in a table of its own. */
export class Threads1774000100000 implements MigrationInterface {
  name = 'Threads1774000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE thread_entries (
        project_id uuid NOT NULL REFERENCES projects (id),
        seq integer NOT NULL,
        -- The same as seq until the entry is edited or deleted; then the number of that change.
        change integer NOT NULL,
        kind text NOT NULL CHECK (kind IN ('message', 'event')),
        message_id uuid UNIQUE,
        side text NOT NULL CHECK (side IN ('customer', 'staff', 'system')),
        account_id uuid,
        name text NOT NULL,
        at timestamptz(3) NOT NULL,
        text text NOT NULL,
        -- The number of entries up to this one that are news for the customer's side, and for staff.
        entries_for_customer integer NOT NULL,
        entries_for_staff integer NOT NULL,
        -- Of an event.
        what text,
        state text,
        deliverable_id uuid,
        -- Of a message.
        quote_id uuid,
        -- The part of a reply by mail that is shown collapsed.
        folded text,
        by_mail boolean NOT NULL DEFAULT false,
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        PRIMARY KEY (project_id, seq),
        CHECK ((kind = 'message') = (message_id IS NOT NULL)),
        CHECK ((kind = 'event') = (what IS NOT NULL))
      )`);
    await runner.query(`CREATE UNIQUE INDEX thread_entries_by_change ON thread_entries (project_id, change)`);
    await runner.query(
      `CREATE INDEX thread_entries_by_account ON thread_entries (account_id) WHERE account_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE staff_entries (
        project_id uuid NOT NULL REFERENCES projects (id),
        seq integer NOT NULL,
        change integer NOT NULL,
        kind text NOT NULL CHECK (kind IN ('note', 'staff_event')),
        note_id uuid UNIQUE,
        account_id uuid,
        name text NOT NULL,
        at timestamptz(3) NOT NULL,
        text text NOT NULL,
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        PRIMARY KEY (project_id, seq),
        CHECK ((kind = 'note') = (note_id IS NOT NULL))
      )`);
    await runner.query(`CREATE UNIQUE INDEX staff_entries_by_change ON staff_entries (project_id, change)`);
    await runner.query(
      `CREATE INDEX staff_entries_by_account ON staff_entries (account_id) WHERE account_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE readers (
        project_id uuid NOT NULL REFERENCES projects (id),
        account_id uuid NOT NULL,
        side text NOT NULL CHECK (side IN ('customer', 'staff')),
        read_seq integer NOT NULL DEFAULT 0,
        -- How many of the entries up to read_seq were new to this side.
        read_entries integer NOT NULL DEFAULT 0,
        mailed_seq integer NOT NULL DEFAULT 0,
        reply_token text UNIQUE,
        PRIMARY KEY (project_id, account_id, side)
      )`);
    await runner.query(`CREATE INDEX readers_by_account ON readers (account_id, side, project_id)`);
    await runner.query(`CREATE TABLE people (account_id uuid PRIMARY KEY, name text NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['people', 'readers', 'staff_entries', 'thread_entries'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
