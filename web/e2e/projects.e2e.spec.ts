import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Deliverable, Project, ProjectTemplate, StaffProject, Thread } from '#libs/contracts';
import { eventually, type Session, startTcpGate, TestBrowser, testStack, fullTest } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { tabTo } from './keyboard.js';
import { findFaults, findFaultsAndPhoneOverflow } from './faults.js';
import { getPackage, newPerson, openPageAs, openPageAsAdmin, openTab, pathOf, placeOrder } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

/* Each test continues where the one before stopped. `npm test` leaves the `fullTest`s out. */

/** No other spec may begin projects of this package, because this one changes its template. */
const packageName = 'Standard';
const phone = { width: 390, height: 844 };

const stack = testStack();
const { url } = stack;
const mail = MailCatcher.at(stack.mail!.url);
let browser: TestBrowser;
let admin: { page: Page; api: Session };
let customer: { page: Page; api: Session };
const ada = newPerson();
let project: Project;

beforeAll(async () => {
  browser = await TestBrowser.open();
  customer = await openPageAs(browser, ada);
  admin = await openPageAsAdmin(browser);
});
afterAll(() => browser?.close());

const questions = [
  { id: 'site', label: 'Which site should we look at?', kind: 'url', required: true },
  { id: 'goal', label: 'What should it achieve?', kind: 'long_text', required: true, help: 'Two sentences.' },
  {
    ...{ id: 'place', label: 'Where do you want to be found?', kind: 'choice' },
    options: ['In our town', 'Everywhere'],
  },
  {
    ...{ id: 'channels', label: 'Which channels do you use?', kind: 'choices' },
    options: ['Newsletter', 'Social media'],
  },
  { id: 'date', label: 'Is there a date that matters?', kind: 'date' },
  { id: 'reports', label: 'Reports that we should see', kind: 'file' },
];

