import { accountOperations } from './account.operations.js';
import { adminUserOperations } from './admin-user.operations.js';
import { apiReferenceOperations } from './api-reference.operations.js';
import { auditOperations } from './audit.operations.js';
import { campaignOperations } from './campaign.operations.js';
import { sectionOperations, siteOperations } from './content.operations.js';
import { googleOperations } from './google.operations.js';
import { imageOperations } from './image.operations.js';
import { mailOperations } from './mail.operations.js';
import { messageOperations } from './message.operations.js';
import type { Operation } from './operation.js';
import { orderOperations } from './order.operations.js';
import { paymentOperations } from './payment.operations.js';
import { notificationOperations, providerOperations } from './payment-providers/payment-providers.js';
import { secondFactorOperations, signInStepOperations } from './second-factor.operations.js';
import { sessionOperations } from './session.operations.js';
import { subscriberImportOperations } from './subscriber-import.operations.js';
import { subscriberOperations } from './subscriber.operations.js';
import { subscriptionOperations } from './subscription.operations.js';

/** In the order in which the API reference lists them. */
const groups = [
  sessionOperations,
  signInStepOperations,
  googleOperations,
  accountOperations,
  secondFactorOperations,
  adminUserOperations,
  subscriberOperations,
  subscriberImportOperations,
  subscriptionOperations,
  messageOperations,
  mailOperations,
  campaignOperations,
  orderOperations,
  ...providerOperations,
  paymentOperations,
  ...notificationOperations.map(({ operations: calls }) => calls),
  auditOperations,
  ...sectionOperations.map(({ operations }) => operations),
  siteOperations,
  imageOperations,
  apiReferenceOperations,
] as const;

/** Every call of the REST API. A call that is not in this list is not served. */
export const operations: readonly Operation[] = groups.flatMap(
  (group) => Object.values(group) as Operation[],
);

type OperationsOf<Group> = Group extends unknown ? Group[keyof Group] : never;
/** Leaves out the calls of content sections: their addresses are known at run time only. */
type AddressedOperation = Extract<OperationsOf<(typeof groups)[number]>, { readonly at: string }>;

/** Every call by its address, like `PUT /order/:id`, for clients: types only. */
export type Calls = { readonly [O in AddressedOperation as O['at']]: O };
