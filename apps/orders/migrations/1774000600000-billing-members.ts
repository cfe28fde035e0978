import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Colleagues who see and pay a customer's orders, invoices and monthly plans. */
export class BillingMembers1774000600000 implements MigrationInterface {
  name = 'BillingMembers1774000600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE billing_members (
        owner_id uuid NOT NULL,
        account_id uuid NOT NULL,
        active boolean NOT NULL,
        version integer NOT NULL,
        PRIMARY KEY (owner_id, account_id)
      )`);
    await runner.query(`CREATE INDEX billing_members_account ON billing_members (account_id) WHERE active`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE billing_members`);
  }
}
