import { z } from 'zod';
import { recordMeta, updated } from '../answers.js';
import { event, query } from '../contract.js';
import { grouped, list, relay, relayedIn } from '../operation.js';
import { orderStatus } from '../order.contract.js';
import { searchText } from '../paging.js';
import { adminsOnly, signedInOnly } from '../policy.js';
import { requiredLine, requiredText } from '../text.js';
import { briefAnswers } from './brief.contract.js';
import { deliverable } from './deliverable.contract.js';
import { fileLimits, projectLimits } from './project-limits.js';

/**
 * `waiting_for_brief`: work begins when the brief is complete. `delivered`: the customer is asked to accept. `changes_requested`: nobody has resumed
 * the work yet. `on_hold`: staff have interrupted it. `closed`: staff have closed it, its order was cancelled, refunded or disputed, or its monthly
 * plan has ended.
 */
export const projectState = z.enum([
  'waiting_for_brief',
  'in_progress',
  'delivered',
  'changes_requested',
  'accepted',
  'on_hold',
  'closed',
]);
export type ProjectState = z.infer<typeof projectState>;

/** What the customer is expected to do next. */
export const projectStep = z.enum(['answer_brief', 'review']);
export type ProjectStep = z.infer<typeof projectStep>;

/** YYYY-MM-DD. */
const day = z.string();
const dayInput = z.iso
  .date({ error: 'must be a day like 2026-11-21' })
  .refine((date) => date >= '2000-01-01', 'must be a day like 2026-11-21');

const projectFields = {
  _id: z.string(),
  /** The number of its first order. */
  number: z.int(),
  /** The package's name, unless staff have given another title. */
  title: z.string(),
  state: projectState,
  /** Null while it is not the customer’s turn. */
  step: projectStep.nullable(),
  /** The newest 24, oldest first, including cancelled ones. A monthly plan has an order for each month. */
  orders: z.array(z.object({ _id: z.string(), number: z.int() })),
  /** Null for a project of a single order. */
  subscriptionId: z.string().nullable(),
  /** Null without questions. */
  brief: z.object({ questions: z.int(), answered: z.int(), completedAt: z.string().nullable() }).nullable(),
  /** Set when work begins, if the package has a delivery time. Staff can change it. */
  dueOn: day.nullable(),
  /** Why it is on hold or closed, for the customer. */
  reason: z.string().nullable(),
  /** Entries that the reader has not read: those of the other side, automatic changes of state and, for customers, automatic messages. */
  unread: z.int(),
  /** The last message, change of state, completion of the brief, or payment of an order. */
  activeAt: z.string(),
  ...recordMeta,
};

/** What its customer and the customer’s colleagues see. */
export const project = z.object({
  ...projectFields,
  /** The reader’s role. */
  role: z.enum(['owner', 'member']),
});
export type Project = z.infer<typeof project>;

export const staffMember = z.object({ accountId: z.string(), email: z.string(), name: z.string() });
export type StaffMember = z.infer<typeof staffMember>;

/** For staff only. */
const checklistItem = z.object({
  id: z.string(),
  text: z.string(),
  /** Null while it is open. */
  done: z.object({ by: z.string(), at: z.string() }).nullable(),
});
export type ChecklistItem = z.infer<typeof checklistItem>;

export const staffProject = z.object({
  ...projectFields,
  accountId: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  packageName: z.string(),
  assignees: z.array(staffMember),
  labels: z.array(z.string()),
  checklist: z.array(checklistItem),
  /** Whether the due date has passed, and the project is neither delivered, accepted, on hold nor closed. */
  overdue: z.boolean(),
});
export type StaffProject = z.infer<typeof staffProject>;

const ownFilter = z.object({
  open: z.boolean().optional().describe('Whether the project is neither accepted nor closed.'),
  order: z.uuid({ error: 'is not an order' }).optional().describe('The project of this order.'),
  subscription: z.uuid({ error: 'is not a monthly plan' }).optional(),
});