const picture = {
  name: 'screenshot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

const heading = (page: Page, name: string, level = 1) =>
  page.getByRole('heading', { level, name, exact: true }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const composer = (page: Page) => page.getByRole('textbox', { name: 'Your message' });
const thread = (page: Page) => page.getByRole('region', { name: 'Conversation' });
const message = (page: Page, text: string) =>
  thread(page).locator('.message-text').getByText(text, { exact: true });

async function paidProject(): Promise<Project> {
  // Another spec temporarily changes this package's price, and an order at the old price is refused.
  const { _id } = await eventually(() => placeOrder(customer.api, packageName));
  const paid = { paymentStatus: 'Paid', reason: 'Paid by bank transfer' };
  expect((await admin.api.put(`/order/${_id}`, paid)).status).toBe(200);
  return eventually(async () => {
    const [opened] = (await customer.api.get<Project[]>(`/projects?order=${_id}`)).json;
    expect(opened).toBeDefined();
    return opened!;
  });
}

async function deliver(text: string, links: string[]): Promise<void> {
  const path = `/staff-project/${project._id}`;
  const { version } = (await admin.api.get<StaffProject>(path)).json;
  const headers = { 'If-Match': `"${version}"` };
  const answer = await admin.api.post(`${path}/deliverables`, { text, links }, { headers });
  expect(answer.status).toBe(200);
}

async function resume(): Promise<void> {
  const path = `/staff-project/${project._id}`;
  const { version } = (await admin.api.get<StaffProject>(path)).json;
  const headers = { 'If-Match': `"${version}"` };
  const answer = await admin.api.post(`${path}/state`, { state: 'in_progress' }, { headers });
  expect(answer.status).toBe(200);
}

const staffWrites = async (text: string) => {
  expect((await admin.api.post(`/staff-project/${project._id}/messages`, { text })).status).toBe(200);
};

describe('projects', () => {
  fullTest('are explained to a customer who has none', async () => {
    const { page } = customer;
    await visit(page, '/dashboard');
    expect(await page.getByRole('heading', { name: 'Next steps' }).count()).toBe(0);
    await page.getByRole('navigation', { name: 'Your account' }).getByText('Projects').click();
    await page.getByText('No open projects').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Finished').click();
    await page.getByText('No finished projects yet').waitFor();
  });

  test('begin with the paid order, and the dashboard says what is expected', async () => {
    const { _id: packageId } = await getPackage(packageName, customer.api);
    const { version } = (await admin.api.get<ProjectTemplate>(`/project-template/${packageId}`)).json;
    const template = {
      questions,
      deliveryDays: 7,
      introduction: 'Ten minutes are enough.',
      welcome: 'Welcome!',
    };
    const headers = { 'If-Match': `"${version}"` };
    const saved = await admin.api.put(`/project-template/${packageId}`, template, { headers });
    expect(saved.status).toBe(200);
    project = await paidProject();

    const { page } = customer;
    await visit(page, '/dashboard');
    await page.getByText('Answer 6 questions so that we can begin', { exact: true }).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await visit(page, '/my-order');
    await page.getByRole('link', { name: `Project of order #${project.number}` }).click();
    await heading(page, packageName);
    await message(page, 'Welcome!').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('ask questions that can be answered by keyboard alone, and save the answers automatically', async () => {
    const { page } = customer;
    await visit(page, '/dashboard');
    await tabTo(page, 'Answer: Answer 6 questions so that we can begin');
    await page.keyboard.press('Enter');
    await heading(page, 'Questions before we begin');
    await page.getByLabel('Which site should we look at?').focus();
    await page.keyboard.type('summit-search.com');
    await page.keyboard.press('Tab');
    expect(await page.getByLabel('Which site should we look at?').inputValue()).toBe(
      'https://summit-search.com',
    );
    await page.getByText('Saved', { exact: true }).waitFor();
    await tabTo(page, 'Send answers');
    await page.keyboard.press('Enter');
    // The first question without an answer gets the focus.
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('answers.goal'),
    );
    await page.getByText('Please answer this question.').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await page.keyboard.type('More customers from our town');
    await page.getByText('Saved', { exact: true }).waitFor();
    await visit(page, `/project/${project._id}/brief`);
    expect(await page.getByLabel('What should it achieve?').inputValue()).toBe(
      'More customers from our town',
    );
    await page.getByText('2 of 6 questions answered').waitFor();
  });

  test('merge answers given in two tabs, and lose nothing that was typed', async () => {
    const { page } = customer;
    const otherTab = await openTab(page, `/project/${project._id}/brief`);
    await otherTab.getByLabel('Everywhere').check();
    await otherTab.getByLabel('What should it achieve?').fill('Theirs');
    await otherTab.getByText('Saved', { exact: true }).waitFor();
    await page.getByLabel('What should it achieve?').fill('Mine');
    await page.getByText('has also just answered “What should it achieve?”').waitFor();
    await page.getByText('Theirs', { exact: true }).waitFor();
    expect(await page.getByLabel('What should it achieve?').inputValue()).toBe('Mine');
    expect(await page.getByLabel('Everywhere').isChecked()).toBe(true);
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Keep mine').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await otherTab.close();
  });

  test('accept files as answers, and move to "In progress" once the answers are sent', async () => {
    const { page } = customer;
    await page.locator('form input[type=file]').setInputFiles(picture);
    await button(page, 'Remove screenshot.png').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    await button(page, 'Send answers').click();
    await heading(page, packageName);
    await page.getByText('In progress').first().waitFor();
    await thread(page).getByText('Ada Lovelace answered the questions.').waitFor();
    await page.getByRole('link', { name: 'Your answers' }).click();
    await heading(page, 'Your answers');
    await page.getByText('Mine', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Download.*screenshot\.png/ }).waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  fullTest('keep a message that was not sent, and send it with its file by keyboard', async () => {
    const { page } = customer;
    await visit(page, `/project/${project._id}`);
    await composer(page).fill('Our **new** logo is attached.');
    await page.locator('.composing input[type=file]').setInputFiles(picture);
    await button(page, 'Remove screenshot.png').waitFor();
    await visit(page, `/project/${project._id}`);
    expect(await composer(page).inputValue()).toBe('Our **new** logo is attached.');
    await button(page, 'Remove screenshot.png').waitFor();
    await composer(page).press('Control+Enter');
    await eventually(async () => expect(await composer(page).inputValue()).toBe(''));
    await thread(page).getByText('new', { exact: true }).waitFor();
    await thread(page)
      .getByRole('link', { name: /Download.*screenshot\.png/ })
      .waitFor();
    expect(await composer(page).evaluate((area) => area === document.activeElement)).toBe(true);
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });

  test('show messages live in two browsers, and mark what is new until it is read', async () => {
    const { page } = customer;
    const small = await openPageAs(browser, ada, { isNew: false, ...phone });
    for (const each of [page, small.page]) await visit(each, `/project/${project._id}`);
    await composer(small.page).fill('Written on the phone');
    await composer(small.page).press('Control+Enter');
    await message(page, 'Written on the phone').waitFor();
    await visit(admin.page, `/admin/project/${project._id}`);
    await admin.page.getByText('Written on the phone').first().waitFor();
    await staffWrites('Thank you, we have begun.');
    await message(page, 'Thank you, we have begun.').waitFor();
    await message(small.page, 'Thank you, we have begun.').waitFor();
    expect(await findFaults(small.page)).toEqual([]);

    // A message that arrives while the customer is on another screen counts as new.
    await visit(page, '/team');
    await small.page.close();
    await staffWrites('One question about the shop.');
    await visit(page, '/projects');
    await page.getByText('1 new').first().waitFor();
    await page.getByRole('link', { name: packageName }).click();
    await message(page, 'One question about the shop.').waitFor();
    await thread(page).getByText('New', { exact: true }).waitFor();
    await eventually(async () => {
      const { unread } = (await customer.api.get<Project>(`/project/${project._id}`)).json;
      expect(unread).toBe(0);
    });
  });

  fullTest('catch up after a lost connection', async () => {
    const { page } = customer;
    const gate = await startTcpGate(url);
    try {
      // Through `localhost`, because the browser would not send the site's cookies to 127.0.0.1, where `gate.url` is. Cookies do not depend on the
      // port.
      const port = new URL(gate.url).port;
      const tab = await openTab(page, `http://localhost:${port}/project/${project._id}`);
      await message(tab, 'One question about the shop.').waitFor();
      await gate.shut();
      await tab.getByText('Reconnecting…').waitFor();
      await staffWrites('Sent while you were away.');
      await message(page, 'Sent while you were away.').waitFor();
      expect(await message(tab, 'Sent while you were away.').count()).toBe(0);
      await gate.open();
      await message(tab, 'Sent while you were away.').waitFor();
      await tab.getByText('Reconnecting…').waitFor({ state: 'detached' });
      await tab.close();
    } finally {
      await gate.close();
    }
  });

  fullTest('let people quote a message, and edit and delete their own', async () => {
    const { page } = customer;
    /** Clicks again if necessary, because the list moves when a mark such as 'Seen' appears during the click. */
    const open = (name: RegExp) =>
      eventually(async () => {
        const menu = page.locator('details', { has: page.locator('summary', { hasText: name }) }).last();
        if (!(await menu.evaluate((element: HTMLDetailsElement) => element.open)))
          await menu.locator('summary').click({ timeout: 5_000 });
        expect(await menu.evaluate((element: HTMLDetailsElement) => element.open)).toBe(true);
      });
    await open(/Actions for admin.*’s message/i);
    await button(page, 'Quote').click();
    await composer(page).fill('Yes, please.');
    await composer(page).press('Control+Enter');
    await message(page, 'Yes, please.').waitFor();
    await thread(page).locator('blockquote', { hasText: 'Sent while you were away.' }).waitFor();

    await open(/Actions for Ada.*’s message/);
    await button(page, 'Edit').click();
    const edit = page.getByRole('textbox', { name: 'Edit your message' });
    await edit.fill('Yes, please do.');
    await edit.press('Control+Enter');
    await message(page, 'Yes, please do.').waitFor();
    await thread(page).getByText('Edited').waitFor();

    await open(/Actions for Ada.*’s message/);
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this message?' });
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await thread(page).getByText('This message was deleted.').waitFor();
    expect(await message(page, 'Yes, please do.').count()).toBe(0);
  });

  fullTest('load earlier messages without moving what is being read', async () => {
    const { page } = customer;
    // More than the 50 entries that are loaded at first.
    for (let nth = 1; nth <= 55; nth += 1)
      expect(
        (await customer.api.post(`/project/${project._id}/messages`, { text: `Message ${nth}` })).status,
      ).toBe(200);
    await visit(page, `/project/${project._id}`);
    const earlier = button(page, 'Show earlier messages');
    await earlier.scrollIntoViewIfNeeded();
    const first = page.locator('[data-entry]').first();
    const id = await first.getAttribute('id');
    const top = async () => (await page.locator(`#${id}`).boundingBox())!.y;
    const before = await top();
    await earlier.click();
    await message(page, 'Welcome!').waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThan(2);
  });

  test('are delivered, and the customer asks for changes', async () => {
    await deliver('Your audit, with the ten most urgent fixes.', ['https://docs.example.com/audit']);
    const { page } = customer;
    // Without a reload.
    await page.getByRole('heading', { name: `${packageName} is ready to review` }).waitFor();
    await visit(page, '/dashboard');
    await page.getByText(`${packageName} is ready to review`, { exact: true }).waitFor();
    await page.getByRole('link', { name: /^Review/ }).click();
    await heading(page, `${packageName} is ready to review`, 2);
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await button(page, 'Ask for changes').press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.review-form textarea'));
    await button(page, 'Ask for changes').click();
    await page.getByText('Tell us what to change.').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await page.getByLabel('What should we change?').fill('Please add the mobile pages.');
    await page.getByLabel('What should we change?').press('Control+Enter');
    await page.getByText('Changes requested').first().waitFor();
    const [deliverable] = (await customer.api.get<Deliverable[]>(`/project/${project._id}/deliverables`))
      .json;
    expect(deliverable).toMatchObject({
      state: 'changes_requested',
      reason: 'Please add the mobile pages.',
    });
  });

  fullTest('are accepted on a phone, where conversation, details and files are tabs', async () => {
    await resume();
    await deliver('The audit with the mobile pages.', []);
    const { page } = await openPageAs(browser, ada, { isNew: false, ...phone });
    await visit(page, `/project/${project._id}`);
    await page.getByRole('heading', { name: `${packageName} is ready to review` }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Details' }).click();
    await heading(page, 'Deliveries', 2);
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('list', { name: 'Files of the project' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await button(page, 'Accept').click();
    const dialog = page.getByRole('dialog', { name: 'Accept this work?' });
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('Accepted. Thank you!').waitFor();
    const { state } = (await customer.api.get<Project>(`/project/${project._id}`)).json;
    expect(state).toBe('accepted');
    const { entries } = (await customer.api.get<Thread>(`/project/${project._id}/thread`)).json;
    expect(entries.at(-1)).toMatchObject({ kind: 'event', what: 'accepted' });
    await page.close();
  });

  fullTest(
    'have a report that is shared with a link, and printed without the header and footer of the site',
    async () => {
      const { page } = customer;
      await visit(page, `/project/${project._id}/report`);
      await page.getByText('The audit with the mobile pages.').waitFor();
      expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
      await page.getByLabel('For whom?').fill('Board meeting');
      await button(page, 'Create link').click();
      const link = await page.getByLabel('Copy this link now.').inputValue();
      await page.getByRole('listitem').filter({ hasText: 'Board meeting' }).waitFor();
      expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);

      const visitor = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
      await visitor.goto(link);
      await waitUntilSettled(visitor);
      await visitor.getByText('The audit with the mobile pages.').waitFor();
      expect(await visitor.getAttribute('meta[name=robots]', 'content')).toBe('noindex');
      expect(await findFaultsAndPhoneOverflow(visitor)).toEqual([]);
      await visitor.emulateMedia({ media: 'print' });
      expect(await visitor.locator('header.header').isVisible()).toBe(false);
      expect(await visitor.locator('footer').isVisible()).toBe(false);

      await button(page, 'Revoke the link for Board meeting').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Link revoked').waitFor();
      await visitor.emulateMedia({ media: 'screen' });
      await visitor.reload();
      await heading(visitor, 'This link no longer works');
      expect(await findFaultsAndPhoneOverflow(visitor)).toEqual([]);
      await visitor.close();
    },
  );

  fullTest('are shared with a colleague, who joins through the link in a mail', async () => {
    const { page } = customer;
    const grace = newPerson();
    await visit(page, '/team');
    await page.getByText('Nobody but you, so far').waitFor();
    await page.getByText('Confirm your e-mail address first').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    const ownMail = await eventually(() => mail.newest({ to: ada.email, subject: 'Confirm' }));
    const [, token] = new RegExp(`${url}/verify-email#token=([\\w-]+)`).exec(ownMail.text)!;
    expect((await customer.api.post('/auth/verify-email', { token })).status).toBe(200);
    await visit(page, '/team');
    await button(page, 'Send invitation').click();
    await page.getByText('Enter your colleague’s name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await page.getByLabel('E-mail', { exact: true }).fill(grace.email);
    await button(page, 'Send invitation').click();
    await page.getByRole('listitem').filter({ hasText: grace.email }).getByText('Invited').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);

    const { text } = await eventually(() => mail.newest({ to: grace.email, subject: 'invited' }));
    const invitationLink = new RegExp(`${url}/team-invitation#token=[\\w-]+`).exec(text)![0];
    const visitor = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
    await visitor.goto(invitationLink);
    await heading(visitor, 'Join the team of Ada Lovelace');
    expect(await findFaultsAndPhoneOverflow(visitor)).toEqual([]);
    await visitor.getByRole('link', { name: 'Create an account' }).click();
    await visitor.getByRole('heading', { name: 'Welcome! Register to continue' }).waitFor();
    await visitor.getByLabel('E-mail').fill(grace.email);
    await visitor.getByLabel('Password').fill(grace.password);
    await visitor.getByRole('button', { name: 'Register' }).click();
    await visitor.getByText('One more step').waitFor();
    expect(await findFaultsAndPhoneOverflow(visitor)).toEqual([]);
    const confirmation = await eventually(() => mail.newest({ to: grace.email, subject: 'Confirm' }));
    const [confirmationLink] = new RegExp(`${url}/verify-email#token=[\\w-]+`).exec(confirmation.text)!;
    await visitor.goto(confirmationLink);
    await visitor.getByRole('button', { name: 'Confirm address' }).click();
    await visitor.getByText('is now confirmed').waitFor();
    await visitor.goto(invitationLink);
    await visitor.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(visitor, 'Projects');
    expect(pathOf(visitor)).toBe('/projects');
    await button(visitor, 'Finished').click();
    await visitor.getByRole('link', { name: packageName }).click();
    await composer(visitor).fill('Hello from Grace');
    await composer(visitor).press('Control+Enter');
    await visit(page, `/project/${project._id}`);
    await message(page, 'Hello from Grace').waitFor();

    await visit(page, '/team');
    await page.getByLabel('Role of Grace Hopper').selectOption('Billing');
    await page.getByText('Grace Hopper now has the role Billing').waitFor();
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
    await visitor.reload();
    await visitor.getByText('Project not found').waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Grace Hopper now has the role Billing').waitFor({ state: 'detached' });
    await visitor.reload();
    await message(visitor, 'Hello from Grace').waitFor();

    await button(page, 'Remove Grace Hopper').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nobody but you, so far').waitFor();
    await visitor.reload();
    await visitor.getByText('Project not found').waitFor();
    await visitor.close();
  });

  fullTest('of somebody else are not found', async () => {
    const { page } = await openPageAs(browser, newPerson());
    for (const path of ['', '/brief', '/report']) {
      await visit(page, `/project/${project._id}${path}`);
      await page.getByText('Project not found').waitFor();
    }
    expect(await findFaultsAndPhoneOverflow(page)).toEqual([]);
  });
});
