import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type {
  Project,
  ProjectTemplate,
  ProjectTemplateInput,
  StaffProject,
  StaffThread,
} from '#libs/contracts';
import { eventually, type PageOptions, Session, TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { newPerson, openPageAs, openPageAsAdmin, placeOrder } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser?.close());

const desktop: PageOptions = { width: 1280, height: 900 };
const phone: PageOptions = { width: 390, height: 844 };

/** Projects of a package share its template, so this is a package whose template no other spec changes. */
const packageName = 'Premium';

const seeToast = (page: Page, text: string | RegExp) =>
  page.getByRole('status').getByText(text, { exact: true }).first().waitFor();

async function templateOf(admin: Session): Promise<ProjectTemplate> {
  const { json } = await admin.get<ProjectTemplate[]>('/project-templates');
  return json.find((template) => template.packageName === packageName)!;
}

async function setTemplate(
  admin: Session,
  overrides: Partial<ProjectTemplateInput> = {},
): Promise<ProjectTemplate> {
  const { _id } = await templateOf(admin);
  const template = {
    questions: [],
    checklist: ['Crawl the site', 'Write the report'],
    deliveryDays: 10,
    ...overrides,
  };
  const answer = await admin.put<ProjectTemplate>(`/project-template/${_id}`, template);
  expect(answer.status).toBe(200);
  return answer.json;
}

let projectCount = 0;

async function aProject(admin: Session) {
  projectCount += 1;
  const person = newPerson();
  const customer = await Session.register(url, person);
  const name = `Hedy ${process.pid}${Date.now()}${projectCount}`;
  await setTemplate(admin);
  const { _id } = await placeOrder(customer, packageName, { customerName: name });
  await admin.put(`/order/${_id}`, { paymentStatus: 'Paid', reason: 'By bank transfer.' });
  const project = await eventually(async () => {
    const { json } = await admin.get<StaffProject[]>(`/staff-projects?order=${_id}`);
    expect(json).toHaveLength(1);
    return json[0]!;
  });
  return { project, person, customer, name, orderId: _id };
}

const stored = async (admin: Session, { _id }: { _id: string }) =>
  (await admin.get<StaffProject>(`/staff-project/${_id}`)).json;

