import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type accountDeleted,
  type Actor,
  type EventPayload,
  ownDataLimit,
  type OwnMessagingData,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import { mailView } from '../mail/mail.service.js';
import { MailEntity } from '../mail/mail.entity.js';
import { MessageEntity } from '../message/message.entity.js';
import { messageView } from '../message/message.service.js';
import { subscriberRecordView } from '../subscriber/subscriber-view.js';
import { SubscriberEntity } from '../subscriber/subscriber.entity.js';

/**
 * What is kept here of one person. They are known by their address, and by that only once they have proved it: anybody can open an account
 * with anybody's address.
 */
@Injectable()
export class PersonalDataService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
  ) {}

  /** The newest 1000 messages and the newest 1000 mails, and the subscription if there is one. */
  async of(actor: Actor): Promise<OwnMessagingData> {
    if (!('accountId' in actor) || !actor.emailVerified)
      return { messages: [], subscription: null, mails: [] };
    const address = actor.email.toLowerCase();
    const messages = await this.dataSource
      .createQueryBuilder(MessageEntity, 'message')
      .where('lower(message.email_address) = :address', { address })
      .orderBy('message.createdAt', 'DESC')
      .addOrderBy('message.id', 'DESC')
      .take(ownDataLimit)
      .getMany();
    const subscriber = await this.dataSource.manager.findOneBy(SubscriberEntity, {
      emailNormalized: address,
    });
    const mails = await this.dataSource
      .createQueryBuilder(MailEntity, 'mail')
      .where('lower(mail.to) = :address', { address })
      .orderBy('mail.createdAt', 'DESC')
      .addOrderBy('mail.id', 'DESC')
      .take(ownDataLimit)
      .getMany();
    return {
      messages: messages.map(messageView),
      subscription: subscriber && subscriptionOf(subscriber),
      mails: mails.map(mailOf),
    };
  }

  /** The person is gone: so are their messages and their subscription. */
  async forget({ email }: EventPayload<typeof accountDeleted>, eventId: string): Promise<void> {
    if (email === null) return;
    const address = email.toLowerCase();
    await this.inbox.consume('personal-data', eventId, async (tx) => {
      await tx.query(`DELETE FROM messages WHERE lower(email_address) = $1`, [address]);
      await tx.delete(SubscriberEntity, { emailNormalized: address });
      await tx.query(
        `DELETE FROM deleted_records WHERE lower(coalesce(record->>'email_address', record->>'email')) = $1`,
        [address],
      );
      await tx.query(`DELETE FROM subscriber_import_refusals WHERE lower(text) = $1`, [address]);
      await tx.query(
        `DELETE FROM mails WHERE state = 'queued' AND template = 'confirmSubscription' AND lower(to_address) = $1`,
        [address],
      );
      const theirs = `(lower(to_address) = $1 OR lower(params->>'emailAddress') = $1 OR lower(params->>'email') = $1)`;
      // What is still to be sent goes out: it tells the person that this was done. Then it is forgotten, too.
      await tx.query(`UPDATE mails SET forget = true WHERE finished_at IS NULL AND ${theirs}`, [address]);
      await tx.query(`DELETE FROM mails WHERE finished_at IS NOT NULL AND NOT forget AND ${theirs}`, [
        address,
      ]);
    });
  }
}

function subscriptionOf(subscriber: SubscriberEntity): OwnMessagingData['subscription'] {
  const { email, status, createdAt: since, ...record } = subscriberRecordView(subscriber);
  const { consent, confirmedAt, confirmedIp, unsubscribedAt, suppressed } = record;
  return { email, status, since, consent, confirmedAt, confirmedIp, unsubscribedAt, suppressed };
}

function mailOf(mail: MailEntity): OwnMessagingData['mails'][number] {
  const { template, to, subject, state, attempts, answer, ...moments } = mailView(mail);
  const { createdAt, finishedAt, bouncedAt } = moments;
  return { template, to, subject, state, attempts, answer, createdAt, finishedAt, bouncedAt };
}