/** For the dashboard and the navigation. */
const projectSummary = z.object({
  projects: z.int(),
  open: z.int(),
  /** The sum over all projects. */
  unread: z.int(),
  /** At most 20, the longest waiting first. */
  expected: z.array(
    z.object({
      projectId: z.string(),
      title: z.string(),
      number: z.int(),
      step: projectStep,
      /** Unanswered questions, for `answer_brief`. */
      questions: z.int(),
      /** For `review`: the text of the deliverable, if there is one. */
      deliverable: z.string().nullable(),
    }),
  ),
});
export type ProjectSummary = z.infer<typeof projectSummary>;

const record = project.meta({ id: 'Project' });

export const projectOperations = grouped('Projects', {
  listProjects: list({
    at: 'GET /projects',
    pattern: 'projects.listProjects',
    summary:
      'Your projects, and those of customers whose teams you are a member of; the most recently active first',
    policy: signedInOnly,
    filter: ownFilter,
    record,
  }),
  getProjectSummary: relay({
    at: 'GET /projects/summary',
    pattern: 'projects.summary',
    summary: 'What your projects expect of you, and how much you have not read',
    policy: signedInOnly,
    answer: projectSummary.meta({ id: 'ProjectSummary' }),
  }),
  getProject: relay({
    at: 'GET /project/:id',
    pattern: 'projects.project',
    summary: 'One of your projects; another customer’s is not found',
    policy: signedInOnly,
    answer: record,
  }),
  listDeliverables: relay({
    at: 'GET /project/:id/deliverables',
    pattern: 'projects.deliverables',
    summary: 'What was handed over, newest first',
    policy: signedInOnly,
    answer: z.array(deliverable.meta({ id: 'Deliverable' })),
  }),
  /** Throws INVALID_TRANSITION unless the work is delivered; VERSION_MISMATCH after a change that the customer can see. */
  acceptWork: relay({
    at: 'POST /project/:id/acceptance',
    pattern: 'projects.accept',
    summary: 'Accept what was handed over',
    policy: { ...signedInOnly, idempotent: true },
    versioned: true,
    answer: updated(project),
    failures: ['INVALID_TRANSITION'],
  }),
  /** Throws the same as `acceptWork`. */
  requestChanges: relay({
    at: 'POST /project/:id/change-request',
    pattern: 'projects.requestChanges',
    summary: 'Ask for changes to what was handed over, with a reason',
    policy: { ...signedInOnly, idempotent: true },
    versioned: true,
    body: z.strictObject({ reason: requiredText(10_000) }).meta({ id: 'ChangeRequest' }),
    answer: updated(project),
    failures: ['INVALID_TRANSITION'],
  }),
});

const staffSort = z.enum(['active', 'due', 'created']);
const staffFilter = z.object({
  state: projectState.optional(),
  open: ownFilter.shape.open,
  assignee: z
    .union([z.literal('me'), z.literal('nobody'), z.uuid()], { error: 'must be me, nobody or an account' })
    .optional()
    .describe('Projects assigned to this person; `me` for your own, `nobody` for those without an assignee.'),
  label: requiredLine(projectLimits.labelLength).optional(),
  overdue: z.boolean().optional(),
  customer: z.uuid({ error: 'is not a customer' }).optional().describe('Projects of this account.'),
  order: ownFilter.shape.order,
  subscription: ownFilter.shape.subscription,
  sort: staffSort.default('active'),
});

const staffRecord = staffProject.meta({ id: 'StaffProject' });

