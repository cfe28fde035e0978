import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type Actor,
  atTheEnd,
  contentChanged,
  DomainError,
  type ContentRecord,
  type HistoryEntry,
} from '#libs/contracts';
import type { ParsedBody, Section } from '#libs/content-model';
import { AuditTrail, Outbox, uuidv7 } from '#libs/database';
import { refuseUnknownImages } from './image-uses.js';
import { advanceSite, lockSite } from '../site-version/site-version.js';
import { withChanges } from './entry.body.js';
import { Entry, type EntryBody } from './entry.entity.js';
import { EntryHistory } from './entry-history.entity.js';
import { toRecord } from './entry.record.js';
import { bookUniqueValues } from './unique-values.js';

/** On whose account a change is made, for the history and for tracing. */
export interface Author {
  readonly actor: Actor;
  readonly traceparent?: string;
}

export interface Written {
  readonly record: ContentRecord;
  /** The site's version that includes the change; null when there was nothing to change. */
  readonly siteVersion: number | null;
}

/** So long a deletion can be undone. */
const undoMs = 3_600_000;
const isTooLate = (deletedAt: Date) => Date.now() - deletedAt.getTime() > undoMs;

/**
 * Changes records, each change with its history row, the site's new version and its event, in the caller's
 * transaction.
 */
