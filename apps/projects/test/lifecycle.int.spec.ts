import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type BriefAnswers,
  briefContract,
  type BriefQuestion,
  contentContract,
  orderCancelled,
  orderDelivered,
  orderPaid,
  orderReopened,
  type Project,
  projectContract,
  type ProjectTemplateInput,
  projectTemplateContract,
  subscriptionChanged,
  system,
  threadContract,
} from '#libs/contracts';
import { pricingPackage } from '#libs/content-model';
import { actors, eventually, sampleBody } from '#libs/testing';
import { ProjectOpeningService } from '../order/project-opening.service.js';
import { ProjectCatchUp } from '../order/project-catch-up.worker.js';
import { ReminderWorker } from '../reminder/reminder.worker.js';
import { type Neighbours, startNeighbours } from './neighbours.harness.js';
import { type ProjectsUnderTest, startProjects } from './projects.harness.js';

const { admin, customer } = actors;
const asAdmin = { actor: admin };
const asCustomer = { actor: customer };

let projects: ProjectsUnderTest;
let neighbours: Neighbours;
beforeAll(async () => {
  projects = await startProjects();
  neighbours = await startNeighbours(projects.redisUrl);
});
afterAll(async () => {
  await neighbours?.stop();
  await projects?.stop();
});

const question = (id: string, rest: Partial<BriefQuestion> = {}): BriefQuestion => ({
  ...{ id, label: id, help: '', kind: 'short_text', required: true, options: [] },
  ...rest,
});

let packageName: string;
let packageId: string;
beforeEach(() => {
  packageName = `Audit ${randomUUID()}`;
});

async function offer(template: Partial<ProjectTemplateInput> = {}): Promise<void> {
  packageId = (await neighbours.offerPackage(packageName, projects))._id;
  await saveTemplate(template);
}

const saveTemplate = (template: Partial<ProjectTemplateInput>) =>
  projects.client.call(
    projectTemplateContract.updateProjectTemplate,
    { id: packageId, questions: [], ...template },
    asAdmin,
  );

/** The projects of an order in the customer’s list. */
const listed = async (order: { id: string }): Promise<Project[]> =>
  (
    await projects.client.call(
      projectContract.listProjects,
      { order: order.id, page: 1, limit: 10 },
      asCustomer,
    )
  ).items;

/** The project of an order, once it passes the check. */
const projectOf = (order: { id: string }, check: (project: Project) => void = () => {}): Promise<Project> =>
  eventually(async () => {
    const [project] = await listed(order);
    if (!project) throw new Error('Not yet');
    check(project);
    return project;
  });

const untilInState = (order: { id: string }, state: Project['state']) =>
  projectOf(order, (project) => expect(project.state).toBe(state));

/** For an event, what happened and the new state; for a message, `message` and its text. */
const threadOf = async ({ _id }: Pick<Project, '_id'>) => {
  const { entries } = await projects.client.call(threadContract.getThread, { id: _id }, asCustomer);
  return entries.map((entry) =>
    entry.kind === 'event' ? [entry.what, entry.state] : ['message', entry.text],
  );
};
const eventsOf = async ({ _id }: Pick<Project, '_id'>, name: string) => {
  const { rows } = await projects.sql.query<{ payload: object }>(
    `SELECT payload FROM outbox_messages WHERE payload->>'projectId' = $1 AND event = $2 ORDER BY id`,
    [_id, name],
  );
  return rows.map(({ payload }) => payload);
};

const deliver = ({ _id: id }: Pick<Project, '_id'>, text = 'Here it is.') =>
  projects.client.call(projectContract.deliver, { id, text }, asAdmin);
const accept = ({ _id: id }: Pick<Project, '_id'>) =>
  projects.client.call(projectContract.acceptWork, { id }, asCustomer);
const requestChanges = ({ _id: id }: Pick<Project, '_id'>, reason = 'Shorter, please.') =>
  projects.client.call(projectContract.requestChanges, { id, reason }, asCustomer);
