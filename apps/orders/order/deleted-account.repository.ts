import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** `deleted_accounts` has no entity: it is a set of ids that other tables are compared with. */
@Injectable()
export class DeletedAccountRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`
      INSERT INTO deleted_accounts (account_id, deleted_at) VALUES (${accountId}, now()) ON CONFLICT DO NOTHING`;
  }

  async has(tx: EntityManager, accountId: string): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`SELECT 1 FROM deleted_accounts WHERE account_id = ${accountId}`;
    return rows.length > 0;
  }

  /**
   * Deleted accounts that have personal data again, or a plan that has not ended. Looks at the orders and payment notifications of the last day, and
   * at anything else for a day after the deletion.
   */
  async listWithPersonalData(): Promise<string[]> {
    const rows = await this.dataSource.sql<{ account_id: string }[]>`
      SELECT o.account_id FROM orders o JOIN deleted_accounts d USING (account_id)
      WHERE o.created_at > now() - interval '1 day' AND o.customer_email <> ''
      UNION
      SELECT account_id FROM customers JOIN deleted_accounts USING (account_id)
      WHERE deleted_at > now() - interval '1 day'
      UNION
      SELECT account_id FROM billing_details JOIN deleted_accounts USING (account_id)
      WHERE deleted_at > now() - interval '1 day'
      UNION
      SELECT account_id FROM subscriptions JOIN deleted_accounts USING (account_id)
      WHERE deleted_at > now() - interval '1 day' AND (state <> 'ended' OR customer_email <> '')
      UNION
      SELECT o.account_id FROM payment_notices n
        JOIN payment_attempts a ON a.id = n.attempt_id JOIN orders o ON o.id = a.order_id
        JOIN deleted_accounts d ON d.account_id = o.account_id
      WHERE n.decided_at > now() - interval '1 day' AND n.body <> ''`;
    return rows.map(({ account_id: accountId }) => accountId);
  }
}
