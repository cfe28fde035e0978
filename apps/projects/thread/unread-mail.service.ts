import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Actor, DomainError, type HandlerInput, type Output, threadContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { ProjectAccess } from '../access/project-access.js';
import type { ProjectsConfig } from '../config.js';
import { PROJECTS_CONFIG } from '../config.module.js';
import { ReaderRepository } from '../entry/reader.repository.js';
import { UnreadCheckRepository } from '../entry/unread-check.repository.js';
import { FileRepository } from '../file/file.repository.js';
import type { ProjectEntity } from '../project/project.entity.js';

type Unread = typeof threadContract.getUnreadForMail;

/** Keeps mails short. */
const maxMessages = 20;

/** Reads only messages, so that no mail contains a note. */
@Injectable()
export class UnreadMailService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: ProjectAccess,
    private readonly checks: UnreadCheckRepository,
    private readonly readers: ReaderRepository,
    private readonly files: FileRepository,
    @Inject(PROJECTS_CONFIG) private readonly config: ProjectsConfig,
  ) {}

  /** Also creates the reader’s reply address if there is none yet, although this is a query: repeating it is harmless. */
  @Handles(threadContract.getUnreadForMail)
  async unread({ projectId, accountId, side, ...range }: HandlerInput<Unread>): Promise<Output<Unread>> {
    const reader = { projectId, accountId, side };
    const project = await this.findProject(reader);
    if (!project) return null;
    const { messages, total } = await this.checks.listMessages(reader, range, maxMessages);
    if (messages.length === 0) return null;
    const files = await this.files.viewsOf(
      this.dataSource.manager,
      messages.map(({ id }) => id),
    );
    return {
      project: { _id: project.id, number: project.number, title: project.title },
      side,
      messages: messages.map(({ id, name, at, text }) => ({
        ...{ name, text, at: at.toISOString() },
        files: (files.get(id) ?? []).map((file) => file.name),
      })),
      more: total - messages.length,
      authors: [...new Set(messages.flatMap((message) => message.accountId ?? []))],
      replyAddress: await this.replyAddress(reader),
    };
  }

  /** Null if the reader may not read the project any more. The role of staff is not checked here: messaging mails only admins. */
  private async findProject({ projectId, accountId, side }: Reader): Promise<ProjectEntity | null> {
    const role = side === 'staff' ? 'admin' : 'customer';
    const actor: Actor = { role, accountId, email: '', emailVerified: true, sessionId: '' };
    try {
      const found = await (side === 'staff'
        ? this.access.forStaff(actor, projectId)
        : this.access.forCustomer(actor, projectId));
      return found.project;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  private async replyAddress(reader: Reader): Promise<string | null> {
    const { INBOUND_MAIL_ADDRESS: address } = this.config;
    if (address === undefined) return null;
    const [local, domain] = address.split('@');
    return `${local}+${await this.readers.getOrCreateReplyToken(reader)}@${domain}`;
  }
}

interface Reader {
  projectId: string;
  accountId: string;
  side: 'customer' | 'staff';
}
