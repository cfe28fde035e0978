import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, Session, TestBrowser, testStack } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { newPerson, openPageAs, openPageAsAdmin, placeOrder } from './person.js';
import { visit } from './visit.js';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('a message reaches the admins by mail; they see the state of the mail, and send it again', async () => {
  const mail = MailCatcher.at(testStack().mail!.url);
  const subject = `Sent mail ${process.pid}`;
  const { page, api } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  const body = { fullName: 'Ada Lovelace', emailAddress: 'ada@example.com', subject, message: 'How much?' };
  expect((await api.post('/add-message', body)).status).toBe(201);
  const to = testStack().admin.email;
  const first = await eventually(() => mail.newest({ to, subject }));
  expect(first.headers.find(({ name }) => name === 'reply-to')?.value).toContain('<ada@example.com>');
  expect(first.text).toContain(`${testStack().url}/view/`);

  await page.goto(`/sent-mail?search=${encodeURIComponent(subject)}&state=sent`);
  const row = page.getByRole('row').filter({ hasText: to }).first();
  // The mail server's response begins with this code.
  await row.getByText('250').waitFor();
  await row.getByText('Sent', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The e-mail is waiting to be sent again').waitFor();
  await eventually(async () => expect(await mail.list({ to, subject })).toHaveLength(2));

  await page.goto('/sent-mail');
  await page.getByText('E-mail is on').waitFor();
  await page.getByRole('row').nth(1).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);
});

test('mails about orders start once the customer has confirmed their address', async () => {
  const { mail: catcher, url } = testStack();
  const mail = MailCatcher.at(catcher!.url);
  const person = newPerson();
  const { page, api } = await openPageAs(browser, person);
  // A person must not be able to send their own text to an address that they have not confirmed.
  const customerName = `Visit evil.example ${process.pid}`;
  const { _id: firstId } = await placeOrder(api, 'Basic', { customerName });
  expect((await api.put(`/order-cancelled/${firstId}`, { paymentStatus: 'Cancelled' })).status).toBe(200);
  // Once the mail about a later order has arrived, the first order's events have most likely been handled.
  const { email: adminEmail } = testStack().admin;
  const { _id: laterId } = await placeOrder(await Session.signIn(url, testStack().admin));
  await eventually(async () => {
    const { text } = await mail.newest({ to: adminEmail, subject: 'received: Basic' });
    expect(text).toContain(laterId);
  });
  await visit(page, '/my-order');
  await page.getByText('Once it’s confirmed, we’ll also e-mail you about your orders.').waitFor();

  const { text } = await eventually(() => mail.newest({ to: person.email, subject: 'Confirm' }));
  const [, token] = new RegExp(`${url}/verify-email#token=([\\w-]+)`).exec(text)!;
  expect((await api.post('/auth/verify-email', { token })).status).toBe(200);
  const lastOrder = await placeOrder(api);
  const subject = `Order #${lastOrder.number} received: Basic`;
  const orderMail = await eventually(() => mail.newest({ to: person.email, subject }));
  expect(orderMail.text).toContain(lastOrder._id);
  const mails = await mail.list({ to: person.email });
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    expect.stringMatching(/^Confirm your e-mail address/),
    expect.stringMatching(new RegExp(`^${subject}`)),
  ]);
});