@Injectable()
export class EntryWriter {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
  ) {}

  /** INVALID_INPUT for an uploaded picture that is gone, SINGLETON_EXISTS, COLLECTION_FULL, DUPLICATE. */
  async create(tx: EntityManager, author: Author, section: Section, input: ParsedBody): Promise<Written> {
    await lockSite(tx);
    if (section.kind === 'collection') await this.checkRoom(tx, section.name, section.limit);
    await refuseUnknownImages(tx, {}, input);
    const id = uuidv7();
    const body = withChanges({}, input);
    const inserted: unknown[] = await tx.query(
      `INSERT INTO entries (id, section, singleton, body, version) VALUES ($1, $2, $3, $4, 1)
       ON CONFLICT (section) WHERE singleton DO NOTHING RETURNING id`,
      [id, section.name, section.kind === 'singleton', JSON.stringify(body)],
    );
    if (inserted.length === 0) throw new DomainError('SINGLETON_EXISTS');
    await bookUniqueValues(tx, section, id, body);
    return this.conclude(tx, author, section, await tx.findOneByOrFail(Entry, { id }), 'created', null);
  }

  /** INVALID_INPUT for an uploaded picture that is gone, NOT_FOUND, VERSION_MISMATCH (with the current record), DUPLICATE. */
  async update(
    tx: EntityManager,
    author: Author,
    section: Section,
    { id, input, ifVersion }: { id: string; input: ParsedBody; ifVersion?: number },
  ): Promise<Written> {
    const before = await this.takeUp(tx, section, id, ifVersion);
    const body = withChanges(before.body, input);
    if (isDeepStrictEqual(body, before.body)) return { record: toRecord(section, before), siteVersion: null };
    await refuseUnknownImages(tx, before.body, input);
    await bookUniqueValues(tx, section, id, body);
    await tx.query(
      `UPDATE entries SET body = $2, version = version + 1, updated_at = clock_timestamp() WHERE id = $1`,
      [id, JSON.stringify(body)],
    );
    return this.conclude(
      tx,
      author,
      section,
      await tx.findOneByOrFail(Entry, { id }),
      'updated',
      before.body,
    );
  }

  /** NOT_FOUND, VERSION_MISMATCH (with the current record). The history keeps the last body. */
  async remove(
    tx: EntityManager,
    author: Author,
    section: Section,
    { id, ifVersion }: { id: string; ifVersion?: number },
  ): Promise<Written> {
    const entry = await this.takeUp(tx, section, id, ifVersion);
    await tx.delete(Entry, { id });
    return this.conclude(
      tx,
      author,
      section,
      { ...entry, version: entry.version + 1 },
      'deleted',
      entry.body,
    );
  }

  /** NOT_FOUND, COLLECTION_FULL, DUPLICATE, INVALID_INPUT for an uploaded picture that is gone. */
  async restore(tx: EntityManager, author: Author, section: Section, id: string): Promise<Written> {
    await lockSite(tx);
    const there = await tx.findOneBy(Entry, { id, section: section.name });
    if (there) return { record: toRecord(section, there), siteVersion: null };
    const [last] = await tx.find(EntryHistory, {
      where: { entryId: id, section: section.name },
      order: { version: 'DESC' },
      take: 1,
    });
    if (last?.change !== 'deleted' || last.position === null || isTooLate(last.changedAt)) {
      throw new DomainError(
        'NOT_FOUND',
        {},
        'This can’t be restored. It doesn’t exist, or it was deleted more than an hour ago.',
      );
    }
    if (section.kind === 'collection') await this.checkRoom(tx, section.name, section.limit);
    await refuseUnknownImages(tx, {}, last.body);
    await tx.query(
      `INSERT INTO entries (id, section, singleton, position, body, version, created_at)
       VALUES ($1, $2, false, $3, $4, $5, $6)`,
      [id, section.name, last.position, JSON.stringify(last.body), last.version + 1, last.createdAt],
    );
    await bookUniqueValues(tx, section, id, last.body);
    return this.conclude(tx, author, section, await tx.findOneByOrFail(Entry, { id }), 'restored', null);
  }

  /** The places that the records have, dealt out anew. NOT_FOUND, INVALID_INPUT. */
  async move(
    tx: EntityManager,
    { actor }: Author,
    section: Section,
    { id, before }: { id: string; before: string },
  ): Promise<{ records: ContentRecord[]; siteVersion: number | null }> {
    await lockSite(tx);
    const entries = await tx.find(Entry, { where: { section: section.name }, order: { position: 'ASC' } });
    const moved = entries.find((entry) => entry.id === id);
    if (!moved) throw new DomainError('NOT_FOUND');
    const others = entries.filter((entry) => entry !== moved);
    const place = before === atTheEnd ? others.length : others.findIndex((entry) => entry.id === before);
    if (place < 0) {
      const message = `must be the id of another ${section.labels.one}, or ‘${atTheEnd}’`;
      throw DomainError.invalid([{ field: 'before', message }]);
    }
    const after = others.toSpliced(place, 0, moved);
    const records = after.map((entry) => toRecord(section, entry));
    const from = entries.indexOf(moved);
    if (from === place) return { records, siteVersion: null };
    await tx.query(
      `UPDATE entries SET position = places.position
         FROM unnest($1::uuid[], $2::bigint[]) AS places (id, position) WHERE entries.id = places.id`,
      [after.map((entry) => entry.id), entries.map(({ position }) => position)],
    );
    await this.audit.record(tx, actor, {
      section: section.name,
      recordId: id,
      name: nameOf(section, moved.body),
      change: 'moved',
      before: { place: from + 1 },
      after: { place: place + 1 },
    });
    return { records, siteVersion: await advanceSite(tx) };
  }

  private async checkRoom(tx: EntityManager, section: string, limit: number): Promise<void> {
    if ((await tx.countBy(Entry, { section })) >= limit) throw new DomainError('COLLECTION_FULL');
  }

  private async takeUp(tx: EntityManager, section: Section, id: string, ifVersion?: number): Promise<Entry> {
    await lockSite(tx);
    const entry = await tx.findOneBy(Entry, { id, section: section.name });
    if (!entry) throw new DomainError('NOT_FOUND');
    if (ifVersion !== undefined && ifVersion !== entry.version) {
      throw new DomainError('VERSION_MISMATCH', { current: toRecord(section, entry) });
    }
    return entry;
  }

  private async conclude(
    tx: EntityManager,
    { actor, traceparent }: Author,
    section: Section,
    entry: Entry,
    change: HistoryEntry['change'],
    before: EntryBody | null,
  ): Promise<Written> {
    const { id, version, body } = entry;
    await tx.query(
      `INSERT INTO entry_history
         (entry_id, version, section, change, changed_by, changed_by_email, body, position, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[id, version, section.name, change],
        ...('accountId' in actor ? [actor.accountId, actor.email] : [null, null]),
        JSON.stringify(body),
        ...(change === 'deleted' ? [entry.position, entry.createdAt] : [null, null]),
      ],
    );
    await this.audit.record(tx, actor, {
      section: section.name,
      recordId: id,
      name: nameOf(section, body),
      change,
      before,
      after: change === 'deleted' ? null : body,
    });
    const siteVersion = await advanceSite(tx);
    const record = toRecord(section, entry);
    await this.outbox.append(
      tx,
      contentChanged,
      {
        section: section.name,
        id,
        // Whoever follows had forgotten it.
        change: change === 'restored' ? 'created' : change,
        recordVersion: version,
        siteVersion,
        record: change === 'deleted' ? null : record,
      },
      traceparent === undefined ? {} : { traceparent },
    );
    return { record, siteVersion };
  }
}

/** What a record goes by: its first field of one line. */
function nameOf(section: Section, body: EntryBody): string {
  const short = Object.keys(section.fields).filter((field) =>
    /^(text|choice)$/.test(section.fields[field]!.kind),
  );
  return short.map((field) => body[field]).find(Boolean) ?? section.labels.one;
}
