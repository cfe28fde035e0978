export * from './account.operations.js';
export * from './acknowledged.js';
export * from './admin-user.operations.js';
export * from './api-reference.operations.js';
export * from './audit.operations.js';
export * from './campaign.operations.js';
export * from './content.operations.js';
export * from './google.operations.js';
export { groupDescriptions } from './groups.js';
export * from './image.operations.js';
export * from './mail.operations.js';
export * from './message.operations.js';
export * from './operation.js';
export * from './operations.js';
export * from './order.operations.js';
export * from './payment.operations.js';
export {
  notificationOperations,
  type NotificationOperations,
  providerOperations,
} from './payment-providers/payment-providers.js';
export * from './policy.js';
export * from './second-factor.operations.js';
export * from './session.operations.js';
export * from './subscriber-import.operations.js';
export * from './subscriber.operations.js';
export * from './subscription.operations.js';
