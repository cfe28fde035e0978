import { z } from 'zod';
import { created } from './answers.js';
import { emailAddress } from './identity.contract.js';
import { exportQuery } from './inputs.js';
import { csvExport, grouped, list, relay, relayedIn } from './operation.js';
import { noteBody, staffNote } from './order.contract.js';
import { sortDirection } from './paging.js';
import { adminsIdempotent, adminsOnly } from './policy.js';

/** Brought up to date every second. */
const customer = z.object({
  _id: z.string(),
  /** The name and the e-mail address are those of the newest order. */
  name: z.string(),
  email: z.string(),
  orders: z.int(),
  /** The sum of the prices of Paid orders. In dollars with two decimals, like `refunded`. */
  spent: z.string(),
  /** The sum of the refunds of all orders. */
  refunded: z.string(),
  firstOrderAt: z.string(),
  lastOrderAt: z.string(),
});
export type Customer = z.infer<typeof customer>;

const customerAccount = z.object({
  email: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(['Customer', 'Admin']),
  registeredAt: z.string(),
  /** Accurate to ten minutes; null if no session is stored. A session is deleted a week after its end. */
  lastSeenAt: z.string().nullable(),
});
export type CustomerAccount = z.infer<typeof customerAccount>;

const customerSort = z.enum(['lastOrderAt', 'name', 'spent']);
const customerFilter = z.object({
  email: emailAddress.optional().describe('Exactly this address, in any letter case.'),
  sort: customerSort.default('lastOrderAt'),
  direction: sortDirection.default('desc'),
});
const customerAnswer = customer.meta({ id: 'Customer' });
const noteAnswer = staffNote.meta({ id: 'StaffNote' });

/** Deleted accounts are left out. */
export const customerOperations = grouped('Customers', {
  listCustomers: list({
    at: 'GET /customers',
    pattern: 'orders.listCustomers',
    summary: 'People who have ordered; unless sorted, those with the newest orders first',
    policy: adminsOnly,
    filter: customerFilter,
    record: customerAnswer,
  }),
  getCustomer: relay({
    at: 'GET /customer/:id',
    pattern: 'orders.customer',
    summary: 'One customer, with totals of their orders',
    policy: adminsOnly,
    answer: customerAnswer,
  }),
  getCustomerAccount: relay({
    at: 'GET /customer/:id/account',
    pattern: 'identity.customerAccount',
    summary: 'The account of a customer',
    policy: adminsOnly,
    answer: customerAccount.meta({ id: 'CustomerAccount' }),
  }),
  listCustomerNotes: relay({
    at: 'GET /customer/:id/notes',
    pattern: 'orders.customerNotes',
    summary: 'The newest 200 notes of admins about a customer and their orders, oldest first',
    policy: adminsOnly,
    answer: z.array(noteAnswer),
  }),
  /** Throws INVALID_TRANSITION if `noteLimit` notes about the customer exist. Notes about their orders do not count. */
  addCustomerNote: relay({
    at: 'POST /customer/:id/note',
    pattern: 'orders.addCustomerNote',
    summary: 'Add a note about a customer, which only staff see',
    policy: adminsIdempotent,
    body: noteBody.meta({ id: 'CustomerNote', examples: [{ text: 'Prefers to be called.' }] }),
    answer: created(staffNote),
    failures: ['INVALID_TRANSITION'],
  }),
  exportCustomers: csvExport({
    at: 'GET /customers/export',
    summary: 'All customers that pass the filter, as a CSV file',
    query: exportQuery(customerFilter),
  }),
});

export const customerContract = relayedIn(customerOperations);
