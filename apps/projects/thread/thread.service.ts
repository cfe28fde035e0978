import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type HandlerInputs, type Thread, threadContract, type ThreadMessage } from '#libs/contracts';
import { Inbox, transaction } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService } from '../access/author.service.js';
import { ProjectAccess } from '../access/project-access.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { FileRepository } from '../file/file.repository.js';
import { MessageService } from './message.service.js';
import { ThreadRepository } from './thread.repository.js';
import { entryView } from './thread.view.js';

type Input = HandlerInputs<typeof threadContract>;

/** The calls of customers and their colleagues. Nothing here reads `staff_entries`. */
@Injectable()
export class ThreadService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly thread: ThreadRepository,
    private readonly messages: MessageService,
    private readonly readers: ReaderRepository,
    private readonly files: FileRepository,
  ) {}

  @Handles(threadContract.getThread)
  async read({ id, ...request }: Input['getThread'], { actor }: RequestContext): Promise<Thread> {
    const { project, person } = await this.access.forCustomer(actor, id);
    const reader = { projectId: project.id, accountId: person.accountId };
    const { rows, ...part } = await this.thread.part(reader, request);
    const messageIds = rows.flatMap((row) =>
      row.kind === 'message' && row.deletedAt === null ? row.id : [],
    );
    const files = await this.files.viewsOf(this.dataSource.manager, messageIds);
    return { entries: rows.map((row) => entryView(row, files)), ...part };
  }

  @Handles(threadContract.postMessage)
  post({ id, ...message }: Input['postMessage'], context: RequestContext): Promise<ThreadMessage> {
    return this.inbox.once(context, async (tx) => {
      const access = await this.access.forCustomer(context.actor, id, tx);
      const author = await this.authors.ofCustomer(access, tx);
      return this.messages.post(tx, access.project, author, message);
    });
  }

  @Handles(threadContract.editMessage)
  edit(
    { id, message: messageId, text }: Input['editMessage'],
    context: RequestContext,
  ): Promise<ThreadMessage> {
    return this.inbox.once(context, async (tx) => {
      const { project, person } = await this.access.forCustomer(context.actor, id, tx);
      const author = { side: 'customer', accountId: person.accountId } as const;
      return this.messages.edit(tx, project, author, messageId, text);
    });
  }

  @Handles(threadContract.deleteThreadMessage)
  delete(
    { id, message: messageId }: Input['deleteThreadMessage'],
    context: RequestContext,
  ): Promise<ThreadMessage> {
    return this.inbox.once(context, async (tx) => {
      const { project, person } = await this.access.forCustomer(context.actor, id, tx);
      const author = { side: 'customer', accountId: person.accountId } as const;
      return this.messages.delete(tx, project, author, messageId);
    });
  }

  @Handles(threadContract.markRead)
  async markRead({ id, seq }: Input['markRead'], { actor }: RequestContext) {
    const { project, person } = await this.access.forCustomer(actor, id);
    const reader = { accountId: person.accountId, side: 'customer' } as const;
    return transaction(this.dataSource, (tx) => this.readers.markRead(tx, project.id, reader, seq));
  }
}