export const staffProjectOperations = grouped('Project work', {
  listStaffProjects: list({
    at: 'GET /staff-projects',
    pattern: 'projects.listStaffProjects',
    summary: 'All projects that pass the filter',
    policy: adminsOnly,
    filter: staffFilter,
    record: staffRecord,
  }),
  /** Each column has its first 50 projects, by due date; those without one come last. */
  getProjectBoard: relay({
    at: 'GET /staff-projects/board',
    pattern: 'projects.board',
    summary: 'Open projects by state',
    policy: adminsOnly,
    query: staffFilter
      .pick({ assignee: true, label: true, overdue: true, customer: true })
      .extend({ search: searchText.optional() }),
    answer: z
      .array(z.object({ state: projectState, total: z.int(), projects: z.array(staffProject) }))
      .meta({ id: 'ProjectBoard' }),
  }),
  getStaffProjectSummary: relay({
    at: 'GET /staff-projects/summary',
    pattern: 'projects.staffSummary',
    summary:
      'How many projects are open, yours, unassigned and overdue, how much you have not read, and the labels in use',
    policy: adminsOnly,
    answer: z
      .object({
        open: z.int(),
        mine: z.int(),
        unassigned: z.int(),
        overdue: z.int(),
        /** The sum over projects that are assigned to the reader or to nobody. */
        unread: z.int(),
        labels: z.array(z.string()).describe('Labels in use, at most 100.'),
      })
      .meta({ id: 'StaffProjectSummary' }),
  }),
  listProjectStaff: relay({
    at: 'GET /project-staff',
    pattern: 'projects.staff',
    summary: 'The people who can be assigned to projects',
    policy: adminsOnly,
    answer: z.array(staffMember.meta({ id: 'ProjectStaff' })),
  }),
  getStaffProject: relay({
    at: 'GET /staff-project/:id',
    pattern: 'projects.staffProject',
    summary: 'One project, for staff',
    policy: adminsOnly,
    answer: staffRecord,
  }),
  /** Throws INVALID_INPUT for a new assignee who is not staff. Fields that are left out stay as they are. */
  updateProject: relay({
    at: 'PUT /staff-project/:id',
    pattern: 'projects.update',
    summary: 'Change title, due date, assigned people or labels',
    policy: adminsOnly,
    versioned: true,
    body: z
      .strictObject({
        title: requiredLine(300).optional(),
        dueOn: dayInput.nullable().optional(),
        assignees: z.array(z.uuid()).max(projectLimits.assignees).optional(),
        labels: z.array(requiredLine(projectLimits.labelLength)).max(projectLimits.labels).optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'must change something')
      .meta({ id: 'ProjectUpdate' }),
    answer: updated(staffProject),
  }),
  /**
   * `in_progress` begins, resumes or reopens the work, even before the brief is complete. But a project that was waiting for the brief or the
   * customer’s decision when it was put on hold waits for that again. So does a closed project that was waiting for the brief. The state `delivered`
   * cannot be set here: it follows from a deliverable or from the order’s status. Throws INVALID_TRANSITION if an accepted or closed project is to be
   * put on hold.
   */
  setProjectState: relay({
    at: 'POST /staff-project/:id/state',
    pattern: 'projects.setState',
    summary: 'Resume a project, put it on hold or close it',
    policy: adminsOnly,
    versioned: true,
    body: z
      .strictObject({
        state: projectState.extract(['in_progress', 'on_hold', 'closed']),
        reason: requiredText(1000).optional().describe('For the customer.'),
      })
      .meta({ id: 'ProjectStateChange' }),
    answer: updated(staffProject),
    failures: ['INVALID_TRANSITION'],
  }),
  /**
   * Replaces the list: items without an id are new, those that are left out are removed. Each of the last 50 removed items can be put back with its
   * id. An item that stays ticked keeps the name of the person who ticked it.
   */
  updateChecklist: relay({
    at: 'PUT /staff-project/:id/checklist',
    pattern: 'projects.updateChecklist',
    summary: 'Change or tick the steps of the work',
    policy: adminsOnly,
    versioned: true,
    body: z
      .strictObject({
        items: z
          .array(z.strictObject({ id: z.uuid().optional(), text: requiredLine(300), done: z.boolean() }))
          .max(projectLimits.checklist),
      })
      .meta({ id: 'ChecklistUpdate' }),
    answer: updated(staffProject),
  }),
  listStaffDeliverables: relay({
    at: 'GET /staff-project/:id/deliverables',
    pattern: 'projects.staffDeliverables',
    summary: 'What was handed over, newest first, for staff',
    policy: adminsOnly,
    answer: z.array(deliverable),
  }),
  /**
   * Throws INVALID_TRANSITION unless the project is `in_progress`, `changes_requested` or `delivered`. Throws INVALID_INPUT for files that the caller
   * has not uploaded to this project, or that are attached to something.
   */
  deliver: relay({
    at: 'POST /staff-project/:id/deliverables',
    pattern: 'projects.deliver',
    summary: 'Hand over work for acceptance: a text, and any files and links',
    policy: { ...adminsOnly, idempotent: true },
    versioned: true,
    body: z
      .strictObject({
        text: requiredText(2_000),
        files: z.array(z.uuid()).max(fileLimits.attached).default([]),
        links: z
          .array(
            z.url({ protocol: /^https?$/, error: 'must be an address like https://example.com' }).max(2_000),
          )
          .max(20)
          .default([]),
      })
      .meta({ id: 'DeliverableCreate' }),
    answer: updated(staffProject),
    failures: ['INVALID_TRANSITION'],
  }),
});

/** For the copy of a person’s data. */
export const ownProjectData = z.object({
  projects: z.array(
    z.object({
      _id: z.string(),
      number: z.int(),
      title: z.string(),
      packageName: z.string(),
      state: projectState,
      briefAnswers,
      messages: z.array(z.object({ at: z.string(), name: z.string(), text: z.string() })),
      /** To be downloaded from `/project-file/{id}`. */
      files: z.array(z.object({ _id: z.string(), name: z.string(), createdAt: z.string() })),
      createdAt: z.string(),
    }),
  ),
});

export const projectContract = {
  ...relayedIn(projectOperations),
  ...relayedIn(staffProjectOperations),
  getForMail: query({
    pattern: 'projects.forMail',
    access: 'system',
    callableBy: ['messaging'],
    input: z.object({ projectId: z.string() }),
    output: z.object({
      _id: z.string(),
      accountId: z.string(),
      number: z.int(),
      title: z.string(),
      state: projectState,
      customerName: z.string(),
      /** Unanswered questions of the brief. */
      questions: z.int(),
      /** The text of the deliverable that waits for the customer's decision. */
      deliverable: z.string().nullable(),
      /** What the customer wants changed, or why the project is on hold or closed. */
      reason: z.string().nullable(),
      dueOn: day.nullable(),
      /** Their e-mail addresses when they were assigned. */
      assignees: z.array(z.string()),
      /** Missing only from a projects service of the previous version. */
      assigneeAccountIds: z.array(z.string()).optional(),
      /** Accounts of the customer’s colleagues who may see it. */
      members: z.array(z.string()),
    }),
  }),
  /** The caller's projects, and those of customers whose teams the caller is a member of. */
  getOwnProjectData: query({
    pattern: 'projects.ownData',
    access: 'customer',
    input: z.object({}),
    output: ownProjectData,
  }),
} as const;

const eventFields = { projectId: z.string(), accountId: z.string(), version: z.int() };
/**
 * Not published if the order is already delivered, if its plan has ended, or if the catch-up for missed events found the order more than a day after
 * it was paid.
 */
export const projectOpened = event(
  'projects.opened',
  z.object({ ...eventFields, step: projectStep.nullable() }),
);
/** `orderStatus` is the new status of the orders in `orderIds`; null if it stays. */
export const projectStateChanged = event(
  'projects.stateChanged',
  z.object({
    ...eventFields,
    from: projectState,
    to: projectState,
    /** `order`: the change follows the order’s status or payment, or the end of the monthly plan. */
    by: z.enum(['customer', 'staff', 'order']),
    orderIds: z.array(z.string()),
    orderStatus: orderStatus.nullable(),
  }),
);
/** The customer has not decided, or not completed the brief, for some days. */
export const projectReminderDue = event(
  'projects.reminderDue',
  z.object({ ...eventFields, step: projectStep }),
);