describe('the template of a package', () => {
  test('is built with a preview, and unsaved changes can be restored', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    await setTemplate(api);
    await visit(page, '/admin/project-templates');
    await page.getByRole('row').filter({ hasText: packageName }).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: packageName }).waitFor();
    const preview = page.getByRole('region', { name: 'What the customer sees' });

    await page.getByRole('button', { name: 'Add a question' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Which goal comes first?');
    await preview.getByLabel('Which goal comes first? (optional)').waitFor();
    await page.getByLabel('Answer type').selectOption('One of several options');
    await page.getByLabel('Options', { exact: true }).fill('More visitors');
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('Enter at least two options, each on its own line').waitFor();
    expect(
      await page.getByLabel('Options', { exact: true }).evaluate((field) => field.matches(':focus')),
    ).toBe(true);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nMore sales');
    await preview.getByRole('radio', { name: 'More sales' }).check();
    await page.getByLabel('Required').first().check();
    await page.getByRole('button', { name: 'Close ‘Which goal comes first?’' }).click();

    await page.getByRole('button', { name: 'Add a question' }).click();
    await page.getByLabel('Question', { exact: true }).fill('Which site?');
    await page.getByLabel('Answer type').selectOption('Address of a site');
    await page.getByRole('button', { name: 'Move ‘Which site?’ up' }).focus();
    await page.keyboard.press('Enter');
    const questions = page.getByRole('form').getByRole('heading', { level: 3 });
    expect(await questions.allInnerTexts()).toEqual(['Which site?', 'Which goal comes first?']);
    await page.getByRole('button', { name: 'Remove ‘Which site?’' }).click();
    expect(await questions.allInnerTexts()).toEqual(['Which goal comes first?']);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await questions.allInnerTexts()).toEqual(['Which site?', 'Which goal comes first?']);
    expect(await findFaults(page)).toEqual([]);

    // Leaving the screen asks for confirmation, and the draft can be restored.
    await page.getByRole('link', { name: 'Project templates' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('row').filter({ hasText: packageName }).getByRole('link').click();
    await page.getByRole('button', { name: 'Restore draft' }).click();
    expect(await questions.allInnerTexts()).toEqual(['Which site?', 'Which goal comes first?']);
    await page.getByRole('button', { name: 'Save template' }).click();
    await seeToast(page, 'Template saved');
    expect((await templateOf(api)).questions).toMatchObject([
      { label: 'Which site?', kind: 'url', required: false },
      { label: 'Which goal comes first?', required: true, options: ['More visitors', 'More sales'] },
    ]);
  });

  test('can begin with a suggestion, and shows what another admin saved meanwhile', async () => {
    const { page, api } = await openPageAsAdmin(browser, phone);
    const template = await setTemplate(api);
    // The suggestion is offered only for a template that was never saved. This one was, so the response is faked.
    const untouched = { questions: [], checklist: [], deliveryDays: null, introduction: '', welcome: '' };
    const address = `**/project-template/${template._id}`;
    await page.route(
      address,
      async (route) => {
        if (route.request().resourceType() === 'document') return route.fallback();
        await route.fulfill({ json: { ...template, ...untouched, version: 0 } });
      },
      { times: 2 },
    );
    await visit(page, `/admin/project-template/${template._id}`);
    await page.unroute(address);
    await page.getByText('What do you need to know before you begin?').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start with our suggestion' }).click();
    const preview = page.getByRole('region', { name: 'What the customer sees' });
    await preview.getByLabel('What is the address of your site?').waitFor();
    await page.getByRole('button', { name: 'Save template' }).click();
    // This page knows version 0, so it takes the stored version for a change by somebody else.
    const conflict = page.getByRole('alert').filter({ hasText: 'Someone else edited this in the meantime' });
    await conflict.waitFor();
    expect((await templateOf(api)).questions).toEqual(template.questions);
    for (const mine of await conflict.getByLabel('Yours').all()) await mine.check();
    await conflict.getByRole('button', { name: 'Save choices' }).click();
    await seeToast(page, 'Template saved');
    await preview.getByLabel('What is the address of your site?').waitFor();

    await setTemplate(api, { introduction: 'Theirs.' });
    await page.getByLabel('Introduction to the brief (optional)').fill('Mine.');
    await page.getByRole('button', { name: 'Save template' }).click();
    await conflict.getByRole('group', { name: 'Introduction' }).getByLabel('Yours').check();
    expect(await findFaults(page)).toEqual([]);
    await conflict.getByRole('button', { name: 'Save choices' }).click();
    await eventually(async () => expect((await templateOf(api)).introduction).toBe('Mine.'));
  });
});

test('reminders are switched on and off', async () => {
  const { page, api } = await openPageAsAdmin(browser, phone);
  await api.put('/project-settings', { remindAfterDays: null, remindBriefAfterDays: null });
  await visit(page, '/admin/project-settings');
  await page.getByLabel('Remind customers who haven’t completed the brief').check();
  await page.getByLabel('After how many days').fill('0');
  await page.getByRole('button', { name: 'Save reminders' }).click();
  await page.getByText('Enter a number of days from 1 to 90').waitFor();
  await page.getByLabel('After how many days').fill('4');
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save reminders' }).click();
  await seeToast(page, 'Reminders saved');
  expect((await api.get('/project-settings')).json).toMatchObject({
    remindAfterDays: null,
    remindBriefAfterDays: 4,
  });
  await page.getByLabel('Remind customers who haven’t completed the brief').uncheck();
  await page.getByRole('button', { name: 'Save reminders' }).click();
  await eventually(async () =>
    expect((await api.get('/project-settings')).json).toMatchObject({ remindBriefAfterDays: null }),
  );
});

