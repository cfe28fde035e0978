import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, maskedEmail, type Subscription, type SubscriptionLink } from '#libs/contracts';
import { Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { countUnsubscribed } from '../campaign/campaign-figures.js';
import { ConfirmationMails } from './confirmation-mails.js';
import { DeletedSubscribers } from './deleted-subscribers.js';
import { consentOf } from './subscriber-view.js';
import { SubscriberEntity } from './subscriber.entity.js';
import {
  type Claim,
  type Confirmation,
  readConfirmToken,
  readUnsubscribeToken,
  unsubscribeToken,
} from './subscription-links.js';

/** What people do by the links of their mails. Whoever has a link acts for its subscriber, and learns no more of them than what is masked. */
@Injectable()
export class SubscriptionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly confirmations: ConfirmationMails,
    private readonly deleted: DeletedSubscribers,
  ) {}

  /** NOT_FOUND. */
  async of(link: SubscriptionLink, token: string): Promise<Subscription> {
    if (link === 'unsubscribe') return view((await this.leaverOf(readUnsubscribeToken(token))).subscriber);
    const claim = readConfirmToken(token);
    return view(await this.holderOf(claim), claim!.confirmation);
  }

  /** NOT_FOUND. */
  confirm({ token, ip }: { token: string; ip?: string }, context: RequestContext): Promise<Subscription> {
    const claim = readConfirmToken(token);
    return this.inbox.once(context, async (tx) => {
      const subscriber = await this.holderOf(claim, tx);
      const { link } = view(subscriber, claim!.confirmation);
      if (link !== 'open') return view(subscriber, claim!.confirmation);
      await change(tx, subscriber, {
        status: 'subscribed',
        confirmedAt: new Date(),
        confirmedIp: ip ?? null,
        unsubscribedAt: null,
      });
      await this.confirmations.confirmed(tx, subscriber);
      return view(subscriber, claim!.confirmation);
    });
  }

  /** Also of whom an admin has deleted a moment ago: put back, they are unsubscribed. NOT_FOUND. */
  unsubscribe(
    { token, campaign }: { token: string; campaign?: string },
    context: RequestContext,
  ): Promise<Subscription> {
    const claim = readUnsubscribeToken(token);
    return this.inbox.once(context, async (tx) => {
      const { subscriber, isDeleted } = await this.leaverOf(claim, tx);
      if (subscriber.status === 'unsubscribed') return view(subscriber);
      if (subscriber.status === 'subscribed' && campaign !== undefined)
        await countUnsubscribed(tx, campaign, subscriber.id);
      const left: Partial<SubscriberEntity> = {
        unsubscribedAt: new Date(),
        linkRound: subscriber.linkRound + 1,
        ...(subscriber.status === 'suppressed'
          ? { statusUnsuppressed: 'unsubscribed' }
          : { status: 'unsubscribed' }),
      };
      await (isDeleted ? this.deleted.change(tx, subscriber.id, left) : change(tx, subscriber, left));
      return view({ ...subscriber, ...left });
    });
  }

  /** NOT_FOUND. */
  async subscribeAgain(
    { token, ip }: { token: string; ip?: string },
    context: RequestContext,
  ): Promise<Subscription> {
    const claim = readUnsubscribeToken(token);
    const again = await this.inbox.once(context, async (tx) => {
      const subscriber = await this.holderOf(claim, tx);
      await this.confirmations.ask(tx, subscriber, { source: 'form', ip });
      return view(subscriber);
    });
    this.confirmations.announce();
    return again;
  }

  /** NOT_FOUND for what proves nothing. Locked where there is a transaction. */
  private async holderOf(claim: Claim | undefined, tx?: EntityManager): Promise<SubscriberEntity> {
    return proved(claim, claim && (await this.find(claim.id, tx)));
  }

  /** The same, also of whom an admin has deleted and may yet put back. */
  private async leaverOf(
    claim: Claim | undefined,
    tx?: EntityManager,
  ): Promise<{ subscriber: SubscriberEntity; isDeleted: boolean }> {
    if (!claim) throw new DomainError('NOT_FOUND');
    const { id } = claim;
    const listed = await this.find(id, tx);
    const deleted =
      listed === null &&
      (await this.deleted.find(tx ?? this.dataSource.manager, id, { locked: tx !== undefined }));
    if (deleted) return { subscriber: proved(claim, deleted), isDeleted: true };
    // They may have been put back between the two looks.
    return { subscriber: proved(claim, listed ?? (await this.find(id, tx))), isDeleted: false };
  }

  private find(id: string, tx?: EntityManager): Promise<SubscriberEntity | null> {
    return (tx ?? this.dataSource.manager).findOne(SubscriberEntity, {
      where: { id },
      ...(tx && { lock: { mode: 'pessimistic_write' } }),
    });
  }
}

/** NOT_FOUND where the link is not this subscriber's, or there is none. */
function proved(claim: Claim | undefined, subscriber: SubscriberEntity | null | undefined): SubscriberEntity {
  if (!subscriber || !claim?.isGenuine(subscriber)) throw new DomainError('NOT_FOUND');
  return subscriber;
}

async function change(
  tx: EntityManager,
  subscriber: SubscriberEntity,
  fields: Partial<SubscriberEntity>,
): Promise<void> {
  const changed = { ...fields, updatedAt: new Date(), version: subscriber.version + 1 };
  await tx.update(SubscriberEntity, subscriber.id, changed);
  Object.assign(subscriber, changed);
}

function view(subscriber: SubscriberEntity, confirmation?: Confirmation): Subscription {
  const { email, status } = subscriber;
  const link = confirmation ? stateOf(subscriber, confirmation) : 'open';
  return {
    emailMasked: maskedEmail(email),
    status,
    link,
    unsubscribeToken: link === 'done' ? unsubscribeToken(subscriber) : null,
    consent: consentOf(subscriber),
  };
}

function stateOf({ status, linkRound }: SubscriberEntity, { round, expiresAt }: Confirmation) {
  if (status === 'subscribed') return 'done';
  if (round !== linkRound || status !== 'pending') return 'used';
  return expiresAt.getTime() < Date.now() ? 'expired' : 'open';
}
