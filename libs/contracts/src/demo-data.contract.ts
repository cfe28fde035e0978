import { z } from 'zod';
import { command, query } from './contract.js';
import { grouped, operation } from './operation.js';
import { adminsOnly } from './policy.js';

/** Each service that removed something writes an entry to the audit log with these fields. */
export const demoDataRemoval = {
  section: 'demoData',
  recordId: 'demoData',
  name: 'Demo data',
  change: 'deleted',
  after: null,
} as const;

const orderCount = z.object({ orders: z.int() });
const projectCount = z.object({ projects: z.int() });
const accountCount = z.object({ customers: z.int() });
const messagingCounts = z.object({ messages: z.int(), subscribers: z.int(), campaigns: z.int() });

const demoDataCounts = z.object({
  ...orderCount.shape,
  ...projectCount.shape,
  ...accountCount.shape,
  ...messagingCounts.shape,
});
export type DemoDataCounts = z.infer<typeof demoDataCounts>;

const answer = demoDataCounts.meta({ id: 'DemoData' });

/** Unless every payment provider is simulated, every count is 0, and nothing can be removed. */
export const demoDataOperations = grouped('Demo data', {
  getDemoData: operation({
    at: 'GET /demo-data',
    summary: 'How many demo orders, projects, customers, messages, subscribers and campaigns there are',
    policy: adminsOnly,
    answer,
  }),
  removeDemoData: operation({
    at: 'DELETE /demo-data',
    summary:
      'Remove all demo orders, projects, customers, messages, subscribers and campaigns for good; possible only where payments are simulated',
    policy: adminsOnly,
    answer,
    failures: ['NOT_FOUND'],
  }),
});

const forAdmins = { access: 'admin', input: z.object({}) } as const;

/** Repeating a removal is harmless. */
export const demoDataContract = {
  countOrders: query({ pattern: 'orders.demoData', ...forAdmins, output: orderCount }),
  removeOrders: command({ pattern: 'orders.removeDemoData', ...forAdmins, output: orderCount }),
  countProjects: query({ pattern: 'projects.demoData', ...forAdmins, output: projectCount }),
  removeProjects: command({ pattern: 'projects.removeDemoData', ...forAdmins, output: projectCount }),
  countAccounts: query({ pattern: 'identity.demoData', ...forAdmins, output: accountCount }),
  removeAccounts: command({ pattern: 'identity.removeDemoData', ...forAdmins, output: accountCount }),
  countMessaging: query({ pattern: 'messaging.demoData', ...forAdmins, output: messagingCounts }),
  removeMessaging: command({ pattern: 'messaging.removeDemoData', ...forAdmins, output: messagingCounts }),
} as const;
