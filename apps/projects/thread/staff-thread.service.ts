import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
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
import { personOf, ProjectAccess } from '../access/project-access.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { FileRepository } from '../file/file.repository.js';
import { MessageService } from './message.service.js';
import { NoteService } from './note.service.js';
import { staffAudit } from './staff-audit.js';
import { StaffThreadRepository } from './staff-thread.repository.js';
import { staffEntryView } from './thread.view.js';

type Input = HandlerInputs<typeof threadContract>;

/**
 * Threads as staff read and write them, with the notes that only they see. Every change takes a number of the project (`seq`); a request that changed
 * nothing, such as saving the same text again, is not in the audit log.
 */
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

  /** Throws NOT_FOUND. */
  @Handles(threadContract.getStaffThread)
  async read({ id, ...request }: Input['getStaffThread'], { actor }: RequestContext): Promise<StaffThread> {
    const { project, person } = await this.access.forStaff(actor, id);
    const reader = { projectId: project.id, accountId: person.accountId };
    const { rows, ...part } = await this.thread.part(reader, request);
    const written = rows.flatMap((row) =>
      (row.kind === 'message' || row.kind === 'note') && row.deletedAt === null ? row.id : [],
    );
    const files = await this.files.viewsOf(this.dataSource.manager, written);
    return { entries: rows.map((row) => staffEntryView(row, files)), ...part };
  }

  /** Throws NOT_FOUND, INVALID_INPUT. */
  @Handles(threadContract.postStaffMessage)
  post({ id, ...message }: Input['postStaffMessage'], context: RequestContext): Promise<ThreadMessage> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forStaff(context.actor, id, tx);
      const author = await this.authors.ofStaff(access, tx);
      const posted = await this.messages.post(tx, access.project, author, message);
      await this.audit.record(tx, context.actor, staffAudit(access.project, { added: 'message' }));
      return posted;
    });
  }

  /** Throws NOT_FOUND, INVALID_TRANSITION. */
  @Handles(threadContract.editStaffMessage)
  edit({ id, message, text }: Input['editStaffMessage'], context: RequestContext): Promise<ThreadMessage> {
    return this.inbox.once(context, async (tx) => {
      const { project, person } = await this.access.forStaff(context.actor, id, tx);
      const { seq: before } = project;
      const author = { side: 'staff', accountId: person.accountId } as const;
      const edited = await this.messages.edit(tx, project, author, message, text);
      if (project.seq !== before)
        await this.audit.record(tx, context.actor, staffAudit(project, { changed: 'message' }));
      return edited;
    });
  }

  /** Throws NOT_FOUND. */
  @Handles(threadContract.deleteStaffMessage)
  delete({ id, message }: Input['deleteStaffMessage'], context: RequestContext): Promise<ThreadMessage> {
    return this.inbox.once(context, async (tx) => {
      const { project, person } = await this.access.forStaff(context.actor, id, tx);
      const { seq: before } = project;
      const author = { side: 'staff', accountId: person.accountId } as const;
      const deleted = await this.messages.delete(tx, project, author, message);
      if (project.seq !== before)
        await this.audit.record(tx, context.actor, staffAudit(project, { deleted: 'message' }));
      return deleted;
    });
  }

  /** Throws NOT_FOUND, INVALID_INPUT. */
  @Handles(threadContract.postNote)
  postNote({ id, ...note }: Input['postNote'], context: RequestContext): Promise<ThreadNote> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forStaff(context.actor, id, tx);
      const author = await this.authors.ofStaff(access, tx);
      const posted = await this.notes.post(tx, access.project, author, note);
      await this.audit.record(tx, context.actor, staffAudit(access.project, { added: 'note' }));
      return posted;
    });
  }

  /** Throws NOT_FOUND, INVALID_TRANSITION. */
  @Handles(threadContract.editNote)
  editNote({ id, note, text }: Input['editNote'], context: RequestContext): Promise<ThreadNote> {
    return this.inbox.once(context, async (tx) => {
      const { project, person } = await this.access.forStaff(context.actor, id, tx);
      const { seq: before } = project;
      const edited = await this.notes.edit(tx, project, person.accountId, note, text);
      if (project.seq !== before)
        await this.audit.record(tx, context.actor, staffAudit(project, { changed: 'note' }));
      return edited;
    });
  }

  /** Throws NOT_FOUND. */
  @Handles(threadContract.deleteNote)
  deleteNote({ id, note }: Input['deleteNote'], context: RequestContext): Promise<ThreadNote> {
    return this.inbox.once(context, async (tx) => {
      const { project, person } = await this.access.forStaff(context.actor, id, tx);
      const { seq: before } = project;
      const deleted = await this.notes.delete(tx, project, person.accountId, note);
      if (project.seq !== before)
        await this.audit.record(tx, context.actor, staffAudit(project, { deleted: 'note' }));
      return deleted;
    });
  }

  /** Throws NOT_FOUND. Repeating it changes nothing. Reading does not change the project, so it is not in the audit log. */
  @Handles(threadContract.markStaffRead)
  async markRead({ id, seq }: Input['markStaffRead'], { actor }: RequestContext) {
    const { project } = await this.access.forStaff(actor, id);
    const reader = { accountId: personOf(actor).accountId, side: 'staff' } as const;
    return transaction(this.dataSource, (tx) => this.readers.mark(tx, project.id, reader, seq));
  }
}
