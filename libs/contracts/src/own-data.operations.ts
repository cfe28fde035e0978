import { z } from 'zod';
import { accountContract } from './account.contract.js';
import { billingDetails } from './billing-details.contract.js';
import { invoice } from './invoice.contract.js';
import { ownMessagingData } from './messaging.contract.js';
import { grouped, operation } from './operation.js';
import { order } from './order.contract.js';
import { planSubscription } from './plan-subscription.contract.js';
import { signedInOnly } from './policy.js';
import { ownProjectData } from './project/project.contract.js';

export const ownDataOperations = grouped('Your account', {
  getMyData: operation({
    at: 'GET /auth/my-data',
    summary:
      'A copy of your data, as a file; the newest 10,000 orders, 10,000 monthly plans, 10,000 invoices and credit notes, 1,000 projects that you can see, with 10,000 messages and 5,000 files in all, 1,000 contact messages and 1,000 mails',
    policy: signedInOnly,
    answer: z
      .object({
        copiedAt: z.string(),
        ...accountContract.accountData.output.shape,
        orders: z.array(order),
        planSubscriptions: z.array(planSubscription),
        invoices: z.array(invoice),
        billingDetails,
        ...ownProjectData.shape,
        ...ownMessagingData.shape,
      })
      .meta({ id: 'OwnData' }),
  }),
});