const setState = (
  { _id: id }: Pick<Project, '_id'>,
  state: 'in_progress' | 'on_hold' | 'closed',
  reason?: string,
) => projects.client.call(projectContract.setProjectState, { id, state, ...(reason && { reason }) }, asAdmin);
const completeBrief = ({ _id: id }: Pick<Project, '_id'>, answers: BriefAnswers) =>
  projects.client.call(briefContract.completeBrief, { id, answers }, asCustomer);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('a paid order', () => {
  test('opens one project, however often the order is announced; if the package has no questions, work begins immediately', async () => {
    await offer({ deliveryDays: 10, checklist: ['Crawl the site'], welcome: 'Welcome aboard!' });
    const order = await neighbours.pay({ packageName });
    const payload = { orderId: order.id, accountId: customer.accountId, version: 1 };
    await Promise.all(Array.from({ length: 4 }, () => neighbours.announce(orderPaid, payload)));
    const project = await projectOf(order);
    expect(project).toEqual({
      ...{ _id: project._id, number: order.number, title: packageName, state: 'in_progress', step: null },
      ...{ orders: [{ _id: order.id, number: order.number }], subscriptionId: null, brief: null },
      ...{ dueOn: inDays(10), reason: null, unread: 1, role: 'owner', version: 1 },
      ...{ activeAt: expect.any(String), createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    const staff = await projects.client.call(projectContract.getStaffProject, { id: project._id }, asAdmin);
    expect(staff.checklist).toEqual([{ id: expect.any(String), text: 'Crawl the site', done: null }]);
    await neighbours.untilHandled();
    expect(await eventsOf(project, 'projects.opened')).toEqual([
      { projectId: project._id, accountId: customer.accountId, version: 1, step: null },
    ]);
    expect(await threadOf(project)).toEqual([
      ['opened', 'in_progress'],
      ['message', 'Welcome aboard!'],
    ]);
    expect(await listed(order)).toHaveLength(1);
  });

  test('of a package with questions opens a project that waits for the brief; the due date is counted from the completion of the brief', async () => {
    await offer({ deliveryDays: 7, questions: [question('site', { kind: 'url' })] });
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    expect(project).toMatchObject({ state: 'waiting_for_brief', step: 'answer_brief', dueOn: null });
    expect(project.brief).toEqual({ questions: 1, answered: 0, completedAt: null });
    await completeBrief(project, { site: 'https://example.com' });
    expect((await listed(order))[0]).toMatchObject({
      ...{ state: 'in_progress', step: null, dueOn: inDays(7) },
      brief: { questions: 1, answered: 1, completedAt: expect.any(String) },
    });
    expect(await threadOf(project)).toEqual([
      ['opened', 'waiting_for_brief'],
      ['brief_completed', 'in_progress'],
    ]);
  });

  test('of a package without a delivery time keeps the due date that staff set before the brief was completed', async () => {
    await offer({ questions: [question('site')] });
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    const dueOn = inDays(21);
    await projects.client.call(projectContract.updateProject, { id: project._id, dueOn }, asAdmin);
    await completeBrief(project, { site: 'Ours' });
    expect((await listed(order))[0]).toMatchObject({ state: 'in_progress', dueOn });
  });

  test('of a package that the content service does not know opens a project without a brief', async () => {
    const order = await neighbours.pay({ packageName });
    expect(await projectOf(order)).toMatchObject({ state: 'in_progress', brief: null, dueOn: null });
  });

  test('with the former name of a package opens a project with the newest template of that package', async () => {
    await offer({ questions: [question('first')] });
    const newName = `New ${packageName}`;
    await neighbours.client.call(
      contentContract.update,
      {
        ...{ section: pricingPackage.name, id: packageId },
        body: { ...sampleBody(pricingPackage), packageName: newName },
      },
      asAdmin,
    );
    await eventually(async () => {
      const { getProjectTemplate } = projectTemplateContract;
      const saved = await projects.client.call(getProjectTemplate, { id: packageId }, asAdmin);
      expect(saved.packageName).toBe(newName);
    });
    await saveTemplate({ questions: [question('first'), question('second')] });
    const project = await projectOf(await neighbours.pay({ packageName }));
    expect(project.brief).toMatchObject({ questions: 2 });
  });

  test('that is cancelled closes the project with a reason; when it is paid again, the project continues where it was', async () => {
    await offer({ questions: [question('a')] });
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    await completeBrief(project, { a: 'yes' });
    await deliver(project);
    await neighbours.setPaymentStatus(order.id, 'UnPaid');
    await neighbours.cancelOrder(order.id);
    expect(await untilInState(order, 'closed')).toMatchObject({
      reason: 'The order was cancelled.',
      step: null,
    });
    // The cancellation has closed the project. So this changes only the reason, and the payment below still reopens the project.
    await setState(project, 'closed', 'We talked about it.');
    await neighbours.setPaymentStatus(order.id, 'Paid');
    expect(await untilInState(order, 'delivered')).toMatchObject({ reason: null, step: 'review' });
  });

  test('that is cancelled before the projects service handles its payment opens no project, and an outdated cancellation closes none', async () => {
    const order = await neighbours.putOrder({ packageName, paymentStatus: 'UnPaid' });
    await neighbours.cancelOrder(order.id);
    await neighbours.announce(orderPaid, { orderId: order.id, accountId: customer.accountId, version: 1 });
    await neighbours.untilHandled();
    expect(await listed(order)).toEqual([]);
    await neighbours.setPaymentStatus(order.id, 'Paid');
    const project = await untilInState(order, 'in_progress');
    const old = {
      orderId: order.id,
      accountId: customer.accountId,
      version: 2,
      paymentState: 'cancelled',
    } as const;
    await neighbours.announce(orderCancelled, old);
    await neighbours.untilHandled();
    await deliver(project);
    expect((await listed(order))[0]!.state).toBe('delivered');
    expect(await threadOf(project)).toEqual([
      ['opened', 'in_progress'],
      ['delivered', 'delivered'],
    ]);
  });

  test('that is refunded while its project is being opened closes the project, although no event about the refund comes later', async () => {
    const order = await neighbours.putOrder({ packageName });
    const refund = () =>
      neighbours.sql.query(
        `UPDATE orders SET payment_status = 'Cancelled', payment_state = 'refunded', version = version + 1 WHERE id = $1`,
        [order.id],
      );
    const spies = projects.replicas.map(({ app }) => {
      const opening = app.get(ProjectOpeningService, { strict: false });
      const find = opening.findPackageAndTemplate.bind(opening);
      return jest.spyOn(opening, 'findPackageAndTemplate').mockImplementation(async (name) => {
        if (name === packageName) await refund();
        return find(name);
      });
    });
    try {
      await neighbours.announce(orderPaid, { orderId: order.id, accountId: customer.accountId, version: 1 });
      await untilInState(order, 'closed');
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  test('that is paid again does not reopen its project if staff had closed it', async () => {
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    await setState(project, 'closed', 'Agreed by phone.');
    await neighbours.setPaymentStatus(order.id, 'UnPaid');
    await neighbours.cancelOrder(order.id);
    await neighbours.setPaymentStatus(order.id, 'Paid');
    await eventually(async () => {
      const { rows } = await projects.sql.query<{ order_version: number }>(
        'SELECT order_version FROM project_orders WHERE order_id = $1 AND cancelled_at IS NULL',
        [order.id],
      );
      expect(rows[0]?.order_version).toBe((await neighbours.getOrder(order.id)).version);
    });
    expect((await listed(order))[0]).toMatchObject({ state: 'closed', reason: 'Agreed by phone.' });
  });
});

describe('a monthly plan', () => {
  const month = (subscriptionId: string, cycle: number, daysAgo = 0) => ({
    ...{ packageName, renewal: { subscriptionId, cycle }, daysAgo },
  });

  /** The first month is paid, and its project is open. */
  async function beginPlan() {
    const subscriptionId = randomUUID();
    const first = await neighbours.putOrder(month(subscriptionId, 1));
    await neighbours.putSubscription(subscriptionId, first);
    await neighbours.announce(orderPaid, { orderId: first.id, accountId: customer.accountId, version: 1 });
    return { subscriptionId, first, project: await projectOf(first) };
  }

  test('has one project for all its months: each payment continues the work, and the end of the plan closes the project', async () => {
    await offer({ deliveryDays: 20 });
    const { subscriptionId, first, project } = await beginPlan();
    await deliver(project);
    await accept(project);
    const second = await neighbours.pay(month(subscriptionId, 2));
    const continued = await projectOf(second, ({ state }) => expect(state).toBe('in_progress'));
    expect(continued).toMatchObject({
      _id: project._id,
      number: first.number,
      subscriptionId,
      dueOn: inDays(20),
    });
    expect(continued.orders.map(({ number }) => number)).toEqual([first.number, second.number]);
    expect((await threadOf(project)).at(-1)).toEqual(['order_paid', 'in_progress']);

    // A refund of one month does not end the plan.
    await neighbours.refund(second);
    await neighbours.announce(subscriptionChanged, {
      ...{ subscriptionId, accountId: customer.accountId, version: 2, news: 'cancelled' },
    });
    await neighbours.sql.query(`UPDATE subscriptions SET state = 'ended' WHERE id = $1`, [subscriptionId]);
    const ended = { subscriptionId, accountId: customer.accountId, version: 3, news: 'ended' } as const;
    await neighbours.announce(subscriptionChanged, ended);
    await neighbours.announce(subscriptionChanged, ended);
    expect(await untilInState(first, 'closed')).toMatchObject({ reason: 'The monthly plan has ended.' });
    await neighbours.untilHandled();
    expect((await threadOf(project)).filter(([, state]) => state === 'closed')).toHaveLength(1);
  });

  test('that has ended leaves its project alone once staff have reopened it, even if the end or a payment is announced late', async () => {
    const { subscriptionId, first, project } = await beginPlan();
    await neighbours.sql.query(`UPDATE subscriptions SET state = 'ended' WHERE id = $1`, [subscriptionId]);
    const about = { accountId: customer.accountId, version: 2 };
    await neighbours.announce(subscriptionChanged, { ...about, subscriptionId, news: 'ended' });
    await untilInState(first, 'closed');
    await setState(project, 'in_progress');
    await neighbours.announce(subscriptionChanged, { ...about, subscriptionId, news: 'ended' });
    await neighbours.announce(orderPaid, { ...about, orderId: first.id });
    const late = await neighbours.pay(month(subscriptionId, 2));
    await projectOf(late);
    await neighbours.untilHandled();
    expect((await listed(first))[0]).toMatchObject({ state: 'in_progress' });
  });

  test('that ends while its project is closed leaves the project as staff closed it, and alone once staff have reopened it', async () => {
    const { subscriptionId, first, project } = await beginPlan();
    await setState(project, 'closed', 'Agreed by phone.');
    const readAll = async () => ({
      project: (await listed(first))[0],
      staff: await projects.client.call(projectContract.getStaffProject, { id: project._id }, asAdmin),
      thread: await threadOf(project),
      events: await eventsOf(project, 'projects.stateChanged'),
    });
    const closedByStaff = await readAll();
    expect(closedByStaff.project).toMatchObject({ state: 'closed', reason: 'Agreed by phone.' });
    await neighbours.sql.query(`UPDATE subscriptions SET state = 'ended' WHERE id = $1`, [subscriptionId]);
    const about = { accountId: customer.accountId, version: 2 };
    await neighbours.announce(subscriptionChanged, { ...about, subscriptionId, news: 'ended' });
    await neighbours.untilHandled();
    const { staff } = closedByStaff;
    expect(await readAll()).toEqual({ ...closedByStaff, staff: { ...staff, version: staff.version + 1 } });
    await setState(project, 'in_progress');
    await neighbours.announce(subscriptionChanged, { ...about, subscriptionId, news: 'ended' });
    await neighbours.announce(orderPaid, { ...about, orderId: first.id });
    await neighbours.untilHandled();
    expect((await listed(first))[0]).toMatchObject({ state: 'in_progress' });
  });

  test('whose next month is paid withdraws the work that waits for the customer', async () => {
    const { subscriptionId, first, project } = await beginPlan();
    await deliver(project);
    await neighbours.pay(month(subscriptionId, 2));
    await untilInState(first, 'in_progress');
    const { listDeliverables } = projectContract;
    const deliverables = await projects.client.call(listDeliverables, { id: project._id }, asCustomer);
    expect(deliverables).toMatchObject([{ state: 'replaced' }]);
  });

  test('whose orders are announced in quick succession, the newest first, has one project with the number of the oldest', async () => {
    const subscriptionId = randomUUID();
    const months = [];
    for (const cycle of [1, 2, 3]) months.push(await neighbours.putOrder(month(subscriptionId, cycle)));
    await neighbours.putSubscription(subscriptionId, months[0]!);
    await Promise.all(
      months
        .toReversed()
        .map(({ id }) =>
          neighbours.announce(orderPaid, { orderId: id, accountId: customer.accountId, version: 1 }),
        ),
    );
    const project = await projectOf(months[0]!, ({ orders }) => expect(orders).toHaveLength(3));
    expect(project.number).toBe(months[0]!.number);
    for (const order of months) expect((await listed(order)).map(({ _id }) => _id)).toEqual([project._id]);
  });
});

describe('the order status (Pending or Delivered)', () => {
  const untilOrderStatus = (order: { id: string }, orderStatus: 'Pending' | 'Delivered') =>
    eventually(async () => expect((await neighbours.getOrder(order.id)).orderStatus).toBe(orderStatus));
  const statusEventsOf = (order: { id: string }) =>
    neighbours.sql
      .query<{ event: string }>(
        `SELECT event FROM outbox_messages WHERE payload->>'orderId' = $1 AND event IN ('orders.delivered', 'orders.reopened')`,
        [order.id],
      )
      .then(({ rows }) => rows.map(({ event }) => event));

  test('follows the project, and the orders service publishes no event about it', async () => {
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    await deliver(project);
    await untilOrderStatus(order, 'Delivered');
    await requestChanges(project);
    await untilOrderStatus(order, 'Pending');
    await setState(project, 'in_progress');
    await deliver(project);
    await accept(project);
    await untilOrderStatus(order, 'Delivered');
    expect(await statusEventsOf(order)).toEqual([]);
    expect(await eventsOf(project, 'projects.stateChanged')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          to: 'delivered',
          by: 'staff',
          orderIds: [order.id],
          orderStatus: 'Delivered',
        }),
        expect.objectContaining({ to: 'changes_requested', by: 'customer', orderStatus: 'Pending' }),
        expect.objectContaining({ to: 'accepted', by: 'customer' }),
      ]),
    );
  });

  test('changes the project exactly once each time that an admin sets it, even if the events are repeated or arrive late', async () => {
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    await neighbours.setOrderStatus(order.id, 'Delivered');
    expect(await untilInState(order, 'delivered')).toMatchObject({ step: 'review' });
    const again = { orderId: order.id, accountId: customer.accountId, version: 2 };
    await neighbours.announce(orderDelivered, again);
    await neighbours.setOrderStatus(order.id, 'Pending');
    await untilInState(order, 'in_progress');
    // Older changes, which arrive late.
    await neighbours.announce(orderDelivered, again);
    await neighbours.announce(orderReopened, again);
    await neighbours.setOrderStatus(order.id, 'Delivered');
    await untilInState(order, 'delivered');
    await neighbours.untilHandled();
    // There is no deliverable, and yet the customer can accept.
    await accept(project);
    expect((await threadOf(project)).map(([, state]) => state)).toEqual([
      ...['in_progress', 'delivered', 'in_progress', 'delivered', 'accepted'],
    ]);
    await untilOrderStatus(order, 'Delivered');
  });

  test('set to Pending by an admin withdraws the work that waits for the customer', async () => {
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    await deliver(project);
    await untilOrderStatus(order, 'Delivered');
    await neighbours.setOrderStatus(order.id, 'Pending');
    await untilInState(order, 'in_progress');
    const { listDeliverables } = projectContract;
    const deliverables = await projects.client.call(listDeliverables, { id: project._id }, asCustomer);
    expect(deliverables).toMatchObject([{ state: 'replaced' }]);
    // Mails do not quote the withdrawn work when the order is Delivered again.
    await neighbours.setOrderStatus(order.id, 'Delivered');
    await untilInState(order, 'delivered');
    const forMail = { projectId: project._id };
    expect(await projects.client.call(projectContract.getForMail, forMail, { actor: system })).toMatchObject({
      state: 'delivered',
      deliverable: null,
    });
  });

  test('set to Pending by an admin gives an accepted project a new due date, as reopening it does', async () => {
    await offer({ deliveryDays: 5 });
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    await deliver(project);
    await accept(project);
    await untilOrderStatus(order, 'Delivered');
    await projects.sql.query('UPDATE projects SET due_on = $2 WHERE id = $1', [project._id, inDays(-30)]);
    await neighbours.setOrderStatus(order.id, 'Pending');
    expect(await untilInState(order, 'in_progress')).toMatchObject({ dueOn: inDays(5) });
    // Work that was not accepted keeps its due date.
    await projects.client.call(projectContract.updateProject, { id: project._id, dueOn: inDays(2) }, asAdmin);
    await deliver(project);
    await untilOrderStatus(order, 'Delivered');
    await neighbours.setOrderStatus(order.id, 'Pending');
    expect(await untilInState(order, 'in_progress')).toMatchObject({ dueOn: inDays(2) });
  });

  test('set to Delivered by an admin lets the customer ask for changes; the mail to staff quotes what they want changed', async () => {
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    const reason = async () =>
      (await projects.client.call(projectContract.getForMail, { projectId: project._id }, { actor: system }))
        .reason;
    const setDelivered = async () => {
      await untilOrderStatus(order, 'Pending');
      await neighbours.setOrderStatus(order.id, 'Delivered');
      await untilInState(order, 'delivered');
    };
    await setDelivered();
    await requestChanges(project, 'The title: bolder, please.');
    expect(await reason()).toBe('The title: bolder, please.');
    await deliver(project);
    await requestChanges(project, 'Shorter, please.');
    expect(await reason()).toBe('Shorter, please.');
    await setDelivered();
    await requestChanges(project, 'Still too long.');
    expect(await reason()).toBe('Still too long.');
    // The mail does not depend on the sentence in the thread, which changes when an account is deleted.
    await projects.sql.query(
      `UPDATE thread_entries SET text = 'Changes were requested.' WHERE project_id = $1`,
      [project._id],
    );
    expect(await reason()).toBe('Still too long.');
  });

  const readVersion = async (sql: Neighbours['sql'], statement: string, id: string) =>
    (await sql.query<{ version: number }>(statement, [id])).rows[0]!.version;
  /** The newest versions that the two services have published about an order. */
  const published = async ({ id }: { id: string }) => ({
    project: await readVersion(
      projects.sql,
      `SELECT max((payload->>'version')::int) AS version FROM outbox_messages
       WHERE event = 'projects.stateChanged' AND payload->'orderIds' ? $1`,
      id,
    ),
    order: await readVersion(
      neighbours.sql,
      `SELECT max((payload->>'version')::int) AS version FROM outbox_messages
       WHERE event IN ('orders.delivered', 'orders.reopened') AND payload->>'orderId' = $1`,
      id,
    ),
  });
  /** The newest of these versions that the other service has applied. */
  const applied = async ({ id }: { id: string }) => ({
    project: await readVersion(
      neighbours.sql,
      'SELECT project_version AS version FROM orders WHERE id = $1',
      id,
    ),
    order: await readVersion(
      projects.sql,
      'SELECT status_version AS version FROM project_orders WHERE order_id = $1',
      id,
    ),
  });

  test('and the project agree in the end, even if their changes cross on the way', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const order = await neighbours.pay({ packageName });
        const project = await projectOf(order);
        await deliver(project);
        await untilOrderStatus(order, 'Delivered');
        return { order, project };
      }),
    );
    await Promise.all(
      pairs.flatMap(({ order, project }, index) => [
        neighbours
          .setOrderStatus(order.id, 'Pending')
          .then(() => neighbours.setOrderStatus(order.id, index % 2 ? 'Delivered' : 'Pending')),
        // This is refused if the project has changed in the meantime.
        (index % 3 === 0 ? accept(project) : requestChanges(project)).catch(() => undefined),
      ]),
    );
    await eventually(async () => {
      const agreements = await Promise.all(
        pairs.map(async ({ order }) => {
          const [project] = await listed(order);
          const { orderStatus } = await neighbours.getOrder(order.id);
          return ['delivered', 'accepted'].includes(project!.state) === (orderStatus === 'Delivered');
        }),
      );
      expect(agreements).toEqual(pairs.map(() => true));
      for (const { order } of pairs) expect(await applied(order)).toEqual(await published(order));
    });
  });
});

