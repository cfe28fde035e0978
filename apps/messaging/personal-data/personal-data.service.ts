import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  accountDeleted,
  type EventPayload,
  messagingContract,
  ownMessagingDataLimit,
  type OwnMessagingData,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { type EventContext, Handles, OnEvent, type RequestContext } from '#libs/transport';
import { DeletedRecordRepository } from '../deleted/deleted-record.repository.js';
import type { MailEntity } from '../mail/mail.entity.js';
import { MailRepository } from '../mail/mail.repository.js';
import { mailView } from '../mail/mail.service.js';
import { MessageRepository } from '../message/message.repository.js';
import { messageView } from '../message/message.service.js';
import type { SubscriberEntity } from '../subscriber/subscriber.entity.js';
import { SubscriberImportRepository } from '../subscriber/subscriber-import.repository.js';
import { SubscriberRepository } from '../subscriber/subscriber.repository.js';
import { subscriberRecordView } from '../subscriber/subscriber-view.js';

const anonymousName = 'a deleted account';

/** People are identified by a verified e-mail address. An unverified address proves nothing, because anybody can open an account with it. */
@Injectable()
export class PersonalDataService {
  constructor(
    private readonly inbox: Inbox,
    private readonly messages: MessageRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly imports: SubscriberImportRepository,
    private readonly deletedRecords: DeletedRecordRepository,
    private readonly mails: MailRepository,
    private readonly audit: AuditTrail,
    private readonly dataSource: DataSource,
  ) {}

  @Handles(messagingContract.getOwnData)
  async get(_: object, { actor }: RequestContext): Promise<OwnMessagingData> {
    if (!('accountId' in actor) || !actor.emailVerified)
      return { messages: [], subscription: null, mails: [] };
    const address = actor.email.toLowerCase();
    const messages = await this.messages.newestFrom(address, ownMessagingDataLimit);
    const threads = await this.messages.threads(
      this.dataSource.manager,
      messages.map(({ id }) => id),
    );
    const subscriber = await this.subscribers.findByAddress(address);
    const newsletterSubscription = subscriber && newsletterSubscriptionOf(subscriber);
    const mails = await this.mails.newestTo(address, ownMessagingDataLimit);
    return {
      messages: messages.map((message) => ({
        ...messageView(message),
        replies: (threads.get(message.id) ?? [])
          .filter(({ kind }) => kind === 'reply')
          .map(({ text, createdAt }) => ({ text, createdAt })),
      })),
      subscription: newsletterSubscription,
      mails: mails.map(ownMailView),
    };
  }

  /**
   * If the account's address was not verified, deletes only the mails with the account's id in their params. Mails to the person that are requested
   * after the deletion are kept like any other, because nothing is stored by which they could be recognized.
   */
  @OnEvent(accountDeleted)
  async delete(
    { accountId, email }: EventPayload<typeof accountDeleted>,
    { eventId }: EventContext,
  ): Promise<void> {
    const address = email?.toLowerCase() ?? null;
    await this.inbox.consume('personal-data', eventId, async (tx) => {
      if (address !== null) await this.deleteRecordsOf(tx, address);
      await this.mails.deleteForPerson(tx, { accountId, address });
    });
  }

  private async deleteRecordsOf(tx: EntityManager, address: string): Promise<void> {
    // A suppression also locks the subscriber before the deleted records. In opposite orders, the two transactions could deadlock.
    await this.subscribers.lockByAddress(tx, address);
    // Called twice, because an admin may meanwhile restore or delete a record, which moves it from one table to the other.
    await this.deletedRecords.deleteForPerson(tx, address);
    const messageIds = await this.messages.deleteForPerson(tx, address);
    const subscriberIds = await this.subscribers.deleteForPerson(tx, address);
    await this.deletedRecords.deleteForPerson(tx, address);
    await this.imports.deleteForPerson(tx, address);
    await this.anonymizeAudit(tx, address, {
      section: 'message',
      ids: messageIds,
      addressField: 'emailAddress',
      fields: ['emailAddress', 'fullName', 'subject'],
    });
    await this.anonymizeAudit(tx, address, {
      section: 'subscriber',
      ids: subscriberIds,
      addressField: 'email',
      // The reason can quote the mail server, which names the address.
      fields: ['email', 'suppressedReason'],
    });
  }

  /** Records that an admin had deleted are found by the address in their entries of the audit log. */
  private async anonymizeAudit(
    tx: EntityManager,
    address: string,
    entries: { section: string; ids: readonly string[]; addressField: string; fields: readonly string[] },
  ): Promise<void> {
    const { section, ids, addressField, fields } = entries;
    const loggedIds = await this.audit.listRecordIdsWith(tx, section, addressField, address);
    const names = new Map([...ids, ...loggedIds].map((id) => [id, anonymousName]));
    await this.audit.anonymize(tx, section, names, fields);
  }
}

function newsletterSubscriptionOf(subscriber: SubscriberEntity): OwnMessagingData['subscription'] {
  const { email, status, createdAt: since, ...record } = subscriberRecordView(subscriber);
  const { consent, confirmedAt, confirmedIp, unsubscribedAt, suppressed } = record;
  return { email, status, since, consent, confirmedAt, confirmedIp, unsubscribedAt, suppressed };
}

function ownMailView(mail: MailEntity): OwnMessagingData['mails'][number] {
  const { template, to, subject, state, attempts, answer, ...rest } = mailView(mail);
  const { createdAt, finishedAt, bouncedAt } = rest;
  return { template, to, subject, state, attempts, answer, createdAt, finishedAt, bouncedAt };
}
