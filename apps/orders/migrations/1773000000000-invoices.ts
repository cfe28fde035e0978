import type { MigrationInterface, QueryRunner } from 'typeorm';

const demoSeries = `('demo_invoice', 'demo_credit_note')`;

/** Invoices and credit notes: immutable documents with gapless numbers. */
export class Invoices1773000000000 implements MigrationInterface {
  name = 'Invoices1773000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice_tasks (
        -- Assigned while the row of the order is locked, so the ids of its tasks ascend with time.
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        order_id uuid NOT NULL REFERENCES orders (id),
        -- Positive for an invoice, negative for credit notes.
        cents bigint NOT NULL CHECK (cents <> 0),
        cause text NOT NULL CHECK (cause IN ('payment', 'refund', 'dispute', 'dispute_closed', 'override')),
        payment jsonb,
        -- The buyer, as the order named them when the task was created. Null once the task is done: a document issued for it contains the buyer.
        buyer jsonb CHECK (done_at IS NOT NULL OR buyer IS NOT NULL),
        tries integer NOT NULL DEFAULT 0,
        next_try_at timestamptz(3) NOT NULL DEFAULT now(),
        done_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX invoice_tasks_by_order ON invoice_tasks (order_id, id)`);
    await runner.query(`CREATE INDEX invoice_tasks_open ON invoice_tasks (id) WHERE done_at IS NULL`);
    await this.createInvoices(runner);
    await this.protect(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['invoices', 'invoice_series', 'invoice_tasks'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query(`DROP FUNCTION refuse_invoice_change, refuse_invoice_series_change`);
  }

  private async createInvoices(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice_series (
        series text NOT NULL CHECK (series IN ('invoice', 'credit_note', 'demo_invoice', 'demo_credit_note')),
        year integer NOT NULL,
        last integer NOT NULL,
        last_issued_on date NOT NULL,
        PRIMARY KEY (series, year)
      )`);
    // The amounts and other columns that are generated from the document cannot differ from it.
    await runner.query(`
      CREATE TABLE invoices (
        id uuid PRIMARY KEY,
        series text NOT NULL,
        year integer NOT NULL,
        sequence integer NOT NULL CHECK (sequence > 0),
        issued_on date NOT NULL,
        issued_at timestamptz(3) NOT NULL,
        order_id uuid NOT NULL REFERENCES orders (id),
        account_id uuid NOT NULL,
        -- Null for the two documents of a correction.
        task_id bigint REFERENCES invoice_tasks (id),
        -- The invoice that a credit note refers to, or that the new invoice after a correction or a dispute replaces.
        cites_id uuid REFERENCES invoices (id),
        document jsonb NOT NULL,
        number text NOT NULL GENERATED ALWAYS AS (document->>'number') STORED,
        kind text NOT NULL GENERATED ALWAYS AS (document->>'kind') STORED,
        net_cents bigint NOT NULL GENERATED ALWAYS AS ((document->>'netCents')::bigint) STORED,
        tax_cents bigint NOT NULL GENERATED ALWAYS AS ((document->>'taxCents')::bigint) STORED,
        gross_cents bigint NOT NULL GENERATED ALWAYS AS ((document->>'grossCents')::bigint) STORED,
        search_text text NOT NULL GENERATED ALWAYS AS (lower((document->>'number') || E'\\n#' ||
          (document->'order'->>'number') || E'\\n' || (document->'buyer'->>'name') || E'\\n' ||
          (document->'buyer'->>'company') || E'\\n' || (document->'buyer'->>'email'))) STORED,
        UNIQUE (series, year, sequence),
        CHECK (kind IN ('invoice', 'credit_note') AND series IN (kind, 'demo_' || kind)),
        CHECK (gross_cents > 0 AND net_cents >= 0 AND tax_cents >= 0 AND net_cents + tax_cents = gross_cents),
        CHECK (kind = 'invoice' OR cites_id IS NOT NULL),
        CHECK (year = extract(year FROM issued_on))
      )`);
    await runner.query(`CREATE UNIQUE INDEX invoices_number ON invoices (lower(number))`);
    await runner.query(`CREATE UNIQUE INDEX invoices_by_task ON invoices (task_id) WHERE kind = 'invoice'`);
    await runner.query(`CREATE INDEX invoices_by_time ON invoices (issued_at, id)`);
    await runner.query(`CREATE INDEX invoices_by_account ON invoices (account_id, issued_at, id)`);
    await runner.query(`CREATE INDEX invoices_by_day ON invoices (issued_on)`);
    await runner.query(`CREATE INDEX invoices_by_order ON invoices (order_id)`);
    await runner.query(`CREATE INDEX invoices_citing ON invoices (cites_id) WHERE cites_id IS NOT NULL`);
  }

  /** Documents and used numbers stay as they are. Only those of demo customers can be removed, with the demo data. */
  private async protect(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION refuse_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'DELETE' AND OLD.series IN ${demoSeries} THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'Issued documents cannot be changed (% of %)', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'integrity_constraint_violation';
      END $$`);
    await runner.query(`
      CREATE FUNCTION refuse_invoice_series_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (NEW.series, NEW.year) = (OLD.series, OLD.year) AND NEW.last = OLD.last + 1
          AND NEW.last_issued_on >= OLD.last_issued_on THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'Numbers of documents are used one after the other'
          USING ERRCODE = 'integrity_constraint_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER invoices_stay BEFORE UPDATE OR DELETE ON invoices
      FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change()`);
    await runner.query(`
      CREATE TRIGGER invoice_series_go_up BEFORE UPDATE ON invoice_series
      FOR EACH ROW EXECUTE FUNCTION refuse_invoice_series_change()`);
    await runner.query(`
      CREATE TRIGGER invoice_series_stay BEFORE DELETE ON invoice_series
      FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change()`);
    for (const table of ['invoices', 'invoice_series'])
      await runner.query(`
        CREATE TRIGGER ${table}_not_emptied BEFORE TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_invoice_change()`);
  }
}
