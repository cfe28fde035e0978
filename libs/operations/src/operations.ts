import {
  accountOperations,
  adminInvitationOperations,
  adminUserOperations,
  apiReferenceOperations,
  auditOperations,
  billingDetailsOperations,
  campaignOperations,
  customerOperations,
  demoDataOperations,
  googleOperations,
  imageOperations,
  invoiceOperations,
  mailOperations,
  messageOperations,
  notificationOperations,
  type Operation,
  orderOperations,
  ownDataOperations,
  paymentOperations,
  planSubscriptionOperations,
  providerOperations,
  secondFactorOperations,
  sessionOperations,
  setupOperations,
  signInStepOperations,
  subscriberImportOperations,
  subscriberOperations,
  subscriptionOperations,
} from '#libs/contracts';
import { sectionOperations, siteOperations } from './content.operations.js';

/** In the order in which the API reference lists them. */
const groups = [
  sessionOperations,
  signInStepOperations,
  googleOperations,
  accountOperations,
  ownDataOperations,
  secondFactorOperations,
  adminUserOperations,
  adminInvitationOperations,
  subscriberOperations,
  subscriberImportOperations,
  subscriptionOperations,
  messageOperations,
  mailOperations,
  campaignOperations,
  orderOperations,
  customerOperations,
  ...providerOperations,
  paymentOperations,
  billingDetailsOperations,
  planSubscriptionOperations,
  invoiceOperations,
  ...notificationOperations.map(({ operations: calls }) => calls),
  auditOperations,
  demoDataOperations,
  ...sectionOperations.map(({ operations }) => operations),
  siteOperations,
  setupOperations,
  imageOperations,
  apiReferenceOperations,
] as const;

/** Every call of the REST API. A call that is not in this list is not served. */
export const operations: readonly Operation[] = groups.flatMap(
  (group) => Object.values(group) as Operation[],
);

type OperationsOf<Group> = Group extends unknown ? Group[keyof Group] : never;
/** Leaves out the calls of content sections: their addresses are known at run time only. */
type AddressedOperation = Extract<
  OperationsOf<(typeof groups)[number] | typeof invoiceOperations>,
  { readonly at: string }
>;

/** Every call by its address, like `PUT /order/:id`, for clients: types only. */
export type Calls = { readonly [O in AddressedOperation as O['at']]: O };
