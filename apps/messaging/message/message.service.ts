import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type BulkOutcome,
  bulkOutcomeOf,
  DomainError,
  type HandlerInputs,
  type Message,
  messageReceived,
  type MessageWithThread,
  messagingContract,
  type PageOf,
  messageThreadLimit,
} from '#libs/contracts';
import { AuditTrail, Inbox, Outbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { type DeletableKind, DeletionService } from '../deleted/deletion.service.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailRepository } from '../mail/mail.repository.js';
import { messageReplyTemplate, type ReplyParams } from './message-reply-email.js';
import type { MessageEntity, ThreadEntry } from './message.entity.js';
import { MessageRepository } from './message.repository.js';

type Input = HandlerInputs<typeof messagingContract>;

/** Messages are stored unchanged; whatever shows them escapes them. */
@Injectable()
export class MessageService {
  private readonly deletable: DeletableKind<MessageEntity>;

  constructor(
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
    private readonly messages: MessageRepository,
    private readonly deletion: DeletionService,
    private readonly mails: MailRepository,
    private readonly queue: MailQueue,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    this.deletable = {
      table: 'messages',
      repository: messages,
      // Without the text: the audit log is kept forever.
      describe: ({ fullName, emailAddress, subject, messageStatus }) => ({
        ...auditLabel({ fullName, subject }),
        values: { fullName, emailAddress, subject, messageStatus },
      }),
    };
  }

  @Handles(messagingContract.addMessage)
  add({ body }: Input['addMessage'], context: RequestContext): Promise<Message> {
    return this.inbox.once(context, async (tx) => {
      const message = this.messages.make(body);
      await this.messages.insert(tx, message);
      await this.outbox.append(tx, messageReceived, { messageId: message.id }, context);
      return messageView(message);
    });
  }

  @Handles(messagingContract.listMessages)
  async list(request: Input['listMessages']): Promise<PageOf<Message>> {
    const { items, ...page } = await this.messages.list(request);
    return { ...page, items: items.map(messageView) };
  }

  @Handles(messagingContract.getMessage)
  async get({ id }: Input['getMessage']): Promise<MessageWithThread> {
    return this.viewWithThread(this.dataSource.manager, await this.messages.get(id));
  }

  /** Also marks the message as read and answered. Throws INVALID_TRANSITION if the thread is full. */
  @Handles(messagingContract.replyToMessage)
  async reply({ id, text }: Input['replyToMessage'], context: RequestContext): Promise<MessageWithThread> {
    const view = await this.change(id, context, async (tx, message) => {
      const entry = this.newEntry('reply', text, context);
      const { subject, message: original, createdAt } = message;
      const params: ReplyParams = {
        reply: text,
        subject,
        message: original,
        sentAt: createdAt.toISOString(),
      };
      await this.queue.add(
        tx,
        { id: entry.id, template: 'messageReply', params, to: message.emailAddress, about: id },
        messageReplyTemplate,
      );
      return {
        thread: await this.extendedThread(tx, id, entry),
        messageStatus: 'Read',
        answeredAt: this.clock.now(),
      };
    });
    this.queue.wakeWorker();
    return view;
  }

  /** Throws INVALID_TRANSITION if the thread is full. */
  @Handles(messagingContract.addMessageNote)
  addNote({ id, text }: Input['addMessageNote'], context: RequestContext): Promise<MessageWithThread> {
    return this.change(id, context, async (tx) => ({
      thread: await this.extendedThread(tx, id, this.newEntry('note', text, context)),
    }));
  }

  /** Marking a message as answered also marks it as read. */
  @Handles(messagingContract.setMessageAnswered)
  setAnswered({ id, answered }: Input['setMessageAnswered'], context: RequestContext) {
    return this.change(id, context, async (_tx, { answeredAt }) => {
      if (answered === (answeredAt !== null)) return undefined;
      return answered ? { answeredAt: this.clock.now(), messageStatus: 'Read' } : { answeredAt: null };
    });
  }

  @Handles(messagingContract.updateMessage)
  setStatus({ messageStatus, ...selection }: Input['updateMessage'], context: RequestContext) {
    return this.inbox.once(context, async (tx) => {
      const message = await this.messages.lock(tx, selection, messageView);
      if (messageStatus !== 'Read') throw new DomainError('INVALID_TRANSITION');
      if (message.messageStatus === 'Read') return { record: messageView(message), modified: false };
      await this.update(tx, message, { messageStatus: 'Read' }, context);
      return { record: messageView(message), modified: true };
    });
  }

  @Handles(messagingContract.deleteMessage)
  remove(selection: Input['deleteMessage'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.messages.lock(tx, selection, messageView);
      await this.deletion.delete(tx, this.deletable, [message], context);
      return { _id: message.id };
    });
  }

  /** Messages that had been read before count as done. */
  @Handles(messagingContract.markMessagesRead)
  markRead({ ids }: Input['markMessagesRead'], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const found = await this.messages.lockMany(tx, ids);
      for (const message of found.filter(({ messageStatus }) => messageStatus === 'UnRead'))
        await this.update(tx, message, { messageStatus: 'Read' }, context);
      return bulkOutcomeOf(ids, found);
    });
  }

  @Handles(messagingContract.deleteMessages)
  removeMany({ ids }: Input['deleteMessages'], context: RequestContext): Promise<BulkOutcome> {
    return this.deletion.deleteMany(this.deletable, ids, context);
  }

  @Handles(messagingContract.restoreMessages)
  restoreMany({ ids }: Input['restoreMessages'], context: RequestContext): Promise<BulkOutcome> {
    return this.deletion.restoreMany(this.deletable, ids, context);
  }

  /** Changes nothing if `fieldsOf` returns undefined. */
  private change(
    id: string,
    context: RequestContext,
    fieldsOf: (tx: EntityManager, message: MessageEntity) => Promise<Partial<MessageEntity> | undefined>,
  ): Promise<MessageWithThread> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.messages.lock(tx, { id }, messageView);
      const fields = await fieldsOf(tx, message);
      if (fields) await this.update(tx, message, fields, context);
      return this.viewWithThread(tx, message);
    });
  }

  private async update(
    tx: EntityManager,
    message: MessageEntity,
    fields: Partial<MessageEntity>,
    { actor }: RequestContext,
  ): Promise<void> {
    const before = auditedValues(message);
    await this.messages.update(tx, message, fields);
    await this.audit.record(tx, actor, {
      ...auditLabel(message),
      recordId: message.id,
      change: 'updated',
      before,
      // Without the text of the entry: unlike the message, the audit log is kept forever.
      after: { ...auditedValues(message), ...(fields.thread && { added: fields.thread.at(-1)!.kind }) },
    });
  }

  private newEntry(kind: ThreadEntry['kind'], text: string, { actor }: RequestContext): ThreadEntry {
    const author = 'email' in actor ? actor.email : '';
    return { id: uuidv7(), kind, text, author, createdAt: this.clock.now().toISOString() };
  }

  private async extendedThread(tx: EntityManager, id: string, entry: ThreadEntry): Promise<ThreadEntry[]> {
    const thread = (await this.messages.threads(tx, [id])).get(id)!;
    if (thread.length >= messageThreadLimit) throw new DomainError('INVALID_TRANSITION');
    return [...thread, entry];
  }

  private async viewWithThread(manager: EntityManager, message: MessageEntity): Promise<MessageWithThread> {
    const thread = (await this.messages.threads(manager, [message.id])).get(message.id) ?? [];
    // A reply and its mail have the same id.
    const mails = await this.mails.states(
      manager,
      thread.map(({ id }) => id),
    );
    return {
      ...messageView(message),
      thread: thread.map(({ id, ...entry }) => ({ _id: id, ...entry, mail: mails.get(id) ?? null })),
    };
  }
}

const auditedValues = ({ messageStatus, answeredAt }: MessageEntity) => ({
  messageStatus,
  answered: answeredAt !== null,
});

function auditLabel({ subject, fullName }: Pick<MessageEntity, 'subject' | 'fullName'>) {
  return { section: 'message', name: `${subject} (${fullName})` };
}

export function messageView(message: MessageEntity): Message {
  return {
    _id: message.id,
    fullName: message.fullName,
    emailAddress: message.emailAddress,
    subject: message.subject,
    message: message.message,
    messageStatus: message.messageStatus,
    answeredAt: message.answeredAt?.toISOString() ?? null,
    createdAt: message.createdAt.toISOString(),
    updatedAt: message.updatedAt.toISOString(),
    version: message.version,
  };
}
