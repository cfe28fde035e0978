import { isDeepStrictEqual } from 'node:util';
import { Controller, Injectable, type Type } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  type AuditChange,
  auditContracts,
  type AuditEntry,
  type AuditRequest,
  type ServiceName,
} from '#libs/contracts';
import { Handles } from '#libs/transport';
import { boundedSearch } from './bounded-search.js';
import { containing } from './list-page.js';
import { uuidv7 } from './uuid.js';

type Values = Readonly<Record<string, unknown>>;

/** If neither `before` nor `after` is null, only the fields that differ are stored. */
export interface AuditedChange {
  section: string;
  recordId: string;
  name: string;
  change: AuditChange;
  /** Null for a new or restored record. */
  before: Values | null;
  /** Null for a deleted record. */
  after: Values | null;
}

/** In characters. */
const maxNameLength = 120;
const searchBounds = { timeoutMs: 4000, advice: 'Choose a section, a person or a time as well.' };

const columns = `id AS _id, at, actor_id AS "actorId", actor_email AS "actorEmail", section, record_id AS "recordId",
  name, change, before, after`;
type Row = Omit<AuditEntry, 'at'> & { at: Date };

/** A service’s audit log. Only `anonymize` changes its entries, and no service deletes them. */
@Injectable()
export class AuditTrail {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Call it in the transaction of the change, so that neither the change nor its entry exists alone. A change that a third party makes, such as
   * a charge by the payment provider, is recorded before it is requested. Ignores changes by anyone who is not an admin.
   */
  async record(
    tx: EntityManager,
    actor: Actor,
    { section, recordId, name, change, before, after }: AuditedChange,
  ): Promise<void> {
    if (actor.role !== 'admin') return;
    const was = jsonOf(before && after ? differing(before, after) : before);
    const is = jsonOf(before && after ? differing(after, before) : after);
    await tx.sql`
      INSERT INTO audit_entries (id, at, actor_id, actor_email, section, record_id, name, change, before, after)
      VALUES (${uuidv7()}, clock_timestamp(), ${actor.accountId}, ${actor.email}, ${section}, ${recordId},
        ${shownName(name)}, ${change}, ${was}, ${is})`;
  }

  /** The ids of records, also deleted ones, whose field has or had this value according to the log, in any letter case. */
  async listRecordIdsWith(
    tx: EntityManager,
    section: string,
    field: string,
    value: string,
  ): Promise<string[]> {
    const rows = await tx.sql<{ id: string }[]>`
      SELECT DISTINCT record_id AS id FROM audit_entries
      WHERE section = ${section} AND lower(${value}::text) IN (lower(before->>${field}::text), lower(after->>${field}::text))`;
    return rows.map(({ id }) => id);
  }

  /**
   * For a deleted account: makes the entries about its records anonymous. `names` maps the records' ids to their new names. Removes `fields`
   * from the values.
   */
  async anonymize(
    tx: EntityManager,
    section: string,
    names: ReadonlyMap<string, string>,
    fields: readonly string[] = [],
  ): Promise<void> {
    await tx.sql`
      UPDATE audit_entries e
      SET name = named.name, before = e.before - ${fields}::text[], after = e.after - ${fields}::text[]
      FROM unnest(${[...names.keys()]}::text[], ${[...names.values()].map(shownName)}::text[]) AS named (record_id, name)
      WHERE e.section = ${section} AND e.record_id = named.record_id`;
  }

  /** Newest first; one more than requested if there are more. Throws UNAVAILABLE for a search that takes too long. */
  async list({ actor, section, from, to, search, cursor, limit }: AuditRequest): Promise<AuditEntry[]> {
    const parameters: unknown[] = [limit + 1];
    const conditions = ['true'];
    const where = (condition: (parameter: string) => string, value: unknown) => {
      if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
    };
    where((value) => `id < ${value}`, cursor);
    where((value) => `lower(actor_email) = ${value}`, actor || undefined);
    where((value) => `section = ${value}`, section || undefined);
    where((value) => `at >= ${value}`, from);
    where((value) => `at <= ${value}`, to);
    where(
      (value) => `concat_ws(E'\n', name, before::text, after::text) ILIKE ${value}`,
      search ? containing(search) : undefined,
    );
    const rows = await boundedSearch(
      this.dataSource,
      search,
      (manager) =>
        manager.query<Row[]>(
          `SELECT ${columns} FROM audit_entries WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $1`,
          parameters,
        ),
      searchBounds,
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }
}

export function auditController(service: ServiceName): Type {
  @Controller()
  class AuditController {
    constructor(private readonly trail: AuditTrail) {}

    @Handles(auditContracts[service])
    list(request: AuditRequest): Promise<AuditEntry[]> {
      return this.trail.list(request);
    }
  }
  return AuditController;
}

const shownName = (name: string) => name.replace(/\s+/g, ' ').slice(0, maxNameLength);
const jsonOf = (values: Values | null) => (values === null ? null : JSON.stringify(values));

/** The fields whose value in `others` is different or missing. */
function differing(values: Values, others: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isDeepStrictEqual(value, others[field])),
  );
}
