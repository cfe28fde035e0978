import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mailRequested, type MailRequest } from '#libs/contracts';
import { Outbox, uuidv7 } from '#libs/database';

type Template = MailRequest['template'];
type ParamsOf<T extends Template> = Extract<MailRequest, { template: T }>['params'];

/** If the caller's transaction commits, the messaging service queues the mail and sends it. */
@Injectable()
export class AccountMailService {
  constructor(private readonly outbox: Outbox) {}

  /** The address may be another person's: use this only for mails whose number is limited, for example by `MailedLinkService.issue`. */
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

  /** Sends a mail about something that happened to an account, if the account's address is verified. */
  async sendIfVerified<T extends Template>(
    tx: EntityManager,
    account: { email: string; emailVerified: boolean },
    template: T,
    params: ParamsOf<T>,
  ): Promise<void> {
    if (account.emailVerified) await this.send(tx, account.email, template, params);
  }
}
