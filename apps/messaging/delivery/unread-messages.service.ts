import { Injectable } from '@nestjs/common';
import { identityContract, system, threadContract } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { unreadBatchParams } from '../notification/project-emails.js';
import { DeliveryRepository, type LeasedMail } from './delivery.repository.js';

/** The deadline is short, because the mail takes up one of the `MAIL_CONCURRENCY` places during the call. */
const callOptions = { actor: system, deadlineMs: 2_000 };
const unreadMessageTemplates: ReadonlySet<string> = new Set(['projectMessages', 'adminProjectMessages']);

export type ResolvedParams = Pick<LeasedMail, 'params' | 'replyTo'>;

/**
 * Fetches the project messages for a mail just before it is sent. So the mail contains nothing that was read or deleted while it waited, and the
 * queue stores neither the messages nor the secret reply address.
 */
@Injectable()
export class UnreadMessagesService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly deliveries: DeliveryRepository,
  ) {}

  /**
   * Null if there are no messages left to send, or the reader may no longer read them. Stores who wrote the messages. A mail of
   * another kind keeps its params.
   */
  async resolveParams(mail: LeasedMail): Promise<ResolvedParams | null> {
    const { template, params, replyTo } = mail;
    if (!unreadMessageTemplates.has(template)) return { params, replyTo };
    const batch = unreadBatchParams.parse(params);
    if (template === 'adminProjectMessages' && !(await this.isAdmin(batch.accountId))) return null;
    const unread = await this.rpc.call(threadContract.getUnreadForMail, batch, callOptions);
    if (!unread) return null;
    const { project, messages, more, replyAddress, authors = [] } = unread;
    await this.deliveries.setAuthors(mail, authors);
    const { _id: projectId, number, title } = project;
    return {
      params: { projectId, number, title, messages, more, canReplyByMail: replyAddress !== null },
      replyTo: replyAddress === null ? null : { name: '', address: replyAddress },
    };
  }

  /** The projects service checks the readers on the customer's side only. */
  private async isAdmin(accountId: string): Promise<boolean> {
    const admins = await this.rpc.call(identityContract.adminAccounts, {}, callOptions);
    return admins.some((admin) => admin.accountId === accountId);
  }
}
