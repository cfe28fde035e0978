import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type HandlerInputs,
  type StaffThread,
  threadContract,
  type ThreadMessage,
  type ThreadNote,
} from '#libs/contracts';
import { AuditTrail, Inbox, transaction } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService } from '../access/author.service.js';
import { ProjectAccess, type StaffAccess } from '../access/project-access.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { FileRepository } from '../file/file.repository.js';
import { MessageService } from './message.service.js';
import { NoteService } from './note.service.js';
import { staffAudit } from './staff-audit.js';
import { StaffThreadRepository } from './staff-thread.repository.js';
import { staffEntryView } from './thread.view.js';

type Input = HandlerInputs<typeof threadContract>;

@Injectable()
export class StaffThreadService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly thread: StaffThreadRepository,
    private readonly messages: MessageService,
    private readonly notes: NoteService,
    private readonly readers: ReaderRepository,
    private readonly files: FileRepository,
    private readonly audit: AuditTrail,
  ) {}

  @Handles(threadContract.getStaffThread)
  async read({ id, ...request }: Input['getStaffThread'], { actor }: RequestContext): Promise<StaffThread> {
    const { project, person } = await this.access.forStaff(actor, id);
    const reader = { projectId: project.id, accountId: person.accountId };
    const { rows, ...part } = await this.thread.part(reader, request);
    const writtenIds = rows.flatMap((row) =>
      (row.kind === 'message' || row.kind === 'note') && row.deletedAt === null ? row.id : [],
    );
    const files = await this.files.viewsOf(this.dataSource.manager, writtenIds);
    return { entries: rows.map((row) => staffEntryView(row, files)), ...part };
  }

  @Handles(threadContract.postStaffMessage)
  post({ id, ...message }: Input['postStaffMessage'], context: RequestContext): Promise<ThreadMessage> {
    return this.change(id, { added: 'message' }, context, async (tx, access) => {
      const author = await this.authors.ofStaff(access, tx);
      return this.messages.post(tx, access.project, author, message);
    });
  }

  @Handles(threadContract.editStaffMessage)
  edit(
    { id, message: messageId, text }: Input['editStaffMessage'],
    context: RequestContext,
  ): Promise<ThreadMessage> {
    return this.change(id, { changed: 'message' }, context, (tx, { project, person }) =>
      this.messages.edit(tx, project, { side: 'staff', accountId: person.accountId }, messageId, text),
    );
  }

  @Handles(threadContract.deleteStaffMessage)
  delete(
    { id, message: messageId }: Input['deleteStaffMessage'],
    context: RequestContext,
  ): Promise<ThreadMessage> {
    return this.change(id, { deleted: 'message' }, context, (tx, { project, person }) =>
      this.messages.delete(tx, project, { side: 'staff', accountId: person.accountId }, messageId),
    );
  }

  @Handles(threadContract.postNote)
  postNote({ id, ...note }: Input['postNote'], context: RequestContext): Promise<ThreadNote> {
    return this.change(id, { added: 'note' }, context, async (tx, access) => {
      const author = await this.authors.ofStaff(access, tx);
      return this.notes.post(tx, access.project, author, note);
    });
  }

  @Handles(threadContract.editNote)
  editNote({ id, note: noteId, text }: Input['editNote'], context: RequestContext): Promise<ThreadNote> {
    return this.change(id, { changed: 'note' }, context, (tx, { project, person }) =>
      this.notes.edit(tx, project, person.accountId, noteId, text),
    );
  }

  @Handles(threadContract.deleteNote)
  deleteNote({ id, note: noteId }: Input['deleteNote'], context: RequestContext): Promise<ThreadNote> {
    return this.change(id, { deleted: 'note' }, context, (tx, { project, person }) =>
      this.notes.delete(tx, project, person.accountId, noteId),
    );
  }

  /** Reading does not change the project, so it is not in the audit log. */
  @Handles(threadContract.markStaffRead)
  async markRead({ id, seq }: Input['markStaffRead'], { actor }: RequestContext) {
    const { project, person } = await this.access.forStaff(actor, id);
    const reader = { accountId: person.accountId, side: 'staff' } as const;
    return transaction(this.dataSource, (tx) => this.readers.markRead(tx, project.id, reader, seq));
  }

  /**
   * Runs `work` once for this request, and records what it changed in the audit log. Every change increases `seq` in the project's row and in
   * `project`. If `work` changed nothing, for example because the same text was saved again, nothing is recorded.
   */
  private change<T>(
    id: string,
    audited: Record<string, string>,
    context: RequestContext,
    work: (tx: EntityManager, access: StaffAccess) => Promise<T>,
  ): Promise<T> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forStaff(context.actor, id, tx);
      const { project } = access;
      const seqBefore = project.seq;
      const result = await work(tx, access);
      if (project.seq !== seqBefore) await this.audit.record(tx, context.actor, staffAudit(project, audited));
      return result;
    });
  }
}
