import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Projects1774000000000 implements MigrationInterface {
  name = 'Projects1774000000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.createTemplates(runner);
    await this.createProjects(runner);
    // Orders that pay for a project, as last read from the orders service. A change of the project's state also sets `order_status`.
    await runner.query(`
      CREATE TABLE project_orders (
        order_id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects (id),
        number bigint NOT NULL,
        paid_at timestamptz(3) NOT NULL,
        cancelled_at timestamptz(3),
        order_status text NOT NULL CHECK (order_status IN ('Pending', 'Delivered')),
        -- The version of the order that was last read from the orders service.
        order_version integer NOT NULL,
        -- The version of the order when it was added here or, if later, when an admin last set its status.
        status_version integer NOT NULL DEFAULT 0
      )`);
    await runner.query(`CREATE INDEX project_orders_by_project ON project_orders (project_id, number)`);
    await runner.query(`
      CREATE TABLE project_assignees (
        project_id uuid NOT NULL REFERENCES projects (id),
        account_id uuid NOT NULL,
        email text NOT NULL,
        PRIMARY KEY (project_id, account_id)
      )`);
    await runner.query(
      `CREATE INDEX project_assignees_by_account ON project_assignees (account_id, project_id)`,
    );
    await this.createBriefsAndDeliverables(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['deliverables', 'briefs', 'project_assignees', 'project_orders', 'projects'];
    for (const table of [...tables, 'project_settings', 'project_templates', 'site_copies'])
      await runner.query(`DROP TABLE ${table}`);
  }

  private async createTemplates(runner: QueryRunner): Promise<void> {
    // Copies of the packages and of the site's name, from the content service.
    await runner.query(`
      CREATE TABLE site_copies (
        section text NOT NULL,
        id uuid NOT NULL,
        body jsonb,
        site_version integer NOT NULL,
        PRIMARY KEY (section, id)
      )`);
    await runner.query(`
      CREATE TABLE project_templates (
        package_id uuid NOT NULL,
        version integer NOT NULL,
        package_name text NOT NULL,
        questions jsonb NOT NULL,
        checklist text[] NOT NULL,
        delivery_days integer,
        introduction text NOT NULL,
        welcome text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (package_id, version)
      )`);
    await runner.query(`
      CREATE TABLE project_settings (
        id integer PRIMARY KEY CHECK (id = 1),
        version integer NOT NULL,
        remind_after_days integer,
        remind_brief_after_days integer,
        updated_at timestamptz(3) NOT NULL
      )`);
  }

  private async createProjects(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE projects (
        id uuid PRIMARY KEY,
        version integer NOT NULL,
        -- Grows only with changes that the customer can see.
        client_version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        -- The last number that a new, edited or deleted entry of the thread was given.
        seq integer NOT NULL DEFAULT 0,
        -- How many entries of the thread are news for the customer's side, and how many for staff, whether read or not.
        entries_for_customer integer NOT NULL DEFAULT 0,
        entries_for_staff integer NOT NULL DEFAULT 0,
        -- The number of its first order.
        number bigint NOT NULL,
        account_id uuid NOT NULL,
        customer_name text NOT NULL,
        customer_email text NOT NULL,
        -- Null if neither a package on offer nor a template had the package's name when the project began.
        package_id uuid,
        package_name text NOT NULL,
        title text NOT NULL,
        subscription_id uuid UNIQUE,
        template_version integer,
        delivery_days integer,
        state text NOT NULL CHECK (state IN (
          'waiting_for_brief', 'in_progress', 'delivered', 'changes_requested', 'accepted', 'on_hold', 'closed')),
        -- For a project on hold or closed, the state before that, or 'in_progress' if the brief was completed since.
        state_before text CHECK (state_before IN (
          'waiting_for_brief', 'in_progress', 'delivered', 'changes_requested', 'accepted')),
        -- Closed by the end of a plan, or by a cancelled, refunded or disputed order. Without a plan, it reopens when the order is paid again.
        closed_by_order boolean NOT NULL DEFAULT false,
        state_since timestamptz(3) NOT NULL,
        reason text,
        due_on date,
        -- The due date, for sorting: projects without one are last.
        due_sorted date NOT NULL GENERATED ALWAYS AS (coalesce(due_on, DATE '9999-12-31')) STORED,
        labels text[] NOT NULL,
        checklist jsonb NOT NULL,
        reminded_at timestamptz(3),
        active_at timestamptz(3) NOT NULL,
        search_text text NOT NULL GENERATED ALWAYS AS (
          lower(title || E'\\n' || package_name || E'\\n' || customer_name || E'\\n' || customer_email)) STORED
      )`);
    await runner.query(`CREATE INDEX projects_by_account ON projects (account_id, active_at, id)`);
    await runner.query(`CREATE INDEX projects_by_activity ON projects (active_at, id)`);
    await runner.query(`CREATE INDEX projects_by_due_date ON projects (due_sorted, id)`);
    await runner.query(`CREATE INDEX projects_by_creation ON projects (created_at, id)`);
    await runner.query(`CREATE INDEX projects_by_state ON projects (state, due_sorted, id)`);
    await runner.query(`CREATE INDEX projects_by_number ON projects (number)`);
    await runner.query(`CREATE INDEX projects_by_label ON projects USING gin (labels)`);
    await runner.query(`CREATE INDEX projects_by_template ON projects (package_id, template_version)`);
    await runner.query(`
      CREATE INDEX projects_to_remind ON projects (state, state_since)
      WHERE reminded_at IS NULL AND state IN ('waiting_for_brief', 'delivered')`);
  }

  private async createBriefsAndDeliverables(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE briefs (
        project_id uuid PRIMARY KEY REFERENCES projects (id),
        -- The template whose questions it answers.
        package_id uuid NOT NULL,
        template_version integer NOT NULL,
        -- How many questions there are, and how many have an answer.
        questions integer NOT NULL,
        answered integer NOT NULL DEFAULT 0,
        answers jsonb NOT NULL,
        saved_at timestamptz(3),
        saved_by text,
        saved_by_account uuid,
        completed_at timestamptz(3),
        completed_by text,
        completed_by_account uuid,
        version integer NOT NULL,
        FOREIGN KEY (package_id, template_version) REFERENCES project_templates (package_id, version)
      )`);
    await runner.query(`
      CREATE TABLE deliverables (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects (id),
        -- Counted from 1 in each project.
        number integer NOT NULL,
        text text NOT NULL,
        links text[] NOT NULL,
        state text NOT NULL CHECK (state IN ('delivered', 'accepted', 'changes_requested', 'replaced')),
        delivered_at timestamptz(3) NOT NULL,
        delivered_by text NOT NULL,
        delivered_by_account uuid,
        decided_at timestamptz(3),
        decided_by text,
        decided_by_account uuid,
        reason text,
        UNIQUE (project_id, number)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX deliverables_undecided ON deliverables (project_id) WHERE state = 'delivered'`,
    );
  }
}
