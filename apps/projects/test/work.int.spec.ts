import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  type BriefAnswers,
  briefContract,
  type BriefQuestion,
  type HandlerInput,
  messagesUnread,
  projectContract,
  projectTemplateContract,
  reportContract,
  type StaffProject,
  system,
  threadContract,
} from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { EventContext } from '#libs/transport';
import { DeletedAccountService } from '../deleted-account/deleted-account.service.js';
import { UnreadMessageWorker } from '../thread/unread-message.worker.js';
import { type Neighbours, startNeighbours } from './neighbours.harness.js';
import { adminNamed, customerNamed, type ProjectsUnderTest, startProjects } from './projects.harness.js';

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
  ...{ id, label: id, help: '', kind: 'short_text', required: false, options: [] },
  ...rest,
});
const staffProject = (id: string, actor: Actor = admin) =>
  projects.client.call(projectContract.getStaffProject, { id }, { actor });
const customerProject = (id: string) => projects.client.call(projectContract.getProject, { id }, asCustomer);
const deliver = (
  id: string,
  text = 'Here it is.',
  more: { files?: string[]; links?: string[]; ifVersion?: number } = {},
) => projects.client.call(projectContract.deliver, { id, text, ...more }, asAdmin);

/** Waits for the project that a paid order opens. */
const projectOf = (order: string) =>
  eventually(async () => {
    const page = { page: 1, limit: 1, order };
    const [found] = (await projects.client.call(projectContract.listProjects, page, asCustomer)).items;
    expect(found).toBeDefined();
    return found!;
  });

/** A file that somebody has uploaded and not sent. */
async function putFile(projectId: string, side: 'customer' | 'staff', accountId: string): Promise<string> {
  const id = randomUUID();
  await projects.sql.query(
    `INSERT INTO project_files (id, project_id, side, account_id, uploader_name, name, bytes, type, state, expires_at, created_at)
     VALUES ($1, $2, $3, $4, 'Ada', 'logo.png', 100, 'image/png', 'ready', now() + interval '1 day', now())`,
    [id, projectId, side, accountId],
  );
  return id;
}

