import pg from 'pg';
import { demoCampaignSubject, demoDomain } from '#libs/contracts';
import type { DatabaseUrls } from '../databases.js';
import { demoImportName } from './demo-history.js';
import type { DatedProject } from './demo-projects.js';

const demoAddressPattern = `%@${demoDomain}`;
/** The time from an order to its delivery, refund, dispute, failed payment or payment by hand. `delayOf` shortens it for new orders. */
const delayHours = 100;
const campaignDaysAgo = 12;
/** The age of the oldest demo data. The first demo order is a little younger. */
export const demoPeriodDays = 172;

/** The record should appear to have been made `hoursAgo` hours ago. */
export interface Dated {
  id: string;
  hoursAgo: number;
}

export async function forgetDevices(databases: DatabaseUrls, email: string): Promise<void> {
  await inTransaction(databases.identity, async (client) => {
    await client.query(
      'DELETE FROM account_devices WHERE account_id IN (SELECT id FROM accounts WHERE email_normalized = lower($1))',
      [email],
    );
  });
}

/**
 * Moves the times of the demo data into the past months. Writes to the services' databases, because services offer no way to change when something
 * happened; so it is for development machines only.
 */
export async function backdate(
  databases: DatabaseUrls,
  {
    orders,
    planIds,
    messages,
    projects,
  }: {
    orders: readonly Dated[];
    planIds: readonly string[];
    messages: readonly Dated[];
    projects: readonly DatedProject[];
  },
): Promise<void> {
  await inTransaction(databases.orders, (client) => moveOrders(client, orders));
  const timelines = await inTransaction(databases.orders, (client) => movePlans(client, planIds));
  await inTransaction(databases.messaging, (client) => moveMessaging(client, orders, messages));
  await inTransaction(databases.messaging, (client) => movePlanMails(client, timelines));
  const periods = await inTransaction(databases.projects, (client) => moveProjects(client, projects));
  await inTransaction(databases.messaging, (client) => moveProjectMails(client, periods));
  await inTransaction(databases.identity, moveAccounts);
}

async function inTransaction<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}

const delayOf = (hoursAgo: number) => `interval '${Math.min(delayHours, hoursAgo / 2)} hours'`;

async function moveOrders(client: pg.Client, orders: readonly Dated[]): Promise<void> {
  for (const { id, hoursAgo } of orders) {
    const run = (statement: string) =>
      client.query(statement.replaceAll('$age', `interval '${hoursAgo} hours'`), [id]);
    const delay = delayOf(hoursAgo);
    // The regular expression matches sentences of `PaymentLedgerService`.
    await run(`
      UPDATE order_timeline SET at = at - $age + CASE
        WHEN kind IN ('order_status_set', 'payment_status_set') OR text ~ 'was refunded|took|failed' THEN ${delay}
        ELSE interval '0' END
      WHERE order_id = $1`);
    await run(`
      UPDATE orders SET created_at = created_at - $age, order_date = ((created_at - $age) AT TIME ZONE 'UTC')::date,
        updated_at = (SELECT max(at) FROM order_timeline WHERE order_id = $1)
      WHERE id = $1`);
    await run(`
      UPDATE payment_attempts SET created_at = created_at - $age, outcome_at = outcome_at - $age WHERE order_id = $1`);
    await run(`
      UPDATE payment_events SET recorded_at = recorded_at - $age WHERE order_id = $1`);
    await run(`UPDATE staff_notes SET created_at = created_at - $age WHERE order_id = $1`);
    // These entries name the admin, but this program made the changes.
    await run('DELETE FROM audit_entries WHERE record_id = $1::text');
  }
}

/** Dates the plans by their timelines, which already have the right times. Returns the times of each timeline, latest first. */
async function movePlans(client: pg.Client, planIds: readonly string[]): Promise<Map<string, Date[]>> {
  const timelines = new Map<string, Date[]>();
  for (const id of planIds) {
    await client.query(
      `UPDATE subscriptions SET created_at = started_at,
         updated_at = (SELECT max(at) FROM subscription_timeline WHERE subscription_id = $1)
       WHERE id = $1`,
      [id],
    );
    const { rows } = await client.query<{ at: Date }>(
      'SELECT at FROM subscription_timeline WHERE subscription_id = $1 ORDER BY id DESC',
      [id],
    );
    timelines.set(
      id,
      rows.map(({ at }) => at),
    );
  }
  return timelines;
}

