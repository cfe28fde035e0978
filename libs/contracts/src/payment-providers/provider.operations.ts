import { z } from 'zod';
import { grouped, operation } from '../operation.js';
import { openToAll } from '../policy.js';
import type { PaymentProviderDefinition } from './payment-provider.js';
import { paymentProviders } from './payment-providers.js';
import {
  paypalConnectionGroupDescriptions,
  paypalConnectionOperations,
} from './paypal-connection.contract.js';
import { paypalEmailOperations, paypalEmailGroupDescriptions } from './paypal-email.contract.js';

export * from './paypal-connection.contract.js';
export * from './paypal-email.contract.js';

export const providerOperations = [paypalEmailOperations, paypalConnectionOperations] as const;

export const providerGroupDescriptions = {
  ...paypalEmailGroupDescriptions,
  ...paypalConnectionGroupDescriptions,
};

const notificationOperationsOf = ({ notificationCall }: PaymentProviderDefinition) =>
  grouped('Payments', {
    receive: operation({
      ...notificationCall,
      // Not limited here: if a network sends too many notifications, only doubtful ones are refused (see `paymentContract.receiveNotification`).
      policy: openToAll,
      rawBody: { maxBytes: 64 * 1024 },
      answer: z.undefined(),
      failures: ['RATE_LIMITED', 'OVERLOADED'],
    }),
  });
export type NotificationOperations = ReturnType<typeof notificationOperationsOf>;

export const notificationOperationsByProvider = paymentProviders.map((provider) => ({
  provider,
  operations: notificationOperationsOf(provider),
}));
