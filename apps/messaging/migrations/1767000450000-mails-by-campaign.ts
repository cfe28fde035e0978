import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MailsByCampaign1767000450000 implements MigrationInterface {
  name = 'MailsByCampaign1767000450000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX mails_by_campaign ON mails (campaign_id, created_at, id) WHERE campaign_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX mails_by_campaign');
  }
}