describe('the projects', () => {
  test('are found in the list, and moved on the board by keyboard', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    const { name, project } = await aProject(api);
    await visit(page, '/admin/projects');
    await page.getByRole('heading', { level: 2, name: 'My work' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill(name);
    await page.getByText('1 project found', { exact: true }).waitFor();
    await page.getByLabel('Person').selectOption('Nobody');
    await page.waitForURL('**/admin/projects?*person=nobody*');
    const row = page.getByRole('row').filter({ hasText: name });
    expect(await row.innerText()).toContain(`#${project.number}`);
    expect(await findFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Board' }).click();
    const inProgress = page.getByRole('region', { name: 'In progress' });
    const card = inProgress.getByRole('article').filter({ hasText: name });
    await card.waitFor();
    expect(await findFaults(page)).toEqual([]);
    await card.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Put on hold/ });
    await dialog.getByLabel('Reason (optional)').fill('We wait for your access.');
    await dialog.getByRole('button', { name: 'Put on hold' }).click();
    await seeToast(page, `#${project.number} is now: On hold`);
    const heldCard = page
      .getByRole('region', { name: 'On hold' })
      .getByRole('article')
      .filter({ hasText: name });
    await heldCard.waitFor();
    expect(await stored(api, project)).toMatchObject({
      state: 'on_hold',
      reason: 'We wait for your access.',
    });

    // Beside the menu, an error would be too narrow.
    await page.route('**/staff-project/*/state', (route) => route.abort(), { times: 1 });
    await heldCard.locator('summary').click();
    await heldCard.getByRole('button', { name: 'Resume' }).click();
    const error = await heldCard.getByRole('alert').boundingBox();
    const menu = await heldCard.locator('summary').boundingBox();
    expect(error!.y).toBeGreaterThanOrEqual(menu!.y + menu!.height);

    await visit(page, `/admin/projects?search=${encodeURIComponent(name)}`);
    await heldCard.getByRole('link').click();
    await page.getByRole('region', { name: 'On hold' }).getByText('We wait for your access.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await seeToast(page, `#${project.number} is now: In progress`);
    expect((await stored(api, project)).state).toBe('in_progress');
  });

  test('are on the screens of their customer and order, and the list and the board fit a phone', async () => {
    const { page, api } = await openPageAsAdmin(browser, phone);
    const { project, orderId, name } = await aProject(api);
    await visit(page, `/admin/payment-status/${orderId}`);
    await page.getByRole('table', { name: 'Project' }).getByRole('link').click();
    await page.waitForURL(`**/admin/project/${project._id}`);
    await eventually(async () => expect((await api.get(`/customer/${project.accountId}`)).status).toBe(200));
    await visit(page, `/customer/${project.accountId}`);
    await page.getByRole('table', { name: 'Projects' }).getByRole('link').waitFor();
    for (const view of ['list', 'board']) {
      await visit(page, `/admin/projects?view=${view}&search=${encodeURIComponent(name)}`);
      await page.getByRole('link', { name: packageName }).first().waitFor();
      expect({ view, faults: await findFaults(page) }).toEqual({ view, faults: [] });
    }
  });

  test('show an error when they cannot be loaded, with a button to try again, and when a project does not exist', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    const { name } = await aProject(api);
    const address = (target: URL) => target.pathname === '/staff-projects';
    await page.route(address, (route) => route.abort());
    await page.goto(`/admin/projects?view=list&search=${encodeURIComponent(name)}`);
    await page.getByRole('alert').filter({ hasText: 'We can’t reach the site.' }).waitFor();
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    await visit(page, '/admin/project/019a0000-0000-7000-8000-00000000dead');
    await page.getByText('Project not found').waitFor();
    expect(await findFaults(page)).toEqual([]);
  });
});