describe('the template of a package', () => {
  const contracts = {
    list: projectTemplateContract.listProjectTemplates,
    update: projectTemplateContract.updateProjectTemplate,
  };

  test('is saved once if its first version is saved twice simultaneously; the refused call gets the saved template', async () => {
    const { _id: id } = await neighbours.offerPackage(`Audit ${randomUUID()}`, projects);
    const save = (name: string) =>
      projects.client.call(contracts.update, { id, ifVersion: 0, questions: [question(name)] }, asAdmin);
    const outcomes = await Promise.allSettled([save('goal'), save('budget')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [saved] = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toMatchObject({ code: 'VERSION_MISMATCH', details: { current: saved!.record } });
    expect(await projects.client.call(projectTemplateContract.getProjectTemplate, { id }, asAdmin)).toEqual(
      saved!.record,
    );
  });

  test('has versions; a brief keeps the version that it began with', async () => {
    const { _id: id } = await neighbours.offerPackage(`Audit ${randomUUID()}`, projects);
    const template = () => projects.client.call(projectTemplateContract.getProjectTemplate, { id }, asAdmin);
    const { packageName, version } = await template();
    expect(version).toBe(0);
    const first = { questions: [question('site', { kind: 'url' }), question('goal')] };
    const saved = await projects.client.call(contracts.update, { id, ifVersion: 0, ...first }, asAdmin);
    expect(saved).toMatchObject({ modified: true, record: { version: 1, onOffer: true, olderProjects: 0 } });
    expect((await projects.client.call(contracts.update, { id, ...first }, asAdmin)).modified).toBe(false);

    const order = await neighbours.pay({ packageName });
    const project = await projectOf(order.id);
    const second = { questions: [question('budget')] };
    await expect(
      projects.client.call(contracts.update, { id, ifVersion: 0, ...second }, asAdmin),
    ).rejects.toMatchObject({
      ...{ code: 'VERSION_MISMATCH', details: { current: { version: 1 } } },
    });
    await projects.client.call(contracts.update, { id, ifVersion: 1, ...second }, asAdmin);
    expect(await template()).toMatchObject({ version: 2, olderProjects: 1, ...second });
    expect((await projects.client.call(contracts.list, {}, asAdmin)).find(({ _id }) => _id === id)).toEqual(
      await template(),
    );
    const brief = await projects.client.call(briefContract.getBrief, { id: project._id }, asCustomer);
    expect(brief.questions.map((one) => one.id)).toEqual(['site', 'goal']);
    await expect(
      projects.client.call(projectTemplateContract.getProjectTemplate, { id: randomUUID() }, asAdmin),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is found for an order of a package that the copy of the content does not have yet', async () => {
    const { _id: id } = await neighbours.offerPackage(`Audit ${randomUUID()}`, projects);
    const saved = await projects.client.call(
      contracts.update,
      { id, questions: [question('goal')] },
      asAdmin,
    );
    // As if the template had been saved under a former name of the package: only the package on offer leads to it.
    await projects.sql.query(`UPDATE project_templates SET package_name = 'Former' WHERE package_id = $1`, [
      id,
    ]);
    await projects.sql.query('DELETE FROM site_copies WHERE id = $1', [id]);
    const { id: order } = await neighbours.pay({ packageName: saved.record.packageName });
    const project = await projectOf(order);
    const brief = await projects.client.call(briefContract.getBrief, { id: project._id }, asCustomer);
    expect(brief.questions.map((one) => one.id)).toEqual(['goal']);
  });

  test.each([
    ['two questions with one id', [question('a'), question('a')]],
    ['a choice without options', [question('a', { kind: 'choice' })]],
    ['options for a text', [question('a', { options: ['x', 'y'] })]],
    ['an id with spaces', [question('a b')]],
  ])('refuses %s', async (_, questions) => {
    const update = projects.client.call(contracts.update, { id: randomUUID(), questions }, asAdmin);
    await expect(update).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('a brief', () => {
  const questions = [
    question('name', { required: true }),
    question('site', { kind: 'url' }),
    question('start', { kind: 'date' }),
    question('plan', { kind: 'choice', options: ['Small', 'Large'] }),
    question('goals', { kind: 'choices', options: ['Sales', 'Fame', 'Both'] }),
    question('logo', { kind: 'file' }),
  ];
  const putProjectWithBrief = async (): Promise<string> => {
    const id = await projects.put({ state: 'waiting_for_brief' });
    await projects.giveBrief(id, questions);
    return id;
  };
  const save = (id: string, answers: BriefAnswers, ifVersion?: number) =>
    projects.client.call(
      briefContract.saveBrief,
      { id, answers, ...(ifVersion && { ifVersion }) },
      asCustomer,
    );
  const complete = (id: string, answers: BriefAnswers, actor: Actor = customer) =>
    projects.client.call(briefContract.completeBrief, { id, answers }, { actor });

  test('is saved answer by answer, and completed once', async () => {
    const id = await putProjectWithBrief();
    const draft = await save(id, { name: 'Ada', site: 'not yet' }, 1);
    expect(draft).toMatchObject({
      answers: { name: 'Ada', site: 'not yet' },
      savedBy: 'Ada Lovelace',
      version: 2,
    });
    await save(id, { goals: ['Fame'] });
    await expect(save(id, { name: 'Eve' }, 1)).rejects.toMatchObject({
      ...{ code: 'VERSION_MISMATCH', details: { current: { answers: { name: 'Ada' } } } },
    });
    expect((await customerProject(id)).brief).toEqual({ questions: 6, answered: 3, completedAt: null });
    const summary = await projects.client.call(projectContract.getProjectSummary, {}, asCustomer);
    expect(summary.expected.find(({ projectId }) => projectId === id)).toMatchObject({
      step: 'answer_brief',
      questions: 3,
    });
    expect(await projects.client.call(briefContract.getStaffBrief, { id }, asAdmin)).toMatchObject({
      answers: { name: 'Ada', goals: ['Fame'] },
    });
    const done = await complete(id, { site: 'https://example.com', start: '2026-12-01', plan: 'Small' });
    expect(done).toMatchObject({ completedBy: 'Ada Lovelace', completedAt: expect.any(String) });
    for (const again of [save, complete])
      await expect(again(id, {})).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test.each<[string, BriefAnswers, string]>([
    ['a missing required answer', { name: ' ' }, 'name'],
    ['an address without a scheme', { site: 'example.com' }, 'site'],
    ['an address of a script', { site: 'javascript:alert(1)' }, 'site'],
    ['a day that does not exist', { start: '2026-02-30' }, 'start'],
    ['a choice that is not an option', { plan: 'Huge' }, 'plan'],
    ['choices of which one is not an option', { goals: ['Sales', 'Money'] }, 'goals'],
    ['a choice twice', { goals: ['Sales', 'Sales'] }, 'goals'],
    ['a list for a text', { name: ['Ada'] }, 'name'],
    ['a text for a list', { goals: 'Sales' }, 'goals'],
    ['an answer to an unknown question', { other: 'x' }, 'other'],
    ['a malformed file id', { logo: ['x'] }, 'logo'],
    ['a file that does not exist', { logo: [randomUUID()] }, 'logo'],
  ])('cannot be completed with %s', async (_, wrong, field) => {
    const id = await putProjectWithBrief();
    await expect(complete(id, { name: 'Ada', ...wrong })).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', details: { fields: [{ field: `answers.${field}` }] } },
    });
    expect((await customerProject(id)).state).toBe('waiting_for_brief');
  });

  test('takes files that were uploaded to its project, also those of a colleague’s draft', async () => {
    const id = await putProjectWithBrief();
    const member = customerNamed('member');
    await projects.join(customer.accountId, member);
    const [own, elsewhere] = [
      await putFile(id, 'customer', member.accountId),
      await putFile(await putProjectWithBrief(), 'customer', customer.accountId),
    ];
    const saveAs = (actor: Actor, logo: string[]) =>
      projects.client.call(briefContract.saveBrief, { id, answers: { logo } }, { actor });
    await expect(saveAs(customer, [elsewhere])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await saveAs(member, [own])).files).toMatchObject([{ _id: own, name: 'logo.png' }]);
    expect((await complete(id, { name: 'Ada' })).files).toHaveLength(1);
  });
});

describe('a deliverable', () => {
  const decide = (id: string, decision: 'accept' | 'change', actor: Actor, ifVersion?: number) => {
    const target = { id, ...(ifVersion !== undefined && { ifVersion }) };
    return decision === 'accept'
      ? projects.client.call(projectContract.acceptWork, target, { actor })
      : projects.client.call(projectContract.requestChanges, { ...target, reason: 'Shorter.' }, { actor });
  };
  const list = (id: string) => projects.client.call(projectContract.listDeliverables, { id }, asCustomer);

  test('is handed over with files and links, and is replaced by a newer one if it is not decided yet', async () => {
    const id = await projects.put();
    const file = await putFile(id, 'staff', admin.accountId);
    await expect(deliver(id, 'x', { files: [randomUUID()] })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await deliver(id, 'First.', { files: [file], links: ['https://example.com/audit'] });
    await deliver(id, 'Second.');
    expect(await list(id)).toMatchObject([
      { number: 2, text: 'Second.', state: 'delivered', deliveredBy: 'Admin', decidedAt: null },
      {
        number: 1,
        text: 'First.',
        state: 'replaced',
        files: [{ _id: file }],
        links: ['https://example.com/audit'],
      },
    ]);
    const { expected } = await projects.client.call(projectContract.getProjectSummary, {}, asCustomer);
    expect(expected.find(({ projectId }) => projectId === id)).toMatchObject({
      step: 'review',
      deliverable: 'Second.',
    });
    expect((await decide(id, 'change', customer)).record).toMatchObject({
      state: 'changes_requested',
      step: null,
    });
    expect((await list(id))[0]).toMatchObject({
      state: 'changes_requested',
      reason: 'Shorter.',
      decidedBy: 'Ada Lovelace',
    });
    await expect(decide(id, 'accept', customer)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    for (const link of ['javascript:alert(1)', 'ftp://example.com', 'example.com'])
      await expect(deliver(id, 'x', { links: [link] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('that staff withdraw no longer waits for the customer, and is not in the report', async () => {
    const id = await projects.put();
    await deliver(id, 'First.');
    await projects.client.call(projectContract.setProjectState, { id, state: 'in_progress' }, asAdmin);
    expect(await list(id)).toMatchObject([{ number: 1, state: 'replaced' }]);
    const report = await projects.client.call(reportContract.getProjectReport, { id }, asCustomer);
    expect(report.delivered).toEqual([]);
    await deliver(id, 'Second.');
    expect((await decide(id, 'accept', customer)).record.state).toBe('accepted');
    expect((await list(id)).map(({ state }) => state)).toEqual(['accepted', 'replaced']);
  });

  test('that was on hold with its project waits for the customer again', async () => {
    const id = await projects.put();
    await deliver(id);
    for (const state of ['on_hold', 'in_progress'] as const)
      await projects.client.call(projectContract.setProjectState, { id, state }, asAdmin);
    expect(await list(id)).toMatchObject([{ state: 'delivered' }]);
    expect((await decide(id, 'accept', customer)).record.state).toBe('accepted');
  });

  test('is decided by exactly one of two people who decide at the same time; the other is refused and gets the decision', async () => {
    const member = customerNamed('member');
    await projects.join(customer.accountId, member);
    for (let round = 0; round < 8; round++) {
      const id = await projects.put();
      await deliver(id);
      const { version } = await customerProject(id);
      const withVersion = round % 2 ? version : undefined;
      const outcomes = await Promise.allSettled([
        decide(id, 'accept', customer, withVersion),
        decide(id, 'change', member, withVersion),
      ]);
      const refused = outcomes.filter((one) => one.status === 'rejected');
      expect(refused).toHaveLength(1);
      const { state } = await customerProject(id);
      expect(refused[0]!.reason).toMatchObject({
        code: round % 2 ? 'VERSION_MISMATCH' : 'INVALID_TRANSITION',
        details: { current: { _id: id, state } },
      });
      expect((await list(id)).map((one) => one.state)).toEqual([state]);
      const { entries } = await projects.client.call(threadContract.getThread, { id }, asCustomer);
      expect(entries.map((entry) => entry.kind === 'event' && entry.what)).toEqual(['delivered', state]);
    }
  });

  test('that a newer one has replaced cannot be accepted; changes that only staff see are no new version for the customer', async () => {
    const id = await projects.put();
    await deliver(id, 'First.');
    const { version } = await customerProject(id);
    await projects.client.call(projectContract.updateProject, { id, labels: ['urgent'] }, asAdmin);
    expect((await customerProject(id)).version).toBe(version);
    await deliver(id, 'Second.');
    await expect(decide(id, 'accept', customer, version)).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
    expect((await decide(id, 'accept', customer, version + 1)).record.state).toBe('accepted');
  });
});

describe('staff', () => {
  const update = (input: HandlerInput<typeof projectContract.updateProject>) =>
    projects.client.call(projectContract.updateProject, input, asAdmin);

  test('change title, due date, labels and assigned people; customers see the title and the due date, but neither the labels nor the people', async () => {
    const id = await projects.put();
    const [eve] = await projects.client.call(projectContract.listProjectStaff, {}, asAdmin);
    expect(eve).toEqual({ accountId: expect.any(String), email: 'eve@staff.example.com', name: 'Eve' });
    const change = {
      title: 'Big audit',
      dueOn: '2026-01-31',
      labels: ['urgent', 'urgent'],
      assignees: [eve!.accountId],
    };
    const { record } = await update({ id, ifVersion: 1, ...change });
    expect(record).toMatchObject({
      title: 'Big audit',
      dueOn: '2026-01-31',
      labels: ['urgent'],
      assignees: [eve],
      overdue: true,
    });
    expect((await update({ id, labels: ['urgent'] })).modified).toBe(false);
    const forMail = await projects.client.call(
      projectContract.getForMail,
      { projectId: id },
      { actor: system },
    );
    expect(forMail).toMatchObject({ assignees: [eve!.email], assigneeAccountIds: [eve!.accountId] });
    await expect(update({ id, ifVersion: 1, title: 'x' })).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
    });
    await expect(update({ id, assignees: [customer.accountId] })).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', details: { fields: [{ field: 'assignees' }] } },
    });
    const seen = await customerProject(id);
    expect(seen).toMatchObject({ title: 'Big audit', dueOn: '2026-01-31' });
    for (const hidden of ['urgent', 'assignees', eve!.accountId])
      expect(JSON.stringify(seen)).not.toContain(hidden);
    const { entries } = await projects.client.call(threadContract.getThread, { id }, asCustomer);
    expect(entries).toMatchObject([
      { kind: 'event', what: 'due_date_set', text: 'The work is due on January 31, 2026.' },
    ]);
    const inside = await projects.client.call(threadContract.getStaffThread, { id }, asAdmin);
    expect(inside.entries.filter(({ kind }) => kind === 'staff_event')).toHaveLength(3);
  });

  test('who are assigned are mailed about what is written after the assignment, and are named in the staff thread', async () => {
    const id = await projects.put();
    const [eve] = await projects.client.call(projectContract.listProjectStaff, {}, asAdmin);
    const post = (text: string) => projects.client.call(threadContract.postMessage, { id, text }, asCustomer);
    const pass = async () => {
      for (const [table, column] of [
        ['thread_entries', 'at'],
        ['unread_checks', 'due_at'],
      ])
        await projects.sql.query(
          `UPDATE ${table} SET ${column} = ${column} - interval '6 minutes' WHERE project_id = $1`,
          [id],
        );
    };
    await post('Before');
    await pass();
    await update({ id, assignees: [eve!.accountId] });
    await post('After');
    await pass();
    await projects.replicas[0]!.app.get(UnreadMessageWorker, { strict: false }).run();
    // The replicas also check by themselves. One may have mailed all admins before the assignment, so only events for Eve are read. One may be making
    // this check now, so its event is awaited.
    await eventually(async () => {
      const { rows } = await projects.sql.query<{ batch: unknown }>(
        `SELECT payload AS batch FROM outbox_messages
         WHERE event = $1 AND payload->>'projectId' = $2 AND payload->>'accountId' = $3`,
        [messagesUnread.event, id, eve!.accountId],
      );
      expect(rows.map((row) => row.batch)).toEqual([
        expect.objectContaining({ accountId: eve!.accountId, side: 'staff', afterSeq: 1 }),
      ]);
    });
    const { entries } = await projects.client.call(threadContract.getStaffThread, { id }, asAdmin);
    expect(entries.find(({ kind }) => kind === 'staff_event')).toMatchObject({ text: 'Admin assigned Eve.' });
  });

  test('change and tick the steps of the work', async () => {
    const id = await projects.put();
    const steps = (items: { id?: string; text: string; done: boolean }[]) =>
      projects.client
        .call(projectContract.updateChecklist, { id, items }, asAdmin)
        .then(({ record }) => record.checklist);
    const [crawl, write] = await steps([
      { text: 'Crawl', done: false },
      { text: 'Write', done: true },
    ]);
    expect([crawl!.done, write!.done]).toEqual([null, { by: 'Admin', at: expect.any(String) }]);
    expect(await steps([{ ...write!, done: true }])).toEqual([write]);
    for (const invalid of [[{ id: randomUUID(), text: 'x', done: false }], [write!, write!]])
      await expect(steps(invalid.map(({ id, text }) => ({ id, text, done: true })))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
  });

  test('put back a step that was removed; it is still ticked by the same person', async () => {
    const id = await projects.put();
    const steps = (items: { id?: string; text: string; done: boolean }[], actor: Actor) =>
      projects.client
        .call(projectContract.updateChecklist, { id, items }, { actor })
        .then(({ record }) => record.checklist);
    const eve = adminNamed('eve');
    const both = await steps(
      ['Crawl', 'Write'].map((text) => ({ text, done: text === 'Write' })),
      admin,
    );
    const [crawl, write] = both.map((step) => ({ ...step, done: step.done !== null }));
    await steps([crawl!], eve);
    await steps([], eve);
    expect(await steps([crawl!, write!], eve)).toEqual(both);
    const { entries } = await projects.client.call(threadContract.getStaffThread, { id }, asAdmin);
    expect(entries.map(({ text }) => text)).toEqual(['Admin ticked ‘Write’.']);
    const inAnotherProject = { id: await projects.put(), items: [write!] };
    await expect(
      projects.client.call(projectContract.updateChecklist, inAnotherProject, asAdmin),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('find projects by state, person, label, due date, customer, order and words, page by page, and on the board', async () => {
    const someone = customerNamed('someone');
    const assignee = adminNamed('assignee');
    const put = (more: object) => projects.put({ accountId: someone.accountId, ...more });
    const [alpha, beta, gamma] = [
      await put({ title: 'Alpha Audit', assignees: [assignee.accountId] }),
      await put({ title: 'Beta Audit', state: 'delivered' }),
      await put({ title: 'Gamma Links', state: 'accepted' }),
    ];
    await update({ id: alpha, labels: ['vip'], dueOn: '2026-01-01' });
    for (const [hours, id] of [alpha, beta, gamma].entries())
      await projects.sql.query(
        `UPDATE projects SET created_at = now() + $2 * interval '1 hour' WHERE id = $1`,
        [id, hours],
      );
    const list = async (filter: object) => {
      const request = { page: 1, limit: 10, customer: someone.accountId, ...filter };
      const { items, total } = await projects.client.call(projectContract.listStaffProjects, request, {
        actor: assignee,
      });
      expect(total).toBe(items.length);
      return items.map(({ _id }: StaffProject) => _id);
    };
    expect((await list({})).toSorted()).toEqual([alpha, beta, gamma].toSorted());
    expect(await list({ sort: 'due' })).toEqual([alpha, ...[beta, gamma].toSorted()]);
    expect(await list({ sort: 'created' })).toEqual([gamma, beta, alpha]);
    expect(await list({ state: 'delivered' })).toEqual([beta]);
    expect(await list({ open: false })).toEqual([gamma]);
    expect(await list({ assignee: 'me' })).toEqual([alpha]);
    expect((await list({ assignee: 'nobody' })).toSorted()).toEqual([beta, gamma].toSorted());
    expect(await list({ label: 'vip' })).toEqual([alpha]);
    expect(await list({ overdue: true })).toEqual([alpha]);
    expect((await list({ search: 'audit' })).toSorted()).toEqual([alpha, beta].toSorted());
    expect(await list({ search: `#${(await staffProject(beta)).number}` })).toEqual([beta]);
    expect(await list({ order: (await staffProject(gamma)).orders[0]!._id })).toEqual([gamma]);
    const pages: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const request = { page: 1, limit: 2, customer: someone.accountId, ...(cursor && { cursor }) };
      const page = await projects.client.call(projectContract.listStaffProjects, request, asAdmin);
      pages.push(...page.items.map(({ _id }) => _id));
      cursor = page.nextCursor;
    }
    expect(pages.toSorted()).toEqual([alpha, beta, gamma].toSorted());

    const board = await projects.client.call(
      projectContract.getProjectBoard,
      { customer: someone.accountId },
      asAdmin,
    );
    expect(
      board.map(({ state, total, projects: shown }) => [state, total, shown.map(({ _id }) => _id)]),
    ).toEqual([
      ...[
        ['waiting_for_brief', 0, []],
        ['in_progress', 1, [alpha]],
        ['changes_requested', 0, []],
      ],
      ...[
        ['delivered', 1, [beta]],
        ['on_hold', 0, []],
      ],
    ]);
    const summary = await projects.client.call(
      projectContract.getStaffProjectSummary,
      {},
      { actor: assignee },
    );
    expect(summary.mine).toBe(1);
    expect(summary.labels).toContain('vip');
  });
});

// The last test, because the replicas remove the name of the deleted admin from later assignments as well.
test('the name of a deleted admin is removed from an assignment in a new project, even if they did nothing in it', async () => {
  const id = await projects.put();
  const [eve] = await projects.client.call(projectContract.listProjectStaff, {}, asAdmin);
  for (const assignees of [[eve!.accountId], []])
    await projects.client.call(projectContract.updateProject, { id, assignees }, asAdmin);
  const events = async () => {
    const { entries } = await projects.client.call(threadContract.getStaffThread, { id }, asAdmin);
    return entries.map(({ text }) => text);
  };
  expect(await events()).toEqual(['Admin assigned Eve.', 'Admin removed all assignees.']);
  const context = new EventContext({ eventId: randomUUID(), occurredAt: new Date(), deliveries: 1 });
  await projects.replicas[0]!.app.get(DeletedAccountService, { strict: false }).forget(eve!, context);
  expect(await events()).toEqual(['Admin assigned a former admin.', 'Admin removed all assignees.']);
});
