import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** For a regular expression in Postgres. */
const escaped = (text: string) => text.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`);

/**
 * Finds and removes all that names a person whose account was deleted, in one place so that nothing is overlooked. `TeamService.forget` removes the
 * person's own team and memberships. The audit log keeps the addresses of admins. `deleted_accounts` has no entity, because each row is only an id
 * and a time.
 */
@Injectable()
export class DeletedAccountRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`
      INSERT INTO deleted_accounts (account_id, deleted_at) VALUES (${accountId}, now()) ON CONFLICT DO NOTHING`;
  }

  /** The accounts deleted in the last day for which a late call or event has stored personal data again. */
  async listNamedAgain(): Promise<string[]> {
    const rows = await this.dataSource.sql<{ account_id: string }[]>`
      SELECT account_id FROM deleted_accounts d WHERE deleted_at > now() - interval '1 day' AND (
        EXISTS (SELECT 1 FROM projects p WHERE p.account_id = d.account_id AND customer_email <> '')
        OR EXISTS (SELECT 1 FROM thread_entries e WHERE e.account_id = d.account_id)
        OR EXISTS (SELECT 1 FROM staff_entries e WHERE e.account_id = d.account_id)
        OR EXISTS (SELECT 1 FROM project_files f WHERE f.account_id = d.account_id)
        OR EXISTS (SELECT 1 FROM briefs b WHERE b.saved_by_account = d.account_id)
        OR EXISTS (SELECT 1 FROM project_assignees a WHERE a.account_id = d.account_id)
        OR EXISTS (SELECT 1 FROM readers r WHERE r.account_id = d.account_id)
        OR EXISTS (SELECT 1 FROM report_links l WHERE l.created_by = d.account_id)
        OR EXISTS (SELECT 1 FROM team_members m WHERE d.account_id IN (m.account_id, m.owner_id))
        OR EXISTS (SELECT 1 FROM team_invitations i WHERE i.owner_id = d.account_id)
        OR EXISTS (SELECT 1 FROM people p WHERE p.account_id = d.account_id))`;
    return rows.map(({ account_id: accountId }) => accountId);
  }

  /** The projects that somebody owns or has taken part in, locked in the order of their ids. */
  async lockProjects(tx: EntityManager, accountId: string): Promise<string[]> {
    const rows = await tx.sql<{ id: string }[]>`
      SELECT id FROM projects WHERE account_id = ${accountId}
        OR id IN (SELECT project_id FROM thread_entries WHERE account_id = ${accountId})
        OR id IN (SELECT project_id FROM staff_entries WHERE account_id = ${accountId})
        OR id IN (SELECT project_id FROM readers WHERE account_id = ${accountId})
        OR id IN (SELECT project_id FROM project_files WHERE account_id = ${accountId})
        OR id IN (SELECT project_id FROM briefs WHERE saved_by_account = ${accountId})
        OR id IN (SELECT project_id FROM project_assignees WHERE account_id = ${accountId})
      ORDER BY id FOR NO KEY UPDATE`;
    return rows.map(({ id }) => id);
  }

  /** Deletes the stored name and returns it. Waits for transactions that have called `PersonRepository.delayDeletion`. */
  async takeName(tx: EntityManager, accountId: string): Promise<string | null> {
    const [[person]] = await tx.sql<[{ name: string }[], number]>`
      DELETE FROM people WHERE account_id = ${accountId} RETURNING name`;
    return person?.name ?? null;
  }

  async assigneeEmails(tx: EntityManager, accountId: string): Promise<string[]> {
    const rows = await tx.sql<{ email: string }[]>`
      SELECT DISTINCT email FROM project_assignees WHERE account_id = ${accountId}`;
    return rows.map(({ email }) => email);
  }

  async staffNames(tx: EntityManager, accountId: string): Promise<string[]> {
    const rows = await tx.sql<{ name: string }[]>`
      SELECT name FROM thread_entries WHERE account_id = ${accountId} AND side = 'staff'
      UNION SELECT name FROM staff_entries WHERE account_id = ${accountId}`;
    return rows.map(({ name }) => name);
  }

  /**
   * Replaces the person's name with `admin` where they acted as staff, otherwise with `customer`. Also removes the collapsed parts of their replies
   * by mail, their assignments and their read marks. In their own projects, removes their address and revokes the report links.
   */
  async anonymize(
    tx: EntityManager,
    accountId: string,
    projectIds: readonly string[],
    { customer, admin }: { customer: string; admin: string },
  ): Promise<void> {
    for (const [side, replacement] of [
      ['customer', customer],
      ['staff', admin],
    ] as const)
      await tx.sql`
        UPDATE thread_entries SET account_id = NULL, folded = NULL, name = ${replacement},
          text = CASE WHEN kind = 'event' AND starts_with(text, name)
            THEN ${capitalized(replacement)}::text || substr(text, length(name) + 1) ELSE text END
        WHERE account_id = ${accountId} AND side = ${side}`;
    await tx.sql`
      UPDATE staff_entries SET account_id = NULL, name = ${admin},
        text = CASE WHEN kind = 'staff_event' AND starts_with(text, name)
          THEN ${capitalized(admin)}::text || substr(text, length(name) + 1) ELSE text END
      WHERE account_id = ${accountId}`;
    await tx.sql`
      UPDATE project_files SET account_id = NULL,
        uploader_name = CASE side WHEN 'staff' THEN ${admin} ELSE ${customer} END
      WHERE account_id = ${accountId}`;
    await tx.sql`
      UPDATE deliverables SET delivered_by = ${admin}, delivered_by_account = NULL
      WHERE project_id = ANY (${projectIds}::uuid[]) AND delivered_by_account = ${accountId}`;
    await tx.sql`
      UPDATE deliverables SET decided_by = ${customer}, decided_by_account = NULL
      WHERE project_id = ANY (${projectIds}::uuid[]) AND decided_by_account = ${accountId}`;
    await tx.sql`
      UPDATE briefs SET saved_by = ${customer}, saved_by_account = NULL
      WHERE project_id = ANY (${projectIds}::uuid[]) AND saved_by_account = ${accountId}`;
    await tx.sql`
      UPDATE briefs SET completed_by = ${customer}, completed_by_account = NULL
      WHERE project_id = ANY (${projectIds}::uuid[]) AND completed_by_account = ${accountId}`;
    await tx.sql`
      UPDATE projects SET checklist = (
        SELECT coalesce(jsonb_agg(CASE WHEN step #>> '{done,accountId}' = ${accountId}
          THEN jsonb_set(step, '{done}', step -> 'done' || jsonb_build_object('by', ${admin}::text, 'accountId', NULL))
          ELSE step END ORDER BY place), '[]')
        FROM jsonb_array_elements(checklist) WITH ORDINALITY AS steps (step, place))
      WHERE id = ANY (${projectIds}::uuid[]) AND checklist @> ${JSON.stringify([{ done: { accountId } }])}::jsonb`;
    // Removed steps serve only to undo a removal. If this person ticked one of them, the project loses them all.
    await tx.sql`
      UPDATE projects SET removed_steps = '[]'
      WHERE id = ANY (${projectIds}::uuid[]) AND removed_steps @> ${JSON.stringify([{ done: { accountId } }])}::jsonb`;
    await tx.sql`
      UPDATE projects SET customer_name = ${customer}, customer_email = '' WHERE account_id = ${accountId}`;
    await tx.sql`
      UPDATE report_links SET revoked_at = now()
      WHERE revoked_at IS NULL AND project_id IN (SELECT id FROM projects WHERE account_id = ${accountId})`;
    await tx.sql`UPDATE report_links SET created_by = NULL WHERE created_by = ${accountId}`;
    await tx.sql`DELETE FROM project_assignees WHERE account_id = ${accountId}`;
    await tx.sql`DELETE FROM readers WHERE account_id = ${accountId}`;
  }

  /**
   * `names` are the known names and addresses by which staff events may call the person. They are replaced only in projects in which the person took
   * part as staff: elsewhere, they may mean an admin of the same name.
   */
  async anonymizeAssignments(
    tx: EntityManager,
    accountId: string,
    names: readonly string[],
    replacement: string,
  ): Promise<void> {
    if (names.length === 0) return;
    const pattern = `(?<=assigned |, )(${names.map(escaped).join('|')})(?=, |\\.$)`;
    await tx.sql`
      UPDATE staff_entries SET text = regexp_replace(text, ${pattern}, ${replacement}, 'g')
      WHERE kind = 'staff_event' AND starts_with(lower(text), lower(name) || ' assigned ') AND text ~ ${pattern} AND project_id IN (
        SELECT project_id FROM readers WHERE account_id = ${accountId} AND side = 'staff'
        UNION SELECT project_id FROM project_assignees WHERE account_id = ${accountId}
        UNION SELECT project_id FROM staff_entries WHERE account_id = ${accountId})`;
  }

  async deleteInvitationsOf(tx: EntityManager, email: string): Promise<void> {
    await tx.sql`DELETE FROM team_invitations WHERE lower(email) = lower(${email})`;
  }
}
