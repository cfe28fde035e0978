import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The site's name at the time of a payment, and the copy of the content that it is read from. */
export class Sellers1770000200000 implements MigrationInterface {
  name = 'Sellers1770000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE orders ADD COLUMN seller text`);
    await runner.query(`
      CREATE TABLE site_copies (
        section text NOT NULL,
        id uuid NOT NULL,
        body jsonb,
        site_version integer NOT NULL,
        PRIMARY KEY (section, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE site_copies`);
    await runner.query(`ALTER TABLE orders DROP COLUMN seller`);
  }
}
