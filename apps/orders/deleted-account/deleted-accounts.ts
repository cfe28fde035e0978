import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { accountDeleted, EventPayload } from '#libs/contracts';
import { Inbox, transaction } from '#libs/database';
import { OrderTimeline } from '../timeline/order-timeline.js';

const EVERY_MS = 60_000;
/** What the timeline calls whoever it named: as the customer of the order, or as an admin who changed it. */
const FORMER_CUSTOMER = 'a deleted account';
const FORMER_ADMIN = 'a former admin';

/**
 * Takes persons out of their orders when they have deleted their account. Amounts, dates and packages stay, for the books; name, address and e-mail
 * go, wherever they are kept: in the orders, in their timelines, in the notices in which the provider names the buyer.
 */
@Injectable()
export class DeletedAccounts implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeletedAccounts.name);
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly timeline: OrderTimeline,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.sweep())
        .catch((error: unknown) => {
          // The next sweep catches up.
          this.logger.warn(
            `Sweeping deleted accounts failed: ${error instanceof Error ? error.message : error}`,
          );
        });
    }, EVERY_MS);
    this.timer.unref();
  }

  /** The pool closes after this: a sweep in hand ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async forget({ accountId, email }: EventPayload<typeof accountDeleted>, eventId: string): Promise<void> {
    await this.inbox.consume('deleted-accounts', eventId, async (tx) => {
      await tx.query(
        `INSERT INTO deleted_accounts (account_id, deleted_at) VALUES ($1, now()) ON CONFLICT DO NOTHING`,
        [accountId],
      );
      await this.blank(tx, accountId);
      // In others' orders. Entries of long ago know an address only. Two statements, so that each has its index.
      await tx.query(`UPDATE order_timeline SET by = $2 WHERE by_account = $1 AND by NOT IN ($2, $3)`, [
        accountId,
        FORMER_ADMIN,
        FORMER_CUSTOMER,
      ]);
      await tx.query(
        `UPDATE order_timeline SET by = $2 WHERE by_account IS NULL AND by = $1 AND by NOT IN ($2, $3)`,
        [email, FORMER_ADMIN, FORMER_CUSTOMER],
      );
    });
  }

  /**
   * What arrived since: an order that was on its way when the account was deleted, a notice about a payment of it. Looks a day back, so
   * that an outage loses nothing.
   */
  async sweep(): Promise<void> {
    const late = await this.dataSource.query<{ account_id: string }[]>(
      `SELECT o.account_id FROM orders o JOIN deleted_accounts d USING (account_id)
       WHERE o.created_at > now() - interval '1 day' AND o.customer_email <> ''
       UNION
       SELECT o.account_id FROM payment_notices n
         JOIN payment_attempts a ON a.id = n.attempt_id JOIN orders o ON o.id = a.order_id
         JOIN deleted_accounts d ON d.account_id = o.account_id
       WHERE n.decided_at > now() - interval '1 day' AND n.body <> ''`,
    );
    for (const { account_id: accountId } of late) {
      await transaction(this.dataSource, (tx) => this.blank(tx, accountId));
    }
  }

  private async blank(tx: EntityManager, accountId: string): Promise<void> {
    // Before the orders forget them: the addresses under which the customer acted.
    await tx.query(
      `UPDATE order_timeline t SET by = $2
       FROM orders o
       WHERE o.account_id = $1 AND t.order_id = o.id AND t.by IS NOT NULL AND t.by <> $2
         AND (t.by IN (SELECT customer_email FROM orders WHERE account_id = $1)
           OR t.kind IN ('placed', 'attempt_started')
           OR (t.kind = 'cancelled' AND t.text = 'The payment was cancelled by the customer.'))`,
      [accountId, FORMER_CUSTOMER],
    );
    // What waits for a decision cannot be decided without its bytes; the sweep comes by when it is.
    await tx.query(
      `UPDATE payment_notices SET body = ''
       WHERE decided_at IS NOT NULL AND body <> '' AND attempt_id IN (
         SELECT a.id FROM payment_attempts a JOIN orders o ON o.id = a.order_id WHERE o.account_id = $1)`,
      [accountId],
    );
    const [blanked] = await tx.query<[{ id: string }[], number]>(
      `UPDATE orders
       SET customer_name = '', customer_email = '', customer_address = '', customer_country = '',
         version = version + 1, updated_at = now()
       WHERE account_id = $1 AND customer_email <> '' RETURNING id`,
      [accountId],
    );
    for (const { id } of blanked) {
      const text =
        'The customer deleted their account. Their name and addresses were removed from this order.';
      await this.timeline.append(tx, id, [{ kind: 'details_blanked', text, by: null }]);
    }
  }
}
