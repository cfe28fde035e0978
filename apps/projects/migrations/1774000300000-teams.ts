import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Teams1774000300000 implements MigrationInterface {
  name = 'Teams1774000300000';

  async up(runner: QueryRunner): Promise<void> {
    // Each change of the members and each new invitation locks the team's row and increments its version.
    await runner.query(`CREATE TABLE teams (owner_id uuid PRIMARY KEY, version integer NOT NULL)`);
    await runner.query(`
      CREATE TABLE team_members (
        owner_id uuid NOT NULL REFERENCES teams (owner_id),
        account_id uuid NOT NULL,
        role text NOT NULL CHECK (role IN ('member', 'billing')),
        name text NOT NULL,
        email text NOT NULL,
        joined_at timestamptz(3) NOT NULL,
        PRIMARY KEY (owner_id, account_id)
      )`);
    await runner.query(`CREATE INDEX team_members_by_account ON team_members (account_id, role)`);
    await runner.query(`
      CREATE TABLE team_invitations (
        id uuid PRIMARY KEY,
        owner_id uuid NOT NULL REFERENCES teams (owner_id),
        email text NOT NULL,
        name text NOT NULL,
        role text NOT NULL CHECK (role IN ('member', 'billing')),
        token_hash bytea NOT NULL UNIQUE,
        sent_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        UNIQUE (owner_id, email)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['team_invitations', 'team_members', 'teams'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