test('a plan that ends while its project is being opened closes the project', async () => {
  await offer();
  const subscriptionId = randomUUID();
  const order = await neighbours.putOrder({ packageName, renewal: { subscriptionId, cycle: 1 } });
  await neighbours.putSubscription(subscriptionId, order);
  /** Waits until this many handlers of events wait for the lock. */
  const untilWaiting = (count: number) =>
    eventually(async () => {
      const { rows } = await projects.sql.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(rows).toHaveLength(count);
    });
  await projects.sql.query('BEGIN');
  await projects.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `project of ${subscriptionId}`,
  ]);
  const about = { accountId: customer.accountId, version: 1 };
  await neighbours.announce(subscriptionChanged, { ...about, subscriptionId, news: 'ended' });
  await untilWaiting(1);
  // This handler asks the orders service while the plan is still active, and then waits behind the first handler.
  await neighbours.announce(orderPaid, { ...about, orderId: order.id });
  await untilWaiting(2);
  await neighbours.sql.query(`UPDATE subscriptions SET state = 'ended' WHERE id = $1`, [subscriptionId]);
  await projects.sql.query('COMMIT');
  await untilInState(order, 'closed');
});

describe('paid orders without a project', () => {
  const catchUp = async () => {
    for (const { app } of projects.replicas) await app.get(ProjectCatchUp, { strict: false }).run();
  };

  test('get one, which is not announced for old orders, and is accepted from the start if the order is delivered', async () => {
    await offer({ questions: [question('a')] });
    const open = await neighbours.putOrder({ packageName, daysAgo: 90 });
    const delivered = await neighbours.putOrder({ packageName, daysAgo: 60, orderStatus: 'Delivered' });
    const unpaid = await neighbours.putOrder({ packageName, daysAgo: 30, paymentStatus: 'UnPaid' });
    const recent = await neighbours.putOrder({ packageName });
    await Promise.all([catchUp(), catchUp()]);
    await catchUp();
    expect(await projectOf(open)).toMatchObject({ state: 'waiting_for_brief' });
    expect(await projectOf(delivered)).toMatchObject({ state: 'accepted' });
    expect(await listed(unpaid)).toEqual([]);
    const opened = await projectOf(recent);
    // The event of a recent order may have been lost, so its project is announced.
    expect(await eventsOf(opened, 'projects.opened')).toHaveLength(1);
    for (const order of [open, delivered])
      expect(await eventsOf(await projectOf(order), 'projects.opened')).toEqual([]);
  });

  test('do not wait for one that fails; it is tried again later', async () => {
    await offer();
    const failing = await neighbours.putOrder({ packageName });
    const next = await neighbours.putOrder({ packageName });
    const setPayments = (payments: string) =>
      neighbours.sql.query('UPDATE orders SET payments = $2 WHERE id = $1', [failing.id, payments]);
    // A payment without fields is invalid, so the query of this order fails.
    await setPayments('[{}]');
    await catchUp();
    expect(await projectOf(next)).toMatchObject({ state: 'in_progress' });
    expect(await listed(failing)).toEqual([]);
    await setPayments('[]');
    await catchUp();
    expect(await projectOf(failing)).toMatchObject({ state: 'in_progress' });
  });

  test('of a plan get an accepted project if the newest order is delivered, whatever the status of the first order', async () => {
    await offer({ questions: [question('a')] });
    const subscriptionId = randomUUID();
    const month = (cycle: number, daysAgo: number, orderStatus: 'Pending' | 'Delivered') =>
      neighbours.putOrder({ packageName, daysAgo, orderStatus, renewal: { subscriptionId, cycle } });
    const first = await month(1, 90, 'Pending');
    const newest = await month(2, 60, 'Delivered');
    await neighbours.putSubscription(subscriptionId, first);
    await catchUp();
    const project = await untilInState(newest, 'accepted');
    expect(project.orders.map(({ _id }) => _id)).toEqual([first.id, newest.id]);
    expect((await neighbours.getOrder(newest.id)).orderStatus).toBe('Delivered');
  });

  test('of a plan that has ended get a closed project', async () => {
    const subscriptionId = randomUUID();
    const order = await neighbours.putOrder({
      packageName,
      daysAgo: 90,
      renewal: { subscriptionId, cycle: 1 },
    });
    await neighbours.putSubscription(subscriptionId, order, 'ended');
    await catchUp();
    expect(await projectOf(order)).toMatchObject({ state: 'closed', reason: 'The monthly plan has ended.' });
  });
});

