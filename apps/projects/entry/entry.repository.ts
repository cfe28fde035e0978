import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ProjectState, ThreadEntry, ThreadEvent } from '#libs/contracts';
import { ProjectChanges } from '../broadcast/project-changes.js';
import type { ProjectEntity } from '../project/project.entity.js';
import type { Side } from './reader.entity.js';
import { StaffEntryEntity } from './staff-entry.entity.js';
import { ThreadEntryEntity } from './thread-entry.entity.js';

export interface Author {
  side: ThreadEntry['by']['side'];
  accountId: string | null;
  name: string;
}

interface EntryBase {
  by: Author;
  at: Date;
  text: string;
}

interface NewMessage extends EntryBase {
  kind: 'message';
  messageId: string;
  quoteId?: string | undefined;
  /** The part of a reply by mail that is shown collapsed (`WrittenReply`). */
  folded?: string | undefined;
  byMail?: boolean | undefined;
}

/** `text` says what happened, such as `Ada Lovelace accepted the work.` */
export interface NewEvent extends EntryBase {
  kind: 'event';
  what: ThreadEvent['what'];
  /** The new state of the project, if the event changes it. */
  state?: ProjectState | undefined;
  deliverableId?: string | undefined;
  reason?: string | null;
}

interface NewNote extends EntryBase {
  kind: 'note';
  noteId: string;
}

interface NewStaffEvent extends EntryBase {
  kind: 'staff_event';
}

export type NewEntry = NewMessage | NewEvent | NewNote | NewStaffEvent;

/** Adds entries. The project's row holds the last number taken (`seq`), and how many entries are news for each side. */
@Injectable()
export class EntryRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: ProjectChanges,
  ) {}

  /** Returns the entry's number. Lock the project first, so that each number is given once and numbers commit in order. */
  async append(tx: EntityManager, project: ProjectEntity, entry: NewEntry): Promise<number> {
    const { kind, by, at, text } = entry;
    const isStaffOnly = kind === 'note' || kind === 'staff_event';
    const seq = await this.takeNumber(tx, project, isStaffOnly ? [] : newTo(entry));
    const { accountId, name } = by;
    const numbered = { projectId: project.id, seq, change: seq, accountId, name, at, text };
    if (isStaffOnly) {
      const noteId = kind === 'note' ? entry.noteId : null;
      await tx.insert(StaffEntryEntity, { ...numbered, kind, noteId });
      return seq;
    }
    const { entriesForCustomer, entriesForStaff } = project;
    const {
      messageId = null,
      quoteId = null,
      folded = null,
      byMail = false,
    } = kind === 'message' ? entry : {};
    const { what = null, state = null, deliverableId = null, reason = null } = kind === 'event' ? entry : {};
    await tx.insert(ThreadEntryEntity, {
      ...{ ...numbered, kind, side: by.side, entriesForCustomer, entriesForStaff },
      ...{ messageId, quoteId, folded, byMail, what, state, deliverableId, reason },
    });
    return seq;
  }

  hasWorkBegun(tx: EntityManager, projectId: string): Promise<boolean> {
    return tx.existsBy(ThreadEntryEntity, { projectId, kind: 'event', state: 'in_progress' });
  }

  findNewestEvent(projectId: string, what: NewEvent['what']): Promise<ThreadEntryEntity | null> {
    return this.dataSource.manager.findOne(ThreadEntryEntity, {
      where: { projectId, what },
      order: { seq: 'DESC' },
    });
  }

  /** Makes open threads read a message or note again, because its files have changed. Lock the project first. */
  async markChanged(
    tx: EntityManager,
    project: ProjectEntity,
    kind: 'message' | 'note',
    id: string,
  ): Promise<void> {
    const change = await this.takeNumber(tx, project);
    if (kind === 'note') await tx.update(StaffEntryEntity, { projectId: project.id, noteId: id }, { change });
    else await tx.update(ThreadEntryEntity, { projectId: project.id, messageId: id }, { change });
  }

  /**
   * Takes the next number: for a new entry, which is news for `newToSides`, or as the `change` of one that changes.
   * Lock the project first. Also updates the numbers in `project`.
   */
  async takeNumber(
    tx: EntityManager,
    project: ProjectEntity,
    newToSides: readonly Side[] = [],
  ): Promise<number> {
    const [customer, staff] = [newToSides.includes('customer'), newToSides.includes('staff')].map(Number);
    const [[counted]] = await tx.sql<
      [[Pick<ProjectEntity, 'seq' | 'entriesForCustomer' | 'entriesForStaff'>], 1]
    >`
      UPDATE projects SET seq = seq + 1,
        entries_for_customer = entries_for_customer + ${customer},
        entries_for_staff = entries_for_staff + ${staff}
      WHERE id = ${project.id}
      RETURNING seq, entries_for_customer AS "entriesForCustomer", entries_for_staff AS "entriesForStaff"`;
    Object.assign(project, counted);
    this.changes.publishAfterCommit(tx, { projectId: project.id });
    return counted.seq;
  }
}

/**
 * The sides for which an entry is news, so that it counts as unread for them. Automatic messages are news for the customer, the automatic event
 * `state_changed` for both sides, and other automatic events for neither.
 */
function newTo({ kind, by, ...entry }: NewMessage | NewEvent): Side[] {
  switch (by.side) {
    case 'customer':
      return ['staff'];
    case 'staff':
      return ['customer'];
    case 'system':
      if (kind === 'message') return ['customer'];
      return 'what' in entry && entry.what === 'state_changed' ? ['customer', 'staff'] : [];
  }
}
