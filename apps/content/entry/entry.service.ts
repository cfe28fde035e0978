import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import {
  contentContract,
  type ContentRecord,
  DomainError,
  type HandlerInputs,
  type HistoryEntry,
  judgeAccess,
  type Role,
} from '#libs/contracts';
import { findSection, type Section } from '#libs/content-model';
import { Handles, type RequestContext } from '#libs/transport';
import { ContentCommandService } from './content-command.service.js';
import { parseCreate, parseUpdate } from './entry.body.js';
import { toHistoryEntry } from './entry-history.entity.js';
import { EntryHistoryRepository } from './entry-history.repository.js';
import { toRecord } from './entry.record.js';
import { EntryRepository } from './entry.repository.js';
import { EntryWriter } from './entry.writer.js';

type Input = HandlerInputs<typeof contentContract>;

const maxHistoryEntries = 100;

/** The transport has checked the caller's role, except for `list` and `get`, which anybody may call for a public section. */
@Injectable()
export class EntryService {
  constructor(
    private readonly commands: ContentCommandService,
    private readonly entries: EntryRepository,
    private readonly entryHistory: EntryHistoryRepository,
    private readonly writer: EntryWriter,
  ) {}

  /** Oldest first, unless an admin has moved records. */
  @Handles(contentContract.list)
  async list({ section: name }: Input['list'], { actor }: RequestContext): Promise<ContentRecord[]> {
    const section = getReadableSection(name, actor.role);
    const entries = await this.entries.list(section.name);
    return entries.map((entry) => toRecord(section, entry));
  }

  @Handles(contentContract.get)
  async get({ section: name, id }: Input['get'], { actor }: RequestContext): Promise<ContentRecord> {
    const section = getReadableSection(name, actor.role);
    const entry = await this.entries.find(section.name, parseId(id));
    if (!entry) throw new DomainError('NOT_FOUND');
    return toRecord(section, entry);
  }

  /** Newest first; also of a deleted record. */
  @Handles(contentContract.listHistory)
  async listHistory({ section: name, id }: Input['listHistory']): Promise<HistoryEntry[]> {
    const rows = await this.entryHistory.listLatest(getSection(name).name, parseId(id), maxHistoryEntries);
    if (rows.length === 0) throw new DomainError('NOT_FOUND');
    return rows.map(toHistoryEntry);
  }

  @Handles(contentContract.create)
  async create({ section: name, body }: Input['create'], context: RequestContext): Promise<ContentRecord> {
    const section = getSection(name);
    const input = parseCreate(section, body);
    return this.commands.once(
      context,
      (tx, author) => this.writer.create(tx, author, section, input),
      ({ record }) => record,
    );
  }

  @Handles(contentContract.update)
  async update({ section: name, id, body, ifVersion }: Input['update'], context: RequestContext) {
    const section = getSection(name);
    const change = { id: parseId(id), input: parseUpdate(section, body), ifVersion };
    return this.commands.once(
      context,
      (tx, author) => this.writer.update(tx, author, section, change),
      ({ record, siteVersion }) => ({ record, modified: siteVersion !== null }),
    );
  }

  @Handles(contentContract.remove)
  async remove({ section: name, id, ifVersion }: Input['remove'], context: RequestContext) {
    const section = getSection(name);
    if (section.kind === 'singleton') {
      throw new DomainError(
        'INVALID_TRANSITION',
        {},
        `The ${section.labels.one} can only be changed, not deleted.`,
      );
    }
    const change = { id: parseId(id), ifVersion };
    return this.commands.once(
      context,
      (tx, author) => this.writer.remove(tx, author, section, change),
      ({ record }) => ({ _id: record._id }),
    );
  }

  @Handles(contentContract.restoreRecord)
  async restore({ section: name, id }: Input['restoreRecord'], context: RequestContext) {
    const section = getSection(name);
    return this.commands.once(
      context,
      (tx, author) => this.writer.restore(tx, author, section, parseId(id)),
      ({ record }) => record,
    );
  }

  @Handles(contentContract.moveRecord)
  async move({ section: name, id, before }: Input['moveRecord'], context: RequestContext) {
    const section = getSection(name);
    const change = { id: parseId(id), before };
    return this.commands.once(
      context,
      (tx, author) => this.writer.move(tx, author, section, change),
      ({ records }) => records,
    );
  }
}

/** Throws NOT_FOUND for an unknown section; UNAUTHENTICATED or FORBIDDEN if the caller may not read it. */
function getReadableSection(name: string, role: Role): Section {
  const section = getSection(name);
  const verdict = judgeAccess(section.shownOn ? 'public' : 'admin', role);
  if (verdict === 'unauthenticated') throw new DomainError('UNAUTHENTICATED');
  if (verdict === 'forbidden') throw new DomainError('FORBIDDEN');
  return section;
}

function getSection(name: string): Section {
  const section = findSection(name);
  if (!section) throw new DomainError('NOT_FOUND');
  return section;
}

/** In lower case. Throws NOT_FOUND for text that is not an id. */
function parseId(id: string): string {
  if (!isUuid(id)) throw new DomainError('NOT_FOUND');
  return id.toLowerCase();
}