/**
 * A plan's latest mails get the time of its latest timeline entry, the mails before them the time of the entry before, and so on. Mails with the same
 * created_at were queued in one transaction, so they are about the same entry.
 */
async function movePlanMails(client: pg.Client, timelines: ReadonlyMap<string, Date[]>): Promise<void> {
  for (const [id, times] of timelines) {
    await client.query(
      `UPDATE mails SET finished_at = finished_at - created_at + entries.at, created_at = entries.at
       FROM (SELECT id, dense_rank() OVER (ORDER BY created_at DESC) AS place FROM mails WHERE about = $1) AS ranked
         JOIN unnest($2::timestamptz[]) WITH ORDINALITY AS entries (at, place) USING (place)
       WHERE ranked.id = mails.id`,
      [id, times],
    );
  }
}

/**
 * A project's first entry is as old as its first order; the others are spread over the hours of the work, more closely at first. What was stored
 * together with an entry gets the entry's time. Returns the times of each project's first and last entry.
 */
async function moveProjects(
  client: pg.Client,
  projects: readonly DatedProject[],
): Promise<Map<string, { began: Date; ended: Date }>> {
  const periods = new Map<string, { began: Date; ended: Date }>();
  for (const { id, hoursAgo, durationHours } of projects) {
    await client.query(
      `CREATE TEMPORARY TABLE moments ON COMMIT DROP AS
       SELECT seq, at AS was, now() - $2 * interval '1 hour'
         + $3 * interval '1 hour' * power((row_number() OVER (ORDER BY seq) - 1)::float8 / greatest(count(*) OVER () - 1, 1), 1.3) AS at
       FROM (SELECT seq, at FROM thread_entries WHERE project_id = $1
             UNION ALL SELECT seq, at FROM staff_entries WHERE project_id = $1) AS entries`,
      [id, hoursAgo, Math.min(durationHours, hoursAgo)],
    );
    for (const table of ['thread_entries', 'staff_entries'])
      await client.query(
        `UPDATE ${table} AS entry SET at = moments.at FROM moments WHERE project_id = $1 AND entry.seq = moments.seq`,
        [id],
      );
    // SQL for the new time of the entry whose old time is nearest to the column's value.
    const entryTimeOf = (column: string) =>
      `(SELECT moments.at FROM moments ORDER BY abs(extract(epoch FROM moments.was - ${column})), seq LIMIT 1)`;
    const last = '(SELECT max(at) FROM moments)';
    await client.query(
      `UPDATE deliverables SET delivered_at = ${entryTimeOf('delivered_at')},
         decided_at = CASE WHEN decided_at IS NOT NULL THEN ${entryTimeOf('decided_at')} END
       WHERE project_id = $1`,
      [id],
    );
    await client.query(
      `UPDATE briefs SET saved_at = CASE WHEN saved_at IS NOT NULL THEN ${entryTimeOf('saved_at')} END,
         completed_at = CASE WHEN completed_at IS NOT NULL THEN ${entryTimeOf('completed_at')} END
       WHERE project_id = $1`,
      [id],
    );
    await client.query(
      `UPDATE project_files SET created_at = ${entryTimeOf('created_at')} WHERE project_id = $1`,
      [id],
    );
    const { rows } = await client.query<{ began: Date; ended: Date }>(
      `UPDATE projects SET created_at = (SELECT min(at) FROM moments), updated_at = ${last}, active_at = ${last},
         state_since = ${entryTimeOf('state_since')},
         due_on = due_on - (CURRENT_DATE - ((SELECT min(at) FROM moments) AT TIME ZONE 'UTC')::date)
       WHERE id = $1 RETURNING created_at AS began, updated_at AS ended`,
      [id],
    );
    await client.query('DROP TABLE moments');
    // These entries name the admin, but this program made the changes.
    await client.query('DELETE FROM audit_entries WHERE record_id = $1::text', [id]);
    if (rows[0]) periods.set(id, rows[0]);
  }
  // This program saved the templates, too.
  await client.query("DELETE FROM audit_entries WHERE section = 'projectTemplate'");
  return periods;
}

