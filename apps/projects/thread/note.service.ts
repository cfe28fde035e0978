import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, type ThreadNote } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import type { ProjectAuthor } from '../access/author.service.js';
import { EntryRepository } from '../entry/entry.repository.js';
import type { StaffEntryEntity } from '../entry/staff-entry.entity.js';
import { FileRepository } from '../file/file.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { refuseUnlessEditable } from './message.service.js';
import { StaffThreadRepository } from './staff-thread.repository.js';
import { noteView } from './thread.view.js';

/** Does not check access. Lock the project first. */
@Injectable()
export class NoteService {
  constructor(
    private readonly entries: EntryRepository,
    private readonly thread: StaffThreadRepository,
    private readonly files: FileRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws INVALID_INPUT for files that cannot be attached. Nobody is mailed, and the project’s `activeAt` does not change. */
  async post(
    tx: EntityManager,
    project: ProjectEntity,
    author: ProjectAuthor,
    { text, files }: { text: string; files: readonly string[] },
  ): Promise<ThreadNote> {
    const noteId = uuidv7();
    await this.entries.append(tx, project, { kind: 'note', noteId, by: author, at: this.clock.now(), text });
    const { accountId } = author;
    const attachment = {
      projectId: project.id,
      accountId,
      side: 'staff',
      to: 'note',
      attachedToId: noteId,
    } as const;
    await this.files.attach(tx, files, attachment);
    return this.view(tx, noteId);
  }

  /** Throws NOT_FOUND for somebody else’s note, INVALID_TRANSITION after 15 minutes and for a deleted note. */
  async edit(
    tx: EntityManager,
    project: ProjectEntity,
    accountId: string,
    noteId: string,
    text: string,
  ): Promise<ThreadNote> {
    const note = await this.getOwnNote(tx, project, accountId, noteId);
    refuseUnlessEditable(note, this.clock.now());
    if (note.text !== text) {
      const change = await this.entries.takeNumber(tx, project);
      await this.thread.updateNote(tx, note, { change, text, editedAt: this.clock.now() });
    }
    return this.view(tx, noteId);
  }

  /** Throws NOT_FOUND for somebody else’s note. */
  async delete(
    tx: EntityManager,
    project: ProjectEntity,
    accountId: string,
    noteId: string,
  ): Promise<ThreadNote> {
    const note = await this.getOwnNote(tx, project, accountId, noteId);
    if (note.deletedAt === null) {
      const change = await this.entries.takeNumber(tx, project);
      await this.thread.updateNote(tx, note, { change, text: '', deletedAt: this.clock.now() });
      await this.files.discardAttachedTo(tx, [noteId]);
    }
    return this.view(tx, noteId);
  }

  private async getOwnNote(
    tx: EntityManager,
    project: ProjectEntity,
    accountId: string,
    noteId: string,
  ): Promise<StaffEntryEntity> {
    const note = await this.thread.findNote(tx, project.id, noteId);
    if (note?.accountId !== accountId) throw new DomainError('NOT_FOUND');
    return note;
  }

  private async view(tx: EntityManager, noteId: string): Promise<ThreadNote> {
    const files = await this.files.viewsOf(tx, [noteId]);
    return noteView(await this.thread.getNoteRow(tx, noteId), files);
  }
}