describe('staff', () => {
  test('can begin without the brief, and put a project on hold, resume, close and reopen it', async () => {
    await offer({ deliveryDays: 5, questions: [question('a')] });
    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order);
    expect((await setState(project, 'on_hold', 'Holidays.')).record).toMatchObject({
      state: 'on_hold',
      reason: 'Holidays.',
    });
    expect((await setState(project, 'in_progress')).record).toMatchObject({
      state: 'waiting_for_brief',
      reason: null,
    });
    expect((await setState(project, 'in_progress')).record).toMatchObject({
      state: 'in_progress',
      dueOn: inDays(5),
    });
    expect((await setState(project, 'in_progress')).modified).toBe(false);
    expect((await completeBrief(project, { a: 'late' })).completedAt).not.toBeNull();
    expect((await setState(project, 'closed')).record.state).toBe('closed');
    await expect(setState(project, 'on_hold')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect((await setState(project, 'in_progress')).record.state).toBe('in_progress');
    await deliver(project);
    await accept(project);
    await expect(setState(project, 'on_hold')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    await expect(deliver(project)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect((await setState(project, 'in_progress')).record.state).toBe('in_progress');
  });

  test('who removed the due date find none when the work goes on', async () => {
    await offer({ deliveryDays: 5 });
    const project = await projectOf(await neighbours.pay({ packageName }));
    expect(project.dueOn).toBe(inDays(5));
    await projects.client.call(projectContract.updateProject, { id: project._id, dueOn: null }, asAdmin);
    await setState(project, 'on_hold');
    expect((await setState(project, 'in_progress')).record.dueOn).toBeNull();
    await deliver(project);
    await requestChanges(project);
    expect((await setState(project, 'in_progress')).record.dueOn).toBeNull();
  });

  test('who resume a project whose brief was completed during the hold find a due date, because the work begins now', async () => {
    await offer({ deliveryDays: 5, questions: [question('a')] });
    const project = await projectOf(await neighbours.pay({ packageName }));
    await setState(project, 'on_hold');
    await completeBrief(project, { a: 'yes' });
    expect((await setState(project, 'in_progress')).record).toMatchObject({
      state: 'in_progress',
      dueOn: inDays(5),
    });
  });
});

describe('a reminder', () => {
  const remind = async () => {
    for (const { app } of projects.replicas) await app.get(ReminderWorker, { strict: false }).run();
  };
  const setDaysInState = (project: Project, days: number) =>
    projects.sql.query(`UPDATE projects SET state_since = now() - $2 * interval '1 day' WHERE id = $1`, [
      project._id,
      days,
    ]);
  const setReminderDelays = (days: number) =>
    projects.client.call(
      projectTemplateContract.updateProjectSettings,
      { remindAfterDays: days, remindBriefAfterDays: days },
      asAdmin,
    );
  const reminders = (project: Project | undefined) => eventsOf(project!, 'projects.reminderDue');

  test('is sent once after the configured number of days, and does not change the state of the project', async () => {
    await offer({ questions: [question('a')] });
    const [waiting, delivered, young, ofDeleted] = await Promise.all(
      Array.from({ length: 4 }, async () => projectOf(await neighbours.pay({ packageName }))),
    );
    await completeBrief(delivered!, { a: 'yes' });
    await deliver(delivered!);
    await setDaysInState(ofDeleted!, 8);
    await projects.sql.query(`UPDATE projects SET customer_email = '' WHERE id = $1`, [ofDeleted!._id]);
    await setDaysInState(waiting!, 8);
    await setDaysInState(delivered!, 8);
    await setDaysInState(young!, 6);
    await remind();
    await setReminderDelays(7);
    await Promise.all([remind(), remind()]);
    await remind();
    expect(await reminders(waiting)).toMatchObject([{ step: 'answer_brief' }]);
    expect(await reminders(delivered)).toMatchObject([{ step: 'review' }]);
    for (const project of [young, ofDeleted]) expect(await reminders(project)).toEqual([]);
    expect((await threadOf(delivered!)).at(-1)).toEqual(['reminded', null]);
    const { state } = await projects.client.call(
      projectContract.getProject,
      { id: delivered!._id },
      asCustomer,
    );
    expect(state).toBe('delivered');
  });

  test('does not wait for one that fails, which is tried again later', async () => {
    await offer({ questions: [question('a')] });
    const [failing, delivered, waiting] = await Promise.all(
      Array.from({ length: 3 }, async () => projectOf(await neighbours.pay({ packageName }))),
    );
    for (const project of [failing!, delivered!]) {
      await completeBrief(project, { a: 'yes' });
      await deliver(project);
    }
    await setDaysInState(failing!, 9);
    await setDaysInState(delivered!, 8);
    await setDaysInState(waiting!, 8);
    await setReminderDelays(7);
    const moveLastNumber = (by: number) =>
      projects.sql.query('UPDATE projects SET seq = seq + $2 WHERE id = $1', [failing!._id, by]);
    // The number that its next entry would get is taken, so storing the reminder fails.
    await moveLastNumber(-1);
    await remind();
    expect(await reminders(delivered)).toMatchObject([{ step: 'review' }]);
    expect(await reminders(waiting)).toMatchObject([{ step: 'answer_brief' }]);
    expect(await reminders(failing)).toEqual([]);
    await moveLastNumber(1);
    await remind();
    expect(await reminders(failing)).toMatchObject([{ step: 'review' }]);
  });

  test('is sent even if a hundred projects that have waited longer all fail', async () => {
    const delivered = await projectOf(await neighbours.pay({ packageName }));
    await deliver(delivered);
    await setDaysInState(delivered, 8);
    const failing = await Promise.all(
      Array.from({ length: 100 }, () => projects.put({ state: 'delivered', title: 'Failing' })),
    );
    await projects.sql.query(
      `UPDATE projects SET state_since = now() - interval '9 days' WHERE id = ANY ($1::uuid[])`,
      [failing],
    );
    // The number that the next entry of each would get is taken.
    await projects.sql.query(
      `INSERT INTO thread_entries (project_id, seq, change, kind, message_id, side, name, at, text, entries_for_customer, entries_for_staff)
       SELECT id, 1, 1, 'message', gen_random_uuid(), 'system', '', now(), '', 0, 0 FROM unnest($1::uuid[]) AS failing (id)`,
      [failing],
    );
    await setReminderDelays(7);
    await remind();
    expect(await reminders(delivered)).toMatchObject([{ step: 'review' }]);
  });
});
