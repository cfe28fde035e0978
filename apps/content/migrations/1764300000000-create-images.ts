import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times are stored to the millisecond, because the cursors of lists hold no smaller unit. */
export class CreateImages1764300000000 implements MigrationInterface {
  name = 'CreateImages1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE images (
        id uuid PRIMARY KEY,
        -- SHA-256 of the uploaded file: the same bytes are one picture.
        digest text NOT NULL CONSTRAINT images_digest_unique UNIQUE,
        name text NOT NULL,
        alt text NOT NULL,
        width integer NOT NULL CHECK (width > 0),
        height integer NOT NULL CHECK (height > 0),
        files jsonb NOT NULL CHECK (jsonb_typeof(files) = 'array'),
        uploaded_by text,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX images_by_time ON images (created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE images`);
  }
}
