import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type HandlerInputs,
  maskedEmail,
  messagingContract,
  type NewsletterSubscription,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { CampaignRepository } from '../campaign/campaign.repository.js';
import { DeletedRecordRepository } from '../deleted/deleted-record.repository.js';
import { ConfirmationMailService } from '../subscriber/confirmation-mail.service.js';
import { DeletedSubscriberRepository } from '../subscriber/deleted-subscriber.repository.js';
import type { SubscriberEntity } from '../subscriber/subscriber.entity.js';
import { SubscriberRepository } from '../subscriber/subscriber.repository.js';
import { consentTextOf } from '../subscriber/subscriber-view.js';
import {
  type Claim,
  type LinkValidity,
  readConfirmToken,
  readUnsubscribeToken,
  unsubscribeToken,
} from '../subscriber/newsletter-links.js';

type Input = HandlerInputs<typeof messagingContract>;

/** Anybody who has a link can act for its subscriber, but sees only a masked address. */
@Injectable()
export class NewsletterSubscriptionService {
  constructor(
    private readonly inbox: Inbox,
    private readonly subscribers: SubscriberRepository,
    private readonly deletedSubscribers: DeletedSubscriberRepository,
    private readonly deletedRecords: DeletedRecordRepository,
    private readonly confirmations: ConfirmationMailService,
    private readonly campaigns: CampaignRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(messagingContract.getNewsletterSubscription)
  async get({ link: linkKind, token }: Input['getNewsletterSubscription']): Promise<NewsletterSubscription> {
    if (linkKind === 'unsubscribe') {
      const { subscriber, isDeleted } = await this.getSubscriberOrDeleted(readUnsubscribeToken(token));
      const listed = isDeleted ? await this.subscribers.findByAddress(subscriber.emailNormalized) : null;
      return this.view(listed ?? subscriber);
    }
    const claim = readConfirmToken(token);
    return this.view(await this.getSubscriber(claim), claim!.validity);
  }

  @Handles(messagingContract.confirmSubscription)
  confirm(
    { token, ip }: { token: string; ip?: string },
    context: RequestContext,
  ): Promise<NewsletterSubscription> {
    const claim = readConfirmToken(token);
    return this.inbox.once(context, async (tx) => {
      const subscriber = await this.getSubscriber(claim, tx);
      const { link: linkState } = this.view(subscriber, claim!.validity);
      if (linkState !== 'open') return this.view(subscriber, claim!.validity);
      const confirmed = { confirmedAt: this.clock.now(), confirmedIp: ip ?? null, unsubscribedAt: null };
      await this.subscribers.update(tx, subscriber, { status: 'subscribed', ...confirmed });
      await this.confirmations.resetLimits(tx, subscriber);
      return this.view(subscriber, claim!.validity);
    });
  }

  /** Unsubscribes the link's subscriber and all others with the same address, including deleted ones whom an admin can still restore. */
  @Handles(messagingContract.unsubscribe)
  unsubscribe({ token, campaign }: { token: string; campaign?: string }, context: RequestContext) {
    const claim = readUnsubscribeToken(token);
    return this.inbox.once(context, async (tx) => {
      const { subscriber, isDeleted } = await this.getSubscriberOrDeleted(claim, tx);
      if (subscriber.status === 'subscribed' && campaign !== undefined)
        await this.campaigns.incrementUnsubscribed(tx, campaign, subscriber);
      const address = subscriber.emailNormalized;
      const unsubscribedAt = this.clock.now();
      await this.deletedSubscribers.unsubscribe(tx, address, unsubscribedAt);
      const listed = isDeleted ? await this.subscribers.lockByAddress(tx, address) : subscriber;
      if (listed && !isUnsubscribed(listed))
        await this.subscribers.update(tx, listed, {
          unsubscribedAt,
          linkRound: listed.linkRound + 1,
          ...(listed.status === 'suppressed'
            ? { statusUnsuppressed: 'unsubscribed' }
            : { status: 'unsubscribed' }),
        });
      return this.view(listed ?? (await this.deletedSubscribers.find(subscriber.id, tx))!);
    });
  }

  /** Asks for confirmation again. Restores a deleted subscriber first, if they have unsubscribed; throws NOT_FOUND for other deleted ones. */
  @Handles(messagingContract.subscribeAgain)
  async subscribeAgain({ token, ip }: { token: string; ip?: string }, context: RequestContext) {
    const claim = readUnsubscribeToken(token);
    const subscription = await this.inbox.once(context, async (tx) => {
      const found = await this.getSubscriberOrDeleted(claim, tx);
      const subscriber = found.isDeleted ? await this.restore(tx, found.subscriber) : found.subscriber;
      await this.confirmations.request(tx, subscriber, { source: 'form', ip });
      return this.view(subscriber);
    });
    this.confirmations.wakeMailWorker();
    return subscription;
  }

  /** With `tx`, locks the subscriber. Throws NOT_FOUND if the link is not genuine, or its subscriber was deleted. */
  private async getSubscriber(claim: Claim | undefined, tx?: EntityManager): Promise<SubscriberEntity> {
    return requireGenuine(claim, claim && (await this.subscribers.find(claim.id, tx)));
  }

  /** Like `getSubscriber`, but also returns a deleted subscriber whom an admin can still restore. */
  private async getSubscriberOrDeleted(
    claim: Claim | undefined,
    tx?: EntityManager,
  ): Promise<{ subscriber: SubscriberEntity; isDeleted: boolean }> {
    if (!claim) throw new DomainError('NOT_FOUND');
    const { id } = claim;
    const listed = await this.subscribers.find(id, tx);
    const deleted = listed === null ? await this.deletedSubscribers.find(id, tx) : null;
    if (deleted) return { subscriber: requireGenuine(claim, deleted), isDeleted: true };
    // The subscriber may have been restored between the two queries.
    const subscriber = requireGenuine(claim, listed ?? (await this.subscribers.find(id, tx)));
    return { subscriber, isDeleted: false };
  }

  /**
   * Throws NOT_FOUND if the deleted subscriber had not unsubscribed. If the address has signed up since the deletion, returns the new subscriber.
   * Otherwise throws NOT_FOUND if the deleted one can no longer be restored.
   */
  private async restore(tx: EntityManager, deleted: SubscriberEntity): Promise<SubscriberEntity> {
    // Restoring brings back the status. Somebody who was deleted while subscribed would be subscribed again without a confirmation.
    if (!isUnsubscribed(deleted)) throw new DomainError('NOT_FOUND');
    await this.deletedRecords.restore(tx, 'subscribers', [deleted.id]);
    const listed = await this.subscribers.lockByAddress(tx, deleted.emailNormalized);
    if (!listed) throw new DomainError('NOT_FOUND');
    return listed;
  }

  private view(subscriber: SubscriberEntity, validity?: LinkValidity): NewsletterSubscription {
    const { email, status } = subscriber;
    // An unsubscribe link has no `validity` and never expires. If a suppressed subscriber has unsubscribed, the link is `used`, because the status
    // `suppressed` does not tell the page so.
    const linkState = validity
      ? this.confirmLinkState(subscriber, validity)
      : status === 'suppressed' && isUnsubscribed(subscriber)
        ? 'used'
        : 'open';
    return {
      emailMasked: maskedEmail(email),
      status,
      link: linkState,
      unsubscribeToken: linkState === 'done' ? unsubscribeToken(subscriber) : null,
      consent: consentTextOf(subscriber),
    };
  }

  /** `NewsletterSubscription` explains these states. */
  private confirmLinkState({ status, linkRound }: SubscriberEntity, { round, expiresAt }: LinkValidity) {
    if (status === 'subscribed') return 'done';
    if (round !== linkRound || status !== 'pending') return 'used';
    return expiresAt.getTime() < this.clock.now().getTime() ? 'expired' : 'open';
  }
}

/** Also true for a suppressed subscriber who will be unsubscribed when the suppression is lifted. */
const isUnsubscribed = ({ status, statusUnsuppressed }: SubscriberEntity) =>
  (status === 'suppressed' ? statusUnsuppressed : status) === 'unsubscribed';

function requireGenuine(
  claim: Claim | undefined,
  subscriber: SubscriberEntity | null | undefined,
): SubscriberEntity {
  if (!subscriber || !claim?.isGenuine(subscriber)) throw new DomainError('NOT_FOUND');
  return subscriber;
}
