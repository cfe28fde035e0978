import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type BulkOutcome,
  bulkOutcomeOf,
  DomainError,
  type HandlerInput,
  type Message,
  messageReceived,
  messagingContract,
  type Output,
  type PageOf,
} from '#libs/contracts';
import { AuditTrail, Inbox, Outbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { type DeletableRecords, DeletionService } from '../deleted/deletion.service.js';
import type { MessageEntity } from './message.entity.js';
import { MessageRepository } from './message.repository.js';

type Input<C extends keyof typeof messagingContract> = HandlerInput<(typeof messagingContract)[C]>;

/** What visitors wrote through the contact form. It is stored as written; whatever shows it escapes it. */
@Injectable()
export class MessageService {
  private readonly deletable: DeletableRecords<MessageEntity>;

  constructor(
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
    private readonly messages: MessageRepository,
    private readonly deletion: DeletionService,
  ) {
    this.deletable = {
      table: 'messages',
      repository: messages,
      // Without the text: the audit log is kept for ever.
      describe: ({ fullName, emailAddress, subject, messageStatus }) => ({
        ...audited({ fullName, subject }),
        values: { fullName, emailAddress, subject, messageStatus },
      }),
    };
  }

  @Handles(messagingContract.addMessage)
  add({ body }: Input<'addMessage'>, context: RequestContext): Promise<Message> {
    return this.inbox.once(context, async (tx) => {
      const message = this.messages.make(body);
      await this.messages.insert(tx, message);
      await this.outbox.append(tx, messageReceived, { messageId: message.id }, context);
      return messageView(message);
    });
  }

  /** INVALID_INPUT; UNAVAILABLE for a search that takes too long. */
  @Handles(messagingContract.listMessages)
  async list(request: Input<'listMessages'>): Promise<PageOf<Message>> {
    const { items, ...page } = await this.messages.list(request);
    return { ...page, items: items.map(messageView) };
  }

  /** NOT_FOUND. */
  @Handles(messagingContract.getMessage)
  async item({ id }: Input<'getMessage'>): Promise<Message> {
    return messageView(await this.messages.get(id));
  }

  /** NOT_FOUND, VERSION_MISMATCH; INVALID_TRANSITION for any status but Read. */
  @Handles(messagingContract.updateMessage)
  setStatus(
    { messageStatus, ...selection }: Input<'updateMessage'>,
    context: RequestContext,
  ): Promise<Output<typeof messagingContract.updateMessage>> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.messages.lock(tx, selection, messageView);
      if (messageStatus !== 'Read') throw new DomainError('INVALID_TRANSITION');
      if (message.messageStatus === 'Read') return { record: messageView(message), modified: false };
      await this.markRead(tx, message, context);
      return { record: messageView(message), modified: true };
    });
  }

  /** NOT_FOUND, VERSION_MISMATCH. */
  @Handles(messagingContract.deleteMessage)
  remove(selection: Input<'deleteMessage'>, context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const message = await this.messages.lock(tx, selection, messageView);
      await this.deletion.delete(tx, this.deletable, [message], context);
      return { _id: message.id };
    });
  }

  /** Messages that are read already count as done. Each may fail with NOT_FOUND. */
  @Handles(messagingContract.readMessages)
  readAll({ ids }: Input<'readMessages'>, context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const found = await this.messages.lockMany(tx, ids);
      for (const message of found.filter(({ messageStatus }) => messageStatus === 'UnRead'))
        await this.markRead(tx, message, context);
      return bulkOutcomeOf(ids, found);
    });
  }

  /** Each may fail with NOT_FOUND. */
  @Handles(messagingContract.deleteMessages)
  removeAll({ ids }: Input<'deleteMessages'>, context: RequestContext): Promise<BulkOutcome> {
    return this.deletion.deleteMany(this.deletable, ids, context);
  }

  /** Restores messages that were removed within the last hour. Each may fail with NOT_FOUND. */
  @Handles(messagingContract.restoreMessages)
  restoreAll({ ids }: Input<'restoreMessages'>, context: RequestContext): Promise<BulkOutcome> {
    return this.deletion.restoreMany(this.deletable, ids, context);
  }

  private async markRead(
    tx: EntityManager,
    message: MessageEntity,
    { actor }: RequestContext,
  ): Promise<void> {
    await this.messages.update(tx, message, { messageStatus: 'Read' });
    await this.audit.record(tx, actor, {
      ...audited(message),
      recordId: message.id,
      change: 'updated',
      before: { messageStatus: 'UnRead' },
      after: { messageStatus: 'Read' },
    });
  }
}

function audited({ subject, fullName }: Pick<MessageEntity, 'subject' | 'fullName'>) {
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
    createdAt: message.createdAt.toISOString(),
    updatedAt: message.updatedAt.toISOString(),
    version: message.version,
  };
}
