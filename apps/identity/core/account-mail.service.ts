import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mailRequested, type MailRequest } from '#libs/contracts';
import { Outbox, uuidv7 } from '#libs/database';

type Template = MailRequest['template'];
type ParamsOf<T extends Template> = Extract<MailRequest, { template: T }>['params'];

/** Mail about an account. It goes out if, and only if, the change it tells of is committed; messaging queues and sends it. */
@Injectable()
export class AccountMailService {
  constructor(private readonly outbox: Outbox) {}

  /** To an address that may be a stranger's: only what carries a link that was counted (`AccountLinkService.issue`). */
  async send<T extends Template>(
    tx: EntityManager,
    to: string,
    template: T,
    params: ParamsOf<T>,
  ): Promise<void> {
    const request = { mailId: uuidv7(), to, template, params } as unknown as MailRequest;
    await this.outbox.append(tx, mailRequested, request);
  }

  /** Tells the owner of an account what happened to it. An address that was never proved gets no such mail. */
  async tell<T extends Template>(
    tx: EntityManager,
    account: { email: string; emailVerified: boolean },
    template: T,
    params: ParamsOf<T>,
  ): Promise<void> {
    if (account.emailVerified) await this.send(tx, account.email, template, params);
  }
}
