import type { Type } from '@nestjs/common';
import {
  notificationOperationsByProvider,
  type NotificationOperations,
  type PaymentProviderDefinition,
} from '#libs/contracts';
import { type Context, Serves } from '../routing/serves.js';
import { PaymentNotificationReceiver } from './payment-notification.receiver.js';

/** Each payment provider has its own notification address. */
export const notificationControllers: Type[] = notificationOperationsByProvider.map(
  ({ provider, operations }) => notificationController(provider, operations),
);

function notificationController(
  provider: PaymentProviderDefinition,
  operations: NotificationOperations,
): Type {
  @Serves(operations)
  class NotificationController {
    constructor(private readonly receiver: PaymentNotificationReceiver) {}

    receive(_: object, context: Context): Promise<void> {
      return this.receiver.receive(provider, context);
    }
  }
  // Nest's error messages name controllers by their classes.
  return Object.defineProperty(NotificationController, 'name', {
    value: `${provider.name}NotificationController`,
  });
}
