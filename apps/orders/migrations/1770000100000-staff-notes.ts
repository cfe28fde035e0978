import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes of admins about orders and customers. */
export class StaffNotes1770000100000 implements MigrationInterface {
  name = 'StaffNotes1770000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE staff_notes (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        -- Null for a note about the customer.
        order_id uuid,
        text text NOT NULL,
        author text NOT NULL,
        author_account uuid NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX staff_notes_by_order ON staff_notes (order_id, id)`);
    await runner.query(`CREATE INDEX staff_notes_by_account ON staff_notes (account_id, id)`);
    await runner.query(`CREATE INDEX staff_notes_by_author ON staff_notes (author_account)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE staff_notes`);
  }
}
