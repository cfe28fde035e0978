import { newsletterConsent, type Subscriber, type SubscriberRecord } from '#libs/contracts';
import type { SubscriberEntity } from './subscriber.entity.js';

export function subscriberView(subscriber: SubscriberEntity): Subscriber {
  return {
    _id: subscriber.id,
    email: subscriber.email,
    status: subscriber.status,
    createdAt: subscriber.createdAt.toISOString(),
    updatedAt: subscriber.updatedAt.toISOString(),
    version: subscriber.version,
  };
}

export function subscriberRecordView(subscriber: SubscriberEntity): SubscriberRecord {
  const { consentAt, consentSource, suppressedAt } = subscriber;
  return {
    ...subscriberView(subscriber),
    consent:
      consentAt && consentSource
        ? {
            at: consentAt.toISOString(),
            source: consentSource,
            text: subscriber.consentText,
            ip: subscriber.consentIp,
          }
        : null,
    confirmedAt: subscriber.confirmedAt?.toISOString() ?? null,
    confirmedIp: subscriber.confirmedIp,
    unsubscribedAt: subscriber.unsubscribedAt?.toISOString() ?? null,
    suppressed: suppressedAt && {
      at: suppressedAt.toISOString(),
      reason: subscriber.suppressedReason ?? '',
    },
  };
}

/** The text that the subscriber agrees to by confirming; the built-in text if none was stored. */
export const consentTextOf = ({ consentText }: Pick<SubscriberEntity, 'consentText'>): string =>
  consentText ?? newsletterConsent;
