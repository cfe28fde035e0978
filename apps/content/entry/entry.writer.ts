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
  uploadedImageIdIn,
} from '#libs/contracts';
import { nameFields, type ParsedBody, type Section } from '#libs/content-model';
import { AuditTrail, Outbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { ImageRepository } from '../image/image.repository.js';
import { SiteVersionRepository } from '../site-version/site-version.repository.js';
import { withChanges } from './entry.body.js';
import type { EntryBody, EntryEntity } from './entry.entity.js';
import { EntryHistoryRepository } from './entry-history.repository.js';
import { toRecord } from './entry.record.js';
import { EntryRepository } from './entry.repository.js';

export interface Author {
  readonly actor: Actor;
  readonly traceparent?: string;
}

export interface WriteResult {
  readonly record: ContentRecord;
  /** The version of the site that the change created; null if nothing changed. */
  readonly siteVersion: number | null;
}

/** How long a deletion can be undone. */
const undoMs = 3_600_000;

/**
 * For each change, writes the history and (if an admin makes it) the audit log, advances the site's version and appends an event. A move changes only
 * the order of the records, so it has no history and no event.
 */
@Injectable()
export class EntryWriter {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
    private readonly entries: EntryRepository,
    private readonly history: EntryHistoryRepository,
    private readonly images: ImageRepository,
    private readonly siteVersion: SiteVersionRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws SINGLETON_EXISTS, COLLECTION_FULL, DUPLICATE; INVALID_INPUT for an uploaded picture that is gone. */
  async create(tx: EntityManager, author: Author, section: Section, input: ParsedBody): Promise<WriteResult> {
    await this.siteVersion.lock(tx);
    await this.checkLimit(tx, section);
    await this.checkImages(tx, {}, input);
    const id = uuidv7();
    const body = withChanges({}, input);
    const entry = await this.entries.insert(tx, section, id, body);
    if (!entry) throw new DomainError('SINGLETON_EXISTS');
    return this.recordChange(tx, author, section, entry, 'created', null);
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH (with the current record), DUPLICATE; INVALID_INPUT for an uploaded picture that is gone. */
  async update(
    tx: EntityManager,
    author: Author,
    section: Section,
    { id, input, ifVersion }: { id: string; input: ParsedBody; ifVersion?: number },
  ): Promise<WriteResult> {
    const before = await this.lock(tx, section, id, ifVersion);
    const body = withChanges(before.body, input);
    if (isDeepStrictEqual(body, before.body)) return { record: toRecord(section, before), siteVersion: null };
    await this.checkImages(tx, before.body, input);
    const after = await this.entries.update(tx, section, id, body);
    return this.recordChange(tx, author, section, after, 'updated', before.body);
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH (with the current record). The history keeps the last body. */
  async remove(
    tx: EntityManager,
    author: Author,
    section: Section,
    { id, ifVersion }: { id: string; ifVersion?: number },
  ): Promise<WriteResult> {
    const entry = await this.lock(tx, section, id, ifVersion);
    await this.entries.delete(tx, id);
    return this.recordChange(
      tx,
      author,
      section,
      { ...entry, version: entry.version + 1 },
      'deleted',
      entry.body,
    );
  }

  /** Throws NOT_FOUND, SINGLETON_EXISTS, COLLECTION_FULL, DUPLICATE; INVALID_INPUT for an uploaded picture that is gone. */
  async restore(tx: EntityManager, author: Author, section: Section, id: string): Promise<WriteResult> {
    await this.siteVersion.lock(tx);
    const existing = await this.entries.find(section.name, id, tx);
    if (existing) return { record: toRecord(section, existing), siteVersion: null };
    const [last] = await this.history.listLatest(section.name, id, 1, tx);
    const undoableSince = this.clock.now().getTime() - undoMs;
    if (last?.change !== 'deleted' || last.position === null || last.changedAt.getTime() < undoableSince) {
      throw new DomainError(
        'NOT_FOUND',
        {},
        'This can’t be restored. It doesn’t exist, or it was deleted more than an hour ago.',
      );
    }
    await this.checkLimit(tx, section);
    await this.checkImages(tx, {}, last.body);
    const entry = await this.entries.restore(tx, section, id, last.body, {
      position: last.position,
      version: last.version + 1,
      createdAt: last.createdAt!,
    });
    if (!entry) throw new DomainError('SINGLETON_EXISTS');
    return this.recordChange(tx, author, section, entry, 'restored', null);
  }

  /** Moves the record before the one whose id is `before`, or to the end if `before` is `atTheEnd`. Throws NOT_FOUND, INVALID_INPUT. */
  async move(
    tx: EntityManager,
    { actor }: Author,
    section: Section,
    { id, before }: { id: string; before: string },
  ): Promise<{ records: ContentRecord[]; siteVersion: number | null }> {
    await this.siteVersion.lock(tx);
    const entries = await this.entries.list(section.name, tx);
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
    await this.entries.setPositions(
      tx,
      after.map((entry) => entry.id),
      entries.map(({ position }) => position),
    );
    await this.audit.record(tx, actor, {
      section: section.name,
      recordId: id,
      name: nameOf(section, moved.body),
      change: 'moved',
      before: { place: from + 1 },
      after: { place: place + 1 },
    });
    return { records, siteVersion: await this.siteVersion.advance(tx) };
  }

  private async checkLimit(tx: EntityManager, section: Section): Promise<void> {
    if (section.kind === 'collection' && (await this.entries.count(tx, section.name)) >= section.limit)
      throw new DomainError('COLLECTION_FULL');
  }

  /**
   * Throws INVALID_INPUT if a changed field points to an uploaded picture that does not exist. Unchanged fields are not checked: their picture may
   * have been lost, and the record must stay editable.
   */
  private async checkImages(tx: EntityManager, before: EntryBody, changes: ParsedBody): Promise<void> {
    const wanted = Object.entries(changes).flatMap(([field, value]) => {
      const isChanged = value !== undefined && value !== before[field];
      // An absolute URL may point to another site's picture.
      const imageId = isChanged && value.startsWith('/images/') ? uploadedImageIdIn(value) : undefined;
      return imageId ? [{ field, imageId }] : [];
    });
    if (wanted.length === 0) return;
    const existing = await this.images.listExistingIds(
      wanted.map(({ imageId }) => imageId),
      tx,
    );
    const missing = wanted.filter(({ imageId }) => !existing.includes(imageId));
    if (missing.length === 0) return;
    const message = 'points to an uploaded image that no longer exists';
    throw DomainError.invalid(missing.map(({ field }) => ({ field, message })));
  }

  private async lock(
    tx: EntityManager,
    section: Section,
    id: string,
    ifVersion?: number,
  ): Promise<EntryEntity> {
    await this.siteVersion.lock(tx);
    const entry = await this.entries.find(section.name, id, tx);
    if (!entry) throw new DomainError('NOT_FOUND');
    if (ifVersion !== undefined && ifVersion !== entry.version) {
      throw new DomainError('VERSION_MISMATCH', { current: toRecord(section, entry) });
    }
    return entry;
  }

  private async recordChange(
    tx: EntityManager,
    { actor, traceparent }: Author,
    section: Section,
    entry: EntryEntity,
    change: HistoryEntry['change'],
    before: EntryBody | null,
  ): Promise<WriteResult> {
    const { id, version, body } = entry;
    await this.history.insert(tx, {
      ...{ entryId: id, version, section: section.name, change, body },
      changedBy: 'accountId' in actor ? actor.accountId : null,
      changedByEmail: 'accountId' in actor ? actor.email : null,
      position: change === 'deleted' ? entry.position : null,
      createdAt: change === 'deleted' ? entry.createdAt : null,
    });
    await this.audit.record(tx, actor, {
      section: section.name,
      recordId: id,
      name: nameOf(section, body),
      change,
      before,
      after: change === 'deleted' ? null : body,
    });
    const siteVersion = await this.siteVersion.advance(tx);
    const record = toRecord(section, entry);
    await this.outbox.append(
      tx,
      contentChanged,
      {
        section: section.name,
        id,
        // The services that follow this event have deleted the record, so it is a new one for them.
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

/** Shown to admins: the first single-line text or choice that is not empty, or else the section's word for a record. */
export function nameOf(section: Section, body: EntryBody): string {
  return (
    nameFields(section)
      .map((field) => body[field])
      .find(Boolean) ?? section.labels.one
  );
}