describe('one project', () => {
  test('gets people, labels, a due date and completed steps, and the latest change can be undone', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    const { project } = await aProject(api);
    await visit(page, `/admin/project/${project._id}`);
    await page.getByRole('button', { name: 'Change people' }).click();
    await page
      .getByRole('form', { name: 'People' })
      .getByLabel(/\(you\)/)
      .check();
    await page.getByRole('form', { name: 'People' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Change people' }).waitFor();
    expect((await stored(api, project)).assignees).toMatchObject([{ email: api.email }]);

    await page.getByRole('button', { name: 'Change labels' }).click();
    await page.getByRole('textbox', { name: 'Labels' }).fill('Urgent, VIP');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Labels' }).getByText('VIP').waitFor();

    const { dueOn } = await stored(api, project);
    await page.getByRole('button', { name: 'Change due date' }).click();
    await page.getByRole('form', { name: 'Due date' }).getByLabel('Due date').fill('2031-05-04');
    await page.keyboard.press('Enter');
    await page.getByText('May 4, 2031', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect((await stored(api, project)).dueOn).toBe(dueOn));

    const checklist = page.getByRole('region', { name: 'Checklist' });
    // The second step is checked before the first is saved.
    await checklist.getByLabel('Crawl the site').check();
    await checklist.getByLabel('Write the report').check();
    await checklist.getByLabel('New step').fill('Call the customer');
    await checklist.getByLabel('New step').press('Enter');
    await checklist.getByText('2 of 3 done').waitFor();
    await checklist.getByRole('button', { name: 'Reorder or remove steps' }).click();
    await checklist.getByRole('button', { name: 'Move ‘Call the customer’ up' }).click();
    await checklist.getByRole('button', { name: 'Remove ‘Crawl the site’' }).click();
    await checklist.getByText('1 of 2 done').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () =>
      expect((await stored(api, project)).checklist.map(({ text, done }) => [text, done !== null])).toEqual([
        ['Crawl the site', true],
        ['Call the customer', false],
        ['Write the report', true],
      ]),
    );
    expect(await findFaults(page)).toEqual([]);
  });

  test('has an undo that takes back one’s own change, and never a colleague’s later one', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    const { project } = await aProject(api);
    const { dueOn } = await stored(api, project);
    const change = async (body: object) =>
      expect((await api.put(`/staff-project/${project._id}`, body)).status).toBe(200);
    await visit(page, `/admin/project/${project._id}`);
    const setDueDate = async (day: string, shown: string) => {
      await page.getByRole('button', { name: 'Change due date' }).click();
      await page.getByRole('form', { name: 'Due date' }).getByLabel('Due date').fill(day);
      await page.keyboard.press('Enter');
      await page.getByText(shown, { exact: true }).waitFor();
    };
    await setDueDate('2031-05-04', 'May 4, 2031');
    await change({ labels: ['Theirs'] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect((await stored(api, project)).dueOn).toBe(dueOn));
    expect((await stored(api, project)).labels).toEqual(['Theirs']);
    await page.getByText('May 4, 2031', { exact: true }).waitFor({ state: 'hidden' });

    await setDueDate('2031-05-05', 'May 5, 2031');
    await change({ dueOn: '2031-12-24' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Someone else changed this project in the meantime.').waitFor();
    expect((await stored(api, project)).dueOn).toBe('2031-12-24');
  });

  test('never shows the customer a note, not even one that began as a draft of a message', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    const { project, person, customer, name } = await aProject(api);
    const { page: customerPage } = await openPageAs(browser, person, { isNew: false, ...desktop });
    await visit(customerPage, `/project/${project._id}`);
    await visit(page, `/admin/project/${project._id}`);

    // A draft of a message becomes a note only when the person chooses that, and then stays a note.
    await page.getByRole('textbox', { name: `Message to ${name}` }).fill('Secret: they pay late.');
    await page.getByRole('button', { name: 'Note – only staff see this' }).click();
    const note = page.getByRole('textbox', { name: 'Note for staff' });
    expect(await note.inputValue()).toBe('Secret: they pay late.');
    await page.reload();
    await waitUntilSettled(page);
    expect(await note.inputValue()).toBe('Secret: they pay late.');
    expect(await page.getByRole('button', { name: /^Send to/ }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    await note.press('Control+Enter');
    const entry = page.getByRole('listitem').filter({ hasText: 'Secret: they pay late.' });
    await entry.getByText('Note – only staff see this').waitFor();

    await page.getByRole('button', { name: /^Message/ }).click();
    await page.getByRole('textbox', { name: `Message to ${name}` }).fill('We begin today.');
    await page.getByRole('button', { name: `Send to ${name}` }).click();
    // Without a reload.
    await customerPage.getByText('We begin today.', { exact: true }).waitFor();
    expect(await customerPage.content()).not.toContain('Secret');
    for (const path of ['thread', 'files', 'deliverables'])
      expect((await customer.get(`/project/${project._id}/${path}`)).text).not.toContain('Secret');
    const { json } = await api.get<StaffThread>(`/staff-project/${project._id}/thread`);
    const written = json.entries.filter(({ kind }) => kind === 'message' || kind === 'note');
    expect(written).toMatchObject([
      { kind: 'note', text: 'Secret: they pay late.' },
      { kind: 'message', text: 'We begin today.' },
    ]);
    await page.getByText('Seen by the customer').waitFor();
  });

  test('shows work that is handed over with a sentence, a file and a link, and then the customer’s request for changes', async () => {
    const { page, api } = await openPageAsAdmin(browser, desktop);
    const { project, customer, name } = await aProject(api);
    await visit(page, `/admin/project/${project._id}`);
    await page.getByRole('button', { name: 'Hand over work…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
    await dialog.getByText('Describe what you hand over in a sentence').waitFor();
    await dialog.getByLabel('What you hand over').fill('The report, with the ten steps on page 2.');
    await dialog.getByLabel('Links (optional)').fill('example.com');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'report.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Ten steps'),
    });
    await dialog
      .getByRole('list', { name: 'Files to hand over' })
      .getByText('9 bytes', { exact: true })
      .waitFor();
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
    await dialog.getByText('‘example.com’ isn’t an address').waitFor();
    await dialog.getByLabel('Links (optional)').fill('https://example.com/report');
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
    await seeToast(page, `Handed over to ${name}`);
    const handedOver = page.getByRole('region', { name: 'Handed over' });
    await handedOver.getByText('Waiting for review').waitFor();
    await handedOver.getByRole('link', { name: /report\.txt/ }).waitFor();
    const { version } = (await customer.get<Project>(`/project/${project._id}`)).json;
    const answer = await customer.post(
      `/project/${project._id}/change-request`,
      { reason: 'Shorter, please.' },
      { headers: { 'if-match': `"${version}"`, 'idempotency-key': `changes-${project._id}` } },
    );
    expect(answer.status).toBe(200);
    // Without a reload.
    await handedOver.getByText('Shorter, please.').waitFor();
    await page.getByRole('button', { name: 'Resume work' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  test('is a chat on a phone, with its details in a second view', async () => {
    const { page, api } = await openPageAsAdmin(browser, phone);
    const { project, name } = await aProject(api);
    await visit(page, `/admin/project/${project._id}`);
    await page.getByRole('textbox', { name: `Message to ${name}` }).fill('Hello.');
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('region', { name: 'Checklist' }).getByLabel('Crawl the site').check();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Conversation' }).click();
    await page.getByRole('button', { name: `Send to ${name}` }).click();
    await page.getByRole('listitem').filter({ hasText: 'Hello.' }).waitFor();
    await eventually(async () =>
      expect((await stored(api, project)).checklist[0]).toMatchObject({ done: expect.anything() }),
    );
  });
});

test('customers cannot open the project screens of staff', async () => {
  const { api: admin } = await openPageAsAdmin(browser);
  const { project, person } = await aProject(admin);
  const { page } = await openPageAs(browser, person, { isNew: false });
  for (const path of ['/admin/projects', `/admin/project/${project._id}`, '/admin/project-templates']) {
    await visit(page, path);
    await page.getByRole('heading', { level: 1, name: "You don't have any permission" }).waitFor();
  }
});
