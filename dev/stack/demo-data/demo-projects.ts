import type { Account, Brief, Project, ProjectTemplate, StaffProject, Thread } from '#libs/contracts';
import { demoOrders, demoPeople } from './demo-history.js';
import { demoTemplates, type DemoStep, type DemoStory, storyOf } from './demo-stories.js';
import type { SiteClient } from './site-client.js';

/** When a project began, and the hours between its first and its last entry. */
export interface DatedProject {
  id: string;
  hoursAgo: number;
  durationHours: number;
}

/** The work of a project without a story takes this long. */
const usualHours = 100;
/** The admin has read everything in projects whose last order is older. */
const readAfterHours = 15 * 24;

/** Returns when each project of `orders` began and how long it takes. Marks those as read whose last order is older than `readAfterHours`. */
export async function markReadAndDateProjects(
  admin: SiteClient,
  orders: readonly { id: string; hoursAgo: number }[],
): Promise<DatedProject[]> {
  const hoursOf = new Map(orders.map(({ id, hoursAgo }) => [id, hoursAgo]));
  const dated: DatedProject[] = [];
  for (const project of await admin.call<StaffProject[]>('GET', '/staff-projects?limit=1000')) {
    const hours = project.orders.flatMap(({ _id }) => hoursOf.get(_id) ?? []);
    if (hours.length === 0) continue;
    const [first, last] = [Math.max(...hours), Math.min(...hours)];
    const orderWithStory = demoOrders
      .filter((order) => demoPeople[order.who]!.email === project.customerEmail)
      .find((order) => Math.floor(first / 24) === order.daysAgo && storyOf(order));
    const workHours = (orderWithStory && storyOf(orderWithStory)!.durationHours) ?? usualHours;
    dated.push({
      id: project._id,
      hoursAgo: first,
      // The work for the last order ends before now.
      durationHours: first - last + Math.min(workHours, last * 0.9),
    });
    // A `seq` after the last entry's marks everything as read.
    if (last > readAfterHours)
      await admin.call('POST', `/staff-project/${project._id}/read`, { seq: 1_000_000 });
  }
  return dated;
}

interface ProjectPeople {
  customer: SiteClient;
  admin: SiteClient;
}

/** Fills project templates that were never changed. Call it before the first order is paid. */
export async function updateProjectTemplates(admin: SiteClient): Promise<void> {
  for (const { _id, packageName, version } of await admin.call<ProjectTemplate[]>(
    'GET',
    '/project-templates',
  )) {
    const template = demoTemplates[packageName as keyof typeof demoTemplates];
    if (template && version === 0) await admin.call('PUT', `/project-template/${_id}`, template);
  }
}

/** Rejects while the project is not open yet. */
export async function getProject(customer: SiteClient, orderId: string): Promise<Project> {
  const [project] = await customer.call<Project[]>('GET', `/projects?order=${orderId}`);
  if (!project) throw new Error(`The project of the order ${orderId} is not open yet`);
  return project;
}

/** Afterwards, both sides have read everything except the last step. */
export async function playStory(
  project: Project,
  { steps }: Pick<DemoStory, 'steps'>,
  people: ProjectPeople,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (index === steps.length - 1) await readAll(project._id, people);
    await playStep(project._id, step, people);
  }
}

async function playStep(id: string, step: DemoStep, { customer, admin }: ProjectPeople): Promise<void> {
  const staffPath = `/staff-project/${id}`;
  const versionOf = async (client: SiteClient, path: string) =>
    (await client.call<{ version: number }>('GET', path)).version;
  if ('brief' in step) {
    const { version } = await customer.call<Brief>('GET', `/project/${id}/brief`);
    const body = { answers: step.brief };
    if (step.complete) await customer.call('POST', `/project/${id}/brief/completion`, body, { version });
    else await customer.call('PUT', `/project/${id}/brief`, body, { version });
  } else if ('customer' in step) {
    await customer.call('POST', `/project/${id}/messages`, { text: step.customer });
  } else if ('staff' in step) {
    await admin.call('POST', `${staffPath}/messages`, { text: step.staff });
  } else if ('note' in step) {
    await admin.call('POST', `${staffPath}/notes`, { text: step.note });
  } else if ('deliver' in step) {
    const { deliver: text, links = [], file } = step;
    const files = file ? [await admin.upload(id, file)] : [];
    const version = await versionOf(admin, staffPath);
    await admin.call('POST', `${staffPath}/deliverables`, { text, links, files }, { version });
  } else if ('accept' in step) {
    await customer.call('POST', `/project/${id}/acceptance`, undefined, {
      version: await versionOf(customer, `/project/${id}`),
    });
  } else if ('requestChanges' in step) {
    const version = await versionOf(customer, `/project/${id}`);
    await customer.call(
      'POST',
      `/project/${id}/change-request`,
      { reason: step.requestChanges },
      { version },
    );
  } else if ('resume' in step) {
    await admin.call('POST', `${staffPath}/state`, { state: 'in_progress' });
  } else if ('hold' in step) {
    await admin.call('POST', `${staffPath}/state`, { state: 'on_hold', reason: step.hold });
  } else if ('labels' in step) {
    await admin.call('PUT', staffPath, { labels: step.labels });
  } else {
    const { account } = await admin.call<{ account: Account }>('GET', '/auth/me');
    await admin.call('PUT', staffPath, { assignees: [account.id] });
  }
}

async function readAll(id: string, { customer, admin }: ProjectPeople): Promise<void> {
  const { entries } = await customer.call<Thread>('GET', `/project/${id}/thread`);
  const seq = entries.at(-1)?.seq ?? 0;
  await customer.call('POST', `/project/${id}/read`, { seq });
  await admin.call('POST', `/staff-project/${id}/read`, { seq });
}
