import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect } from '@jest/globals';
import { eventually, freshDatabase, freshRedis, type BuiltProcess, startBuiltProcess } from '#libs/testing';
import { seller } from './invoices.harness.js';

/** Replicas of the orders service as processes, which are killed while they issue documents. */
export class CrashingReplicas {
  private readonly running: BuiltProcess[] = [];

  private constructor(
    readonly sql: pg.Client,
    private readonly env: Record<string, string>,
    private readonly drop: () => Promise<unknown>,
  ) {}

  static async start(replicas: number): Promise<CrashingReplicas> {
    const [database, redis] = await Promise.all([freshDatabase('orders'), freshRedis()]);
    const sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    const env = {
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'info' },
      ...{ PUBLIC_URL: 'http://site.test', PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9' },
    };
    const crashing = new CrashingReplicas(sql, env, () => Promise.all([redis.stop(), database.drop()]));
    try {
      for (let index = 0; index < replicas; index += 1) await crashing.launch(index);
      return crashing;
    } catch (error) {
      // Otherwise Jest would wait for the processes that still run.
      await crashing.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const { child } of this.running) child.kill('SIGKILL');
    await Promise.all(this.running.map(({ exited }) => exited));
    await this.sql.end();
    await this.drop();
  }

  private async launch(index: number): Promise<void> {
    this.running[index] = startBuiltProcess('orders', this.env);
    await this.running[index].ready();
  }

  async killAndRestart(index: number): Promise<void> {
    const { child, exited } = this.running[index]!;
    child.kill('SIGKILL');
    await exited;
    await this.launch(index);
  }

  /** Each order has the tasks for an invoice and a credit note, as if it had been paid and then refunded in part. */
  async insertOrdersWithTwoTasks(orders: number): Promise<void> {
    await this.sql.query(
      `INSERT INTO invoice_settings (id, version, settings, issues_from, updated_at)
       VALUES (1, 1, $1, now(), now()) ON CONFLICT DO NOTHING`,
      [settings],
    );
    await this.sql.query(
      `WITH placed AS (
         INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address,
           customer_country, package_name, package_price, price_cents, created_at, updated_at)
         SELECT gen_random_uuid(), $2, now(), 'Person ' || n, 'p' || n || '@example.com', 'Street 1', 'Germany',
           'Premium', '290.00', 29000, now(), now() FROM generate_series(1, $1::int) n RETURNING id, customer_email)
       INSERT INTO invoice_tasks (order_id, cents, cause, payment, buyer)
       SELECT id, cents, cause, jsonb_build_object('method', 'PayPal', 'reference', id, 'at', now()),
         jsonb_build_object('name', 'Ada', 'email', customer_email, 'address', 'Street 1', 'country', 'Germany', 'billing', null)
       FROM (VALUES (1, 29000, 'payment'), (2, -9000, 'refund')) AS step (place, cents, cause), placed
       ORDER BY step.place, placed.id`,
      [orders, randomUUID()],
    );
  }

  private async countDocuments(): Promise<number> {
    const { rows } = await this.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM invoices');
    return rows[0]!.count;
  }

  waitForDocuments(documents: number): Promise<number> {
    return eventually(
      async () => {
        const found = await this.countDocuments();
        expect(found).toBeGreaterThanOrEqual(documents);
        return found;
      },
      { timeoutMs: 120_000, intervalMs: 5 },
    );
  }

  /** Each task has one document of its amount, each credit note cites the invoice of its order, and each document has one timeline entry. */
  async expectOneDocumentPerTask(): Promise<void> {
    const { rows: wrong } = await this.sql.query(
      `SELECT t.id, t.cents, array_agg(i.number) AS numbers FROM invoice_tasks t
       LEFT JOIN invoices i ON i.task_id = t.id LEFT JOIN invoices cited ON cited.id = i.cites_id
       GROUP BY t.id
       HAVING count(i.id) <> 1 OR bool_or(t.done_at IS NULL OR i.gross_cents <> abs(t.cents) OR i.order_id <> t.order_id
         OR (i.kind = 'credit_note') <> (t.cents < 0)
         OR (i.kind = 'credit_note' AND cited.order_id IS DISTINCT FROM t.order_id))`,
    );
    expect(wrong).toEqual([]);
    const { rows: entries } = await this.sql.query(
      `SELECT count(*)::int AS count, count(DISTINCT text)::int AS texts FROM order_timeline WHERE kind = 'invoice'`,
    );
    const documents = await this.countDocuments();
    expect(entries).toEqual([{ count: documents, texts: documents }]);
  }
}

const settings = {
  ...{ addressLine2: '', email: '', taxNumber: '', register: '', bankAccount: '', paper: 'A4' },
  ...{ invoicePrefix: 'INV-', creditNotePrefix: 'CN-', exemptionReason: '', domesticRate: '' },
  ...{ aboveThreshold: false, accountingCurrency: '', exchangeRate: '', attachToMail: false },
  ...seller,
};
