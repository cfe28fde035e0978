import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mailRequested, type MailRequest } from '#libs/contracts';
import { Outbox, uuidv7 } from '#libs/database';

type Template = MailRequest['template'];
type ParamsOf<T extends Template> = Extract<MailRequest, { template: T }>['params'];

/** Requests the mails about accounts and the invitations of admins. If the caller's transaction commits, messaging queues and sends the mail. */
@Injectable()
export class AccountMailService {
  constructor(private readonly outbox: Outbox) {}

  /** Mails an address that may be another person's: use it only for mails whose number is limited, for example by `MailedLinkService.issue`. */
  async send<T extends Template>(
    tx: EntityManager,
    to: string,
    template: T,
    params: ParamsOf<T>,
  ): Promise<void> {
    // TypeScript does not see that the template and the params belong together.
    const request = { mailId: uuidv7(), to, template, params } as MailRequest;
    await this.outbox.append(tx, mailRequested, request);
  }

  /** Mails the owner of an account what happened to it, if its address is verified. */
  async sendIfVerified<T extends Template>(
    tx: EntityManager,
    account: { email: string; emailVerified: boolean },
    template: T,
    params: ParamsOf<T>,
  ): Promise<void> {
    if (account.emailVerified) await this.send(tx, account.email, template, params);
  }
}