/** Spreads each project's mails evenly over its period. */
async function moveProjectMails(
  client: pg.Client,
  periods: ReadonlyMap<string, { began: Date; ended: Date }>,
): Promise<void> {
  for (const [id, { began, ended }] of periods) {
    await client.query(
      `UPDATE mails SET created_at = placed.at, finished_at = finished_at - created_at + placed.at
       FROM (SELECT id, $2::timestamptz + ($3::timestamptz - $2::timestamptz)
               * ((row_number() OVER (ORDER BY created_at) - 1)::float8 / greatest(count(*) OVER () - 1, 1)) AS at
             FROM mails WHERE about = $1) AS placed
       WHERE placed.id = mails.id`,
      [id, began, ended],
    );
  }
}

async function moveMessaging(
  client: pg.Client,
  orders: readonly Dated[],
  messages: readonly Dated[],
): Promise<void> {
  for (const { id, hoursAgo } of orders) {
    const age = `interval '${hoursAgo} hours' - CASE WHEN template ~ 'Delivered|Refunded|Flagged|Failed' THEN ${delayOf(hoursAgo)} ELSE interval '0' END`;
    await client.query(
      `UPDATE mails SET created_at = created_at - (${age}), finished_at = finished_at - (${age}) WHERE about = $1`,
      [id],
    );
  }
  for (const { id, hoursAgo } of messages) {
    const age = `${hoursAgo} hours`;
    const answeredAfter = `interval '5 hours'`;
    await client.query(
      `UPDATE messages SET created_at = created_at - $2::interval, answered_at = answered_at - $2::interval + ${answeredAfter},
         thread = (SELECT coalesce(jsonb_agg(entry || jsonb_build_object('createdAt', answered_at - $2::interval + ${answeredAfter})), '[]')
           FROM jsonb_array_elements(thread) AS entry)
       WHERE id = $1`,
      [id, age],
    );
    const mailAge = `($2::interval - CASE WHEN template = 'messageReply' THEN ${answeredAfter} ELSE interval '0' END)`;
    await client.query(
      `UPDATE mails SET created_at = created_at - ${mailAge}, finished_at = finished_at - ${mailAge} WHERE about = $1`,
      [id, age],
    );
  }
  await client.query(
    `UPDATE subscribers SET created_at = subscribers.created_at - age, consent_at = consent_at - age,
       unsubscribed_at = unsubscribed_at - $2::interval, suppressed_at = suppressed_at - $2::interval
     FROM (SELECT id, (20 + 6 * row_number() OVER (ORDER BY id)) * interval '1 day' AS age FROM subscribers
       WHERE email_normalized LIKE $1) AS ages
     WHERE ages.id = subscribers.id`,
    [demoAddressPattern, `${campaignDaysAgo} days`],
  );
  const timeColumns = ['created_at', 'scheduled_at', 'started_at', 'finished_at', 'updated_at'];
  const sets = (columns: readonly string[]) =>
    columns.map((column) => `${column} = ${column} - interval '${campaignDaysAgo} days'`).join(', ');
  await client.query(`UPDATE campaigns SET ${sets(timeColumns)} WHERE subject = $1`, [demoCampaignSubject]);
  await client.query(
    `UPDATE mails SET ${sets(['created_at', 'finished_at'])} WHERE campaign_id IN (SELECT id FROM campaigns WHERE subject = $1)`,
    [demoCampaignSubject],
  );
  // These entries name the admin, but this program made the changes.
  await client.query(
    `DELETE FROM audit_entries WHERE record_id = ANY ($1::text[])
       OR record_id IN (SELECT id::text FROM campaigns WHERE subject = $2)
       OR record_id IN (SELECT id::text FROM subscriber_imports WHERE name = $3)`,
    [messages.map(({ id }) => id), demoCampaignSubject, demoImportName],
  );
}

/** Dates the demo customers' registrations a little before the first demo order, and ends their sessions. */
async function moveAccounts(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE accounts SET created_at = created_at - interval '${demoPeriodDays} days' WHERE email_normalized LIKE $1`,
    [demoAddressPattern],
  );
  await client.query(
    `DELETE FROM sessions WHERE account_id IN (SELECT id FROM accounts WHERE email_normalized LIKE $1)`,
    [demoAddressPattern],
  );
}
