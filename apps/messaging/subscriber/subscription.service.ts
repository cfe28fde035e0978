import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, maskedEmail, type Subscription, type SubscriptionLink } from '#libs/contracts';
import { Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { countUnsubscribed } from '../campaign/campaign-figures.js';
import { ConfirmationMails } from './confirmation-mails.js';
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
  ) {}

  /** NOT_FOUND. */
  async of(link: SubscriptionLink, token: string): Promise<Subscription> {
    if (link === 'unsubscribe') return view(await this.holderOf(readUnsubscribeToken(token)));
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
        confirmationsSent: 0,
        confirmationSentAt: null,
      });
      return view(subscriber, claim!.confirmation);
    });
  }

  /** NOT_FOUND. */
  unsubscribe(
    { token, campaign }: { token: string; campaign?: string },
    context: RequestContext,
  ): Promise<Subscription> {
    const claim = readUnsubscribeToken(token);
    return this.inbox.once(context, async (tx) => {
      const subscriber = await this.holderOf(claim, tx);
      if (subscriber.status === 'unsubscribed') return view(subscriber);
      if (subscriber.status === 'subscribed' && campaign !== undefined)
        await countUnsubscribed(tx, campaign, subscriber.id);
      const left = { unsubscribedAt: new Date(), linkRound: subscriber.linkRound + 1 };
      await change(tx, subscriber, {
        ...left,
        ...(subscriber.status === 'suppressed'
          ? { statusUnsuppressed: 'unsubscribed' }
          : { status: 'unsubscribed' }),
      });
      return view(subscriber);
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
    const subscriber =
      claim &&
      (await (tx ?? this.dataSource.manager).findOne(SubscriberEntity, {
        where: { id: claim.id },
        ...(tx && { lock: { mode: 'pessimistic_write' } }),
      }));
    if (!subscriber || !claim.isGenuine(subscriber)) throw new DomainError('NOT_FOUND');
    return subscriber;
  }
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
  };
}

function stateOf({ status, linkRound }: SubscriberEntity, { round, expiresAt }: Confirmation) {
  if (status === 'subscribed') return 'done';
  if (round !== linkRound || status !== 'pending') return 'used';
  return expiresAt.getTime() < Date.now() ? 'expired' : 'open';
}
