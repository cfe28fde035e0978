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

const orders = z.object({ orders: z.int() });
const projects = z.object({ projects: z.int() });
const accounts = z.object({ customers: z.int() });
const messaging = z.object({ messages: z.int(), subscribers: z.int(), campaigns: z.int() });

const demoData = z.object({
  ...orders.shape,
  ...projects.shape,
  ...accounts.shape,
  ...messaging.shape,
});
export type DemoData = z.infer<typeof demoData>;

const answer = demoData.meta({ id: 'DemoData' });

/** Where payments are not simulated, every count is 0, and nothing can be removed. */
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
  countOrders: query({ pattern: 'orders.demoData', ...forAdmins, output: orders }),
  removeOrders: command({ pattern: 'orders.removeDemoData', ...forAdmins, output: orders }),
  countProjects: query({ pattern: 'projects.demoData', ...forAdmins, output: projects }),
  removeProjects: command({ pattern: 'projects.removeDemoData', ...forAdmins, output: projects }),
  countAccounts: query({ pattern: 'identity.demoData', ...forAdmins, output: accounts }),
  removeAccounts: command({ pattern: 'identity.removeDemoData', ...forAdmins, output: accounts }),
  countMessaging: query({ pattern: 'messaging.demoData', ...forAdmins, output: messaging }),
  removeMessaging: command({ pattern: 'messaging.removeDemoData', ...forAdmins, output: messaging }),
} as const;
