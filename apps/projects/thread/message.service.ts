import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, editableMs, type ThreadMessage } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import type { ProjectAuthor } from '../access/author.service.js';
import { EntryRepository } from '../entry/entry.repository.js';
import type { ThreadEntryEntity } from '../entry/thread-entry.entity.js';
import { UnreadCheckRepository } from '../entry/unread-check.repository.js';
import { FileRepository } from '../file/file.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';
import { ProjectRepository } from '../project/project.repository.js';
import { ThreadRepository } from './thread.repository.js';
import { messageView } from './thread.view.js';

export interface MessageToPost {
  text: string;
  /** The ids of the attached files. */
  files: readonly string[];
  /** The id of the message that it answers. */
  quote?: string | undefined;
  /** Of a reply by mail, the part that screens show collapsed, such as quoted text. */
  folded?: string | undefined;
  byMail?: boolean | undefined;
}

/** Does not check access. Lock the project first. */
@Injectable()
export class MessageService {
  constructor(
    private readonly entries: EntryRepository,
    private readonly thread: ThreadRepository,
    private readonly files: FileRepository,
    private readonly projects: ProjectRepository,
    private readonly unreadChecks: UnreadCheckRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws INVALID_INPUT for an empty message, for files that cannot be attached, and for a quote of a deleted message or from another project. */
  async post(
    tx: EntityManager,
    project: ProjectEntity,
    author: ProjectAuthor,
    { text, files, quote, ...reply }: MessageToPost,
  ): Promise<ThreadMessage> {
    if (text.trim() === '' && files.length === 0) throw invalid('text', 'is required');
    if (quote !== undefined && !(await this.isQuotable(tx, project, quote)))
      throw invalid('quote', 'is not a message of this project, or was deleted');
    const messageId = uuidv7();
    const at = this.clock.now();
    await this.entries.append(tx, project, {
      ...{ kind: 'message', messageId, by: author, at, text, quoteId: quote },
      ...reply,
    });
    const { side, accountId } = author;
    const attachment = {
      projectId: project.id,
      accountId,
      side,
      to: 'message',
      attachedToId: messageId,
    } as const;
    await this.files.attach(tx, files, attachment);
    await this.projects.updateActiveAt(tx, project, at);
    await this.unreadChecks.schedule(tx, project.id, side === 'staff' ? 'customer' : 'staff', at);
    return this.view(tx, messageId);
  }

  /** Throws NOT_FOUND for somebody else’s message, INVALID_TRANSITION after 15 minutes and for a deleted message. */
  async edit(
    tx: EntityManager,
    project: ProjectEntity,
    author: Omit<ProjectAuthor, 'name'>,
    messageId: string,
    text: string,
  ): Promise<ThreadMessage> {
    const message = await this.getOwnMessage(tx, project, author, messageId);
    refuseUnlessEditable(message, this.clock.now());
    if (message.text !== text) {
      const change = await this.entries.takeNumber(tx, project);
      await this.thread.updateMessage(tx, message, { change, text, editedAt: this.clock.now() });
    }
    return this.view(tx, messageId);
  }

  /** Removes the text and the files, but keeps the entry, which is shown as deleted. Throws NOT_FOUND for somebody else’s message. */
  async delete(
    tx: EntityManager,
    project: ProjectEntity,
    author: Omit<ProjectAuthor, 'name'>,
    messageId: string,
  ): Promise<ThreadMessage> {
    const message = await this.getOwnMessage(tx, project, author, messageId);
    if (message.deletedAt === null) {
      const change = await this.entries.takeNumber(tx, project);
      const deletedAt = this.clock.now();
      await this.thread.updateMessage(tx, message, {
        change,
        text: '',
        folded: null,
        quoteId: null,
        deletedAt,
      });
      await this.files.discardAttachedTo(tx, [messageId]);
    }
    return this.view(tx, messageId);
  }

  private async getOwnMessage(
    tx: EntityManager,
    project: ProjectEntity,
    { side, accountId }: Omit<ProjectAuthor, 'name'>,
    messageId: string,
  ): Promise<ThreadEntryEntity> {
    const message = await this.thread.findMessage(tx, project.id, messageId);
    if (message?.side !== side || message.accountId !== accountId) throw new DomainError('NOT_FOUND');
    return message;
  }

  private async isQuotable(tx: EntityManager, { id }: ProjectEntity, messageId: string): Promise<boolean> {
    const message = await this.thread.findMessage(tx, id, messageId);
    return message !== null && message.deletedAt === null;
  }

  private async view(tx: EntityManager, messageId: string): Promise<ThreadMessage> {
    const files = await this.files.viewsOf(tx, [messageId]);
    return messageView(await this.thread.getMessageRow(tx, messageId), files);
  }
}

/** Throws INVALID_TRANSITION for what was deleted, or written more than 15 minutes ago. */
export function refuseUnlessEditable(
  { at, deletedAt }: { at: Date; deletedAt: Date | null },
  now: Date,
): void {
  if (deletedAt !== null)
    throw new DomainError('INVALID_TRANSITION', {}, 'Deleted messages and notes can’t be changed.');
  if (now.getTime() - at.getTime() > editableMs)
    throw new DomainError('INVALID_TRANSITION', {}, 'Messages and notes can only be changed for 15 minutes.');
}

function invalid(field: string, message: string): DomainError {
  return DomainError.invalid([{ field, message }]);
}
