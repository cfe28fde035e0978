import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type Actor,
  type ContentRecord,
  type contentContract,
  DomainError,
  type HandlerInput,
  type HistoryEntry,
  judgeAccess,
  type Output,
  type Role,
} from '#libs/contracts';
import { findSection, type Section } from '#libs/content-model';
import { Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { SiteAnnouncer } from '../site-version/site-announcer.js';
import { parseCreate, parseUpdate } from './entry.body.js';
import { Entry } from './entry.entity.js';
import { EntryHistory, toHistoryEntry } from './entry-history.entity.js';
import { toRecord } from './entry.record.js';
import { type Author, EntryWriter, type Written } from './entry.writer.js';

type Input<C extends keyof typeof contentContract> = HandlerInput<(typeof contentContract)[C]>;

/** How many changes of a record the history shows. */
const historyLength = 100;

/** The records of all sections. Whoever asks has been checked by the transport (`contract.access`). */
@Injectable()
export class EntryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly writer: EntryWriter,
    private readonly announcer: SiteAnnouncer,
  ) {}

  /** In their order: oldest first until somebody changes it. */
  async list({ section: name }: Input<'list'>, { role }: Actor): Promise<ContentRecord[]> {
    const section = readableSection(name, role);
    const entries = await this.dataSource.manager.find(Entry, {
      where: { section: section.name },
      order: { position: 'ASC' },
    });
    return entries.map((entry) => toRecord(section, entry));
  }

  async item({ section: name, id }: Input<'item'>, { role }: Actor): Promise<ContentRecord> {
    const section = readableSection(name, role);
    const entry = await this.dataSource.manager.findOneBy(Entry, { id: knownId(id), section: section.name });
    if (!entry) throw new DomainError('NOT_FOUND');
    return toRecord(section, entry);
  }

  /** Of a deleted record too; newest first. */
  async history({ section: name, id }: Input<'history'>): Promise<HistoryEntry[]> {
    const rows = await this.dataSource.manager.find(EntryHistory, {
      where: { entryId: knownId(id), section: sectionNamed(name).name },
      order: { version: 'DESC' },
      take: historyLength,
    });
    if (rows.length === 0) throw new DomainError('NOT_FOUND');
    return rows.map(toHistoryEntry);
  }

  async create({ section: name, body }: Input<'create'>, context: RequestContext): Promise<ContentRecord> {
    const section = sectionNamed(name);
    const input = parseCreate(section, body);
    return this.once(
      context,
      (tx, author) => this.writer.create(tx, author, section, input),
      ({ record }) => record,
    );
  }

  async update(
    { section: name, id, body, ifVersion }: Input<'update'>,
    context: RequestContext,
  ): Promise<Output<typeof contentContract.update>> {
    const section = sectionNamed(name);
    const change = { id: knownId(id), input: parseUpdate(section, body), ifVersion };
    return this.once(
      context,
      (tx, author) => this.writer.update(tx, author, section, change),
      ({ record, siteVersion }) => ({ record, modified: siteVersion !== null }),
    );
  }

  async remove(
    { section: name, id, ifVersion }: Input<'remove'>,
    context: RequestContext,
  ): Promise<{ _id: string }> {
    const section = sectionNamed(name);
    if (section.kind === 'singleton') {
      throw new DomainError(
        'INVALID_TRANSITION',
        {},
        `You can’t delete the ${section.labels.one}. You can only change it.`,
      );
    }
    const change = { id: knownId(id), ifVersion };
    return this.once(
      context,
      (tx, author) => this.writer.remove(tx, author, section, change),
      ({ record }) => ({ _id: record._id }),
    );
  }

  async restore({ section: name, id }: Input<'restore'>, context: RequestContext): Promise<ContentRecord> {
    const section = sectionNamed(name);
    return this.once(
      context,
      (tx, author) => this.writer.restore(tx, author, section, knownId(id)),
      ({ record }) => record,
    );
  }

  async move(
    { section: name, id, before }: Input<'move'>,
    context: RequestContext,
  ): Promise<ContentRecord[]> {
    const section = sectionNamed(name);
    const change = { id: knownId(id), before };
    return this.once(
      context,
      (tx, author) => this.writer.move(tx, author, section, change),
      ({ records }) => records,
    );
  }

  /** Takes the command into effect once, and after its commit tells every gateway, so that none waits for its next look. */
  private async once<T, W extends Pick<Written, 'siteVersion'>>(
    context: RequestContext,
    write: (tx: EntityManager, author: Author) => Promise<W>,
    reply: (written: W) => T,
  ): Promise<T> {
    let version: number | null = null;
    const answer = await this.inbox.once(context, async (tx) => {
      const written = await write(tx, authorOf(context));
      version = written.siteVersion;
      return reply(written);
    });
    if (version !== null) this.announcer.announce(version);
    return answer;
  }
}

/** UNAUTHENTICATED, FORBIDDEN unless the section is public or an admin asks. */
function readableSection(name: string, role: Role): Section {
  const section = sectionNamed(name);
  const verdict = judgeAccess(section.shownOn ? 'public' : 'admin', role);
  if (verdict === 'unauthenticated') throw new DomainError('UNAUTHENTICATED');
  if (verdict === 'forbidden') throw new DomainError('FORBIDDEN');
  return section;
}

function sectionNamed(name: string): Section {
  const section = findSection(name);
  if (!section) throw new DomainError('NOT_FOUND');
  return section;
}

/** What is no id at all names no record. */
function knownId(id: string): string {
  if (!isUuid(id)) throw new DomainError('NOT_FOUND');
  return id;
}

function authorOf({ actor, traceparent }: RequestContext): Author {
  return { actor, ...(traceparent === undefined ? {} : { traceparent }) };
}
