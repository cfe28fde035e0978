import { accountEndpoints } from '../auth/account.endpoints.js';
import { auditEndpoints } from '../audit/audit.endpoints.js';
import { authEndpoints } from '../auth/auth.endpoints.js';
import { googleEndpoints } from '../auth/google.endpoints.js';
import { secondFactorEndpoints } from '../auth/second-factor.endpoints.js';
import { contentEndpoints } from '../content/content.endpoints.js';
import { imageEndpoints } from '../images/image.endpoints.js';
import { campaignEndpoints } from '../messaging/campaign.endpoints.js';
import { mailEndpoints } from '../messaging/mail.endpoints.js';
import {
  exportCampaignsEndpoint,
  exportMailsEndpoint,
  exportMessagesEndpoint,
  exportSubscribersEndpoint,
} from '../messaging/messaging.csv.js';
import { messageEndpoints } from '../messaging/message.endpoints.js';
import { subscriberEndpoints } from '../messaging/subscriber.endpoints.js';
import { subscriberImportEndpoints } from '../messaging/subscriber-import.endpoints.js';
import { subscriptionEndpoints } from '../messaging/subscription.endpoints.js';
import { exportOrdersEndpoint } from '../orders/order.csv.js';
import { orderEndpoints } from '../orders/order.endpoints.js';
import { paypalEmailEndpoints } from '../orders/paypal-email.endpoints.js';
import { openApiEndpoints } from '../openapi/openapi.endpoints.js';
import { paymentEndpoints } from '../payments/payment.endpoints.js';
import { userEndpoints } from '../users/user.endpoints.js';
import type { Endpoint, EndpointMethod } from './endpoint.js';
import { PathTable } from './path-table.js';

/** Every call of the REST API. What is not in this list is not served. */
export const endpoints: readonly Endpoint[] = [
  ...authEndpoints,
  ...googleEndpoints,
  ...accountEndpoints,
  ...secondFactorEndpoints,
  ...userEndpoints,
  ...subscriberEndpoints,
  ...subscriberImportEndpoints,
  ...subscriptionEndpoints,
  ...messageEndpoints,
  ...mailEndpoints,
  ...campaignEndpoints,
  ...orderEndpoints,
  exportSubscribersEndpoint,
  exportMessagesEndpoint,
  exportMailsEndpoint,
  exportCampaignsEndpoint,
  exportOrdersEndpoint,
  ...paypalEmailEndpoints,
  ...paymentEndpoints,
  ...auditEndpoints,
  ...contentEndpoints,
  ...imageEndpoints,
  ...openApiEndpoints,
];

export type EndpointsAtPath = Map<EndpointMethod, Endpoint>;

/** The calls by path, for what must be decided before a request reaches its handler. */
export function tableOf(all: readonly Endpoint[]): PathTable<EndpointsAtPath> {
  const table = new PathTable<EndpointsAtPath>();
  for (const endpoint of all) {
    const atPath = table.declare(endpoint.path, () => new Map());
    if (atPath.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is declared twice`);
    atPath.set(endpoint.method, endpoint);
  }
  return table;
}
