import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  DomainError,
  emailAddress,
  type HandlerInput,
  type ImportRefusal,
  isSingleLine,
  type PageOf,
  type RefusalReason,
  type SubscriberImport,
  type subscriberImportContract,
  type SubscriberStatus,
} from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import type { RequestContext } from '#libs/transport';

type Contracts = typeof subscriberImportContract;

/** What is not tried any longer after so long has stopped. */
const stoppedAfter = `interval '1 minute'`;
/** A report names people who are in no list of ours. */
const reportsKept = `interval '30 days'`;
const shownRefusals = 100;

interface Row {
  id: string;
  name: string;
  consent: string;
  state: SubscriberImport['state'];
  rows: number;
  done: number;
  added: number;
  refused: number;
  createdAt: Date;
}

/** Addresses from files. Each batch of rows is a command that takes effect once, so a file that broke off can be brought again. */
@Injectable()
export class SubscriberImportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
  ) {}

  begin(
    { name, consent, rows }: HandlerInput<Contracts['begin']>,
    context: RequestContext,
  ): Promise<SubscriberImport> {
    return this.inbox.once(context, async (tx) => {
      const id = uuidv7();
      await tx.query(
        `DELETE FROM subscriber_import_refusals WHERE import_id IN
           (SELECT id FROM subscriber_imports WHERE created_at < now() - ${reportsKept})`,
      );
      await tx.query(
        `INSERT INTO subscriber_imports (id, name, consent, rows_total) VALUES ($1, $2, $3, $4)`,
        [id, name, consent, rows],
      );
      await this.audit.record(tx, context.actor, {
        section: 'subscriberImport',
        recordId: id,
        name,
        change: 'created',
        before: null,
        after: { name, consent, rows },
      });
      return this.read(tx, id);
    });
  }

  /** NOT_FOUND. */
  take(
    { id, rows, last }: HandlerInput<Contracts['rows']>,
    context: RequestContext,
  ): Promise<{ done: number }> {
    return this.inbox.once(context, async (tx) => {
      const [file] = await tx.query<{ consent: string }[]>(
        `SELECT consent FROM subscriber_imports WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!file) throw new DomainError('NOT_FOUND');
      const { addresses, refusals } = sorted(rows);
      const added = await insert(tx, id, file.consent, [...addresses.values()]);
      for (const normalized of added) addresses.delete(normalized);
      refusals.push(...(await whyNot(tx, id, addresses)));
      await tx.query(
        `INSERT INTO subscriber_import_refusals (import_id, line, text, reason)
         SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
        [
          id,
          ...[refusals.map(({ line }) => line), refusals.map(({ text }) => shown(text))],
          refusals.map(({ reason }) => reason),
        ],
      );
      const [[{ done }]] = await tx.query<[[{ done: number }], number]>(
        `UPDATE subscriber_imports SET rows_done = rows_done + $2, added = added + $3, refused = refused + $4,
           updated_at = now(), finished_at = CASE WHEN $5 THEN now() END
         WHERE id = $1 RETURNING rows_done AS done`,
        [id, rows.length, added.length, refusals.length, last],
      );
      return { done };
    });
  }

  /** NOT_FOUND. */
  get(id: string): Promise<SubscriberImport> {
    return this.read(this.dataSource.manager, id);
  }

  /** NOT_FOUND. */
  async refusals({ id, limit, cursor }: HandlerInput<Contracts['refusals']>): Promise<PageOf<ImportRefusal>> {
    const { refused: total } = await this.get(id);
    const found = await this.dataSource.query<ImportRefusal[]>(
      `SELECT line, text, reason FROM subscriber_import_refusals
       WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3`,
      [id, Number(cursor ?? 0), limit + 1],
    );
    const items = found.slice(0, limit);
    return { items, total, nextCursor: found.length > limit ? String(items.at(-1)!.line) : null };
  }

  private async read(manager: EntityManager, id: string): Promise<SubscriberImport> {
    const [row] = isUuid(id)
      ? await manager.query<Row[]>(
          `SELECT id, name, consent, rows_total AS rows, rows_done AS done, added, refused, created_at AS "createdAt",
             CASE WHEN finished_at IS NOT NULL THEN 'finished'
               WHEN updated_at < now() - ${stoppedAfter} THEN 'stopped' ELSE 'running' END AS state
           FROM subscriber_imports WHERE id = $1`,
          [id],
        )
      : [];
    if (!row) throw new DomainError('NOT_FOUND');
    const refusals = await manager.query<ImportRefusal[]>(
      `SELECT line, text, reason FROM subscriber_import_refusals WHERE import_id = $1 ORDER BY line LIMIT $2`,
      [id, shownRefusals],
    );
    const { id: _id, createdAt, ...rest } = row;
    return { _id, ...rest, refusals, createdAt: createdAt.toISOString() };
  }
}

interface Line {
  line: number;
  text: string;
}

/** The addresses by their normal form, and the rows that are none, or the same again. */
function sorted(rows: readonly Line[]): { addresses: Map<string, Line>; refusals: ImportRefusal[] } {
  const addresses = new Map<string, Line>();
  const refusals: ImportRefusal[] = [];
  for (const { line, text } of rows) {
    const parsed = isSingleLine(text) ? emailAddress.safeParse(text) : undefined;
    const normalized = parsed?.data?.toLowerCase();
    if (!parsed?.success || normalized === undefined) refusals.push({ line, text, reason: 'noAddress' });
    else if (addresses.has(normalized)) refusals.push({ line, text, reason: 'twice' });
    else addresses.set(normalized, { line, text: parsed.data });
  }
  return { addresses, refusals };
}

/** Gives the normal forms of those that are new. */
async function insert(
  tx: EntityManager,
  importId: string,
  consent: string,
  lines: readonly Line[],
): Promise<string[]> {
  const emails = lines.map(({ text }) => text);
  const rows = await tx.query<{ email: string }[]>(
    `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at, status,
       consent_at, consent_source, consent_text, import_id)
     SELECT id, email, normalized, 1, now(), now(), 'subscribed', now(), 'import', $1, $2::uuid
     FROM unnest($3::uuid[], $4::text[], $5::text[]) AS new (id, email, normalized)
     ON CONFLICT (email_normalized) DO NOTHING RETURNING email_normalized AS email`,
    [consent, importId, emails.map(() => uuidv7()), emails, emails.map((email) => email.toLowerCase())],
  );
  return rows.map(({ email }) => email);
}

/** Of addresses that are there already: whose they are, as far as admins may know. */
async function whyNot(
  tx: EntityManager,
  importId: string,
  addresses: ReadonlyMap<string, Line>,
): Promise<ImportRefusal[]> {
  const rows = await tx.query<{ normalized: string; status: SubscriberStatus; ofThis: boolean }[]>(
    `SELECT email_normalized AS normalized, status, import_id IS NOT DISTINCT FROM $1::uuid AS "ofThis"
     FROM subscribers WHERE email_normalized = ANY ($2::text[])`,
    [importId, [...addresses.keys()]],
  );
  const reasons = new Map<string, RefusalReason>(
    rows.map(({ normalized, status, ofThis }) => [normalized, ofThis ? 'twice' : status]),
  );
  return [...addresses].map(([normalized, { line, text }]) => ({
    line,
    text,
    reason: reasons.get(normalized) ?? 'subscribed',
  }));
}

/** What stands in a row may be anything; what is kept of it can be stored and shown. */
function shown(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .toWellFormed()
    .slice(0, 254)
    .toWellFormed();
}
