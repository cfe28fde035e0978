import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Message, Subscriber } from '#libs/contracts';
import { fullTest, sampleEvery, Session, TestBrowser, testStack } from '#libs/testing';
import { findFaults } from './faults.js';
import { visit } from './visit.js';

const { url, admin } = testStack();

let browser: TestBrowser;
let api: Session;

beforeAll(async () => {
  [browser, api] = await Promise.all([TestBrowser.open(), Session.signIn(url, admin)]);
});
afterAll(async () => {
  await browser.close();
});

async function open(path: string): Promise<Page> {
  const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce' });
  await visit(page, path);
  return page;
}

/** A form that is sent within a second counts as sent by a bot. */
const waitLikeAPerson = (page: Page) => page.waitForFunction(() => performance.now() > 1100);

const errors = (page: Page) => page.locator('.field__error').allTextContents();

describe('the contact form', () => {
  test('names the missing fields, and focuses the first', async () => {
    const page = await open('/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    expect(await errors(page)).toEqual([
      'Please enter your name',
      'Please enter your email',
      'Please enter a subject',
      'Please enter your message',
      'Please accept the terms',
    ]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('fullName');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').focus();
    expect(await errors(page)).not.toContain('Please enter your name');
  });

  fullTest('keeps its values when it cannot be sent, and says why', async () => {
    const page = await open('/contact');
    await page.route('**/add-message', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'Unavailable', status: 503, detail: 'Try again in a moment.' }),
      }),
    );
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Subject').fill('Engine');
    await page.getByLabel('Message').fill('A long message.');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('A long message.');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  });

  test('sends a message to the admins once, although the first answer was lost', async () => {
    const subject = `An engine ${process.pid}`;
    const page = await open('/contact');
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Subject').fill(subject);
    await page.getByLabel('Message').fill('<b>How much?</b>');
    await page.getByRole('checkbox').check();
    await waitLikeAPerson(page);
    await page.route(
      '**/add-message',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    const send = page.getByRole('button', { name: 'Send message' });
    await send.click();
    await page.getByRole('alert').getByText('can’t reach the site').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('<b>How much?</b>');
    await send.dblclick();
    await page.getByRole('status').getByText('Message is Updated').waitFor();
    await page.waitForURL('**/all-messages');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(posts).toHaveLength(2);

    const messages = await api.get<Message[]>(`/messages?search=${encodeURIComponent(subject)}`);
    expect(messages.json).toMatchObject([
      {
        fullName: 'Ada Lovelace',
        emailAddress: 'ada@example.com',
        subject,
        message: '<b>How much?</b>',
        messageStatus: 'UnRead',
      },
    ]);
    // Without a sent message, the same address leads a visitor to the login.
    const direct = await open('/all-messages');
    await direct.waitForURL('**/login');
  });
});

fullTest('the contact form can be filled in and sent by keyboard only', async () => {
  const subject = `By keyboard ${process.pid}`;
  const page = await open('/contact');
  await page.getByLabel('Name').focus();
  for (const text of ['Ada Lovelace', 'ada@example.com', subject, 'How much?']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  expect(await page.getByRole('checkbox').isChecked()).toBe(true);
  const stops: string[] = [];
  while (stops.at(-1) !== 'Send message' && stops.length < 5) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
  }
  expect(stops).toEqual([
    'terms (opens in a new tab)',
    'privacy policy (opens in a new tab)',
    'Send message',
  ]);
  await waitLikeAPerson(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const messages = await api.get<Message[]>(`/messages?search=${encodeURIComponent(subject)}`);
  expect(messages.json).toHaveLength(1);
});

const emptyForms: [path: string, button: string, error: string][] = [
  ['/contact', 'Send message', 'Please enter your name'],
  ['/', 'Subscribe', 'Please enter your email'],
];
test.each(sampleEvery(emptyForms.length, emptyForms))(
  'on %s, a form that shows its errors has no faults',
  async (path, button, error) => {
    const page = await open(path);
    await page.getByRole('button', { name: button }).click();
    await page.getByText(error).waitFor();
    expect(await findFaults(page)).toEqual([]);
  },
);

test('without JavaScript a form says why it was not sent', async () => {
  const page = await browser.openPage({ baseURL: url, javaScript: false });
  await page.goto('/contact');
  await page.locator('form .without-script').first().waitFor();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Subject').fill('An engine');
  await page.getByLabel('Message').fill('How much?');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByRole('heading', { name: 'This form needs JavaScript' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Message').inputValue()).toBe('How much?');
});

describe('the newsletter form', () => {
  test('is sent once, however often the button is pressed', async () => {
    const page = await open('/');
    const form = page.locator('.newsletter__form');
    await form.getByRole('textbox', { name: 'E-mail' }).fill(`often-${process.pid}@example.com`);
    await waitLikeAPerson(page);
    let posts = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/add-subscriber', async (route) => {
      posts += 1;
      await released;
      await route.continue();
    });
    const subscribe = form.locator('button[type=submit]');
    await subscribe.dblclick();
    await subscribe.dblclick({ force: true });
    release();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(posts).toBe(1);
  });

  test('stores the address of a visitor, and thanks them', async () => {
    const email = `reader-${process.pid}@example.com`;
    const page = await open('/');
    const form = page.locator('.newsletter__form');
    const input = form.getByRole('textbox', { name: 'E-mail' });
    await input.focus();
    await page.keyboard.type(email);
    await waitLikeAPerson(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Subscribe');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('subscribers is Updated').waitFor();
    await page.waitForURL('**/all-subscriber');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const subscribers = await api.get<Subscriber[]>(`/subscribers?search=${encodeURIComponent(email)}`);
    expect(subscribers.json).toMatchObject([{ email }]);
  });

  test('shows the error at the field, and keeps its value', async () => {
    const page = await open('/');
    const form = page.locator('.newsletter__form');
    const input = form.getByRole('textbox', { name: 'E-mail' });
    await input.fill('no address');
    await waitLikeAPerson(page);
    await form.getByRole('button', { name: 'Subscribe' }).click();
    await form.getByText('Provide a Valid Email').waitFor();
    expect(await input.inputValue()).toBe('no address');
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  fullTest('refuses a suspected bot visibly, so that a person can try again', async () => {
    const email = `helped-${process.pid}@example.com`;
    const page = await open('/');
    const form = page.locator('.newsletter__form');
    await form.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await form.locator('input[name=website]').evaluate((input: HTMLInputElement) => {
      input.value = 'https://spam.example';
    });
    await waitLikeAPerson(page);
    const subscribe = form.getByRole('button', { name: 'Subscribe' });
    await subscribe.click();
    await form.getByRole('alert').getByText('please send the form again').waitFor();
    await subscribe.click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });
});
