import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { contentChanged, DomainError, type ContentRecord, type HistoryEntry } from '#libs/contracts';
import type { ParsedBody, Section } from '#libs/content-model';
import { Outbox, uuidv7 } from '#libs/database';
import { refuseUnknownImages } from '../image/image-uses.js';
import { advanceSite, lockSite } from '../site/site-version.js';
import { withChanges } from './entry.body.js';
import { Entry } from './entry.entity.js';
import { toRecord } from './entry.record.js';
import { bookUniqueValues } from './unique-values.js';

/** On whose account a change is made, for the history and for tracing. */
export interface Author {
  /** Account id, or null for one of our own processes. */
  readonly accountId: string | null;
  readonly traceparent?: string;
}

export interface Written {
  readonly record: ContentRecord;
  /** The site's version that includes the change; null when there was nothing to change. */
  readonly siteVersion: number | null;
}

/**
 * Changes records, each change with its history row, the site's new version and its event, in the caller's
 * transaction.
 */
@Injectable()
export class EntryWriter {
  constructor(private readonly outbox: Outbox) {}

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
    return this.conclude(tx, author, section, await tx.findOneByOrFail(Entry, { id }), 'created');
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
    return this.conclude(tx, author, section, await tx.findOneByOrFail(Entry, { id }), 'updated');
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
    return this.conclude(tx, author, section, { ...entry, version: entry.version + 1 }, 'deleted');
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
    { accountId, traceparent }: Author,
    section: Section,
    entry: Entry,
    change: HistoryEntry['change'],
  ): Promise<Written> {
    const { id, version, body } = entry;
    await tx.query(
      `INSERT INTO entry_history (entry_id, version, section, change, changed_by, body)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, version, section.name, change, accountId, JSON.stringify(body)],
    );
    const siteVersion = await advanceSite(tx);
    const record = toRecord(section, entry);
    await this.outbox.append(
      tx,
      contentChanged,
      {
        section: section.name,
        id,
        change,
        recordVersion: version,
        siteVersion,
        record: change === 'deleted' ? null : record,
      },
      traceparent === undefined ? {} : { traceparent },
    );
    return { record, siteVersion };
  }
}
