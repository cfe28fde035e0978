import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { customizableMails, type CustomizableMail, fixedMails, mailContract } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { RpcClient } from '#libs/transport';
import { findTemplate } from '../delivery/email-templates.js';
import { MailHarness } from './mail.harness.js';

let harness: MailHarness;
let client: RpcClient;

beforeAll(async () => {
  harness = await MailHarness.open();
  client = new RpcClient({ redisUrl: harness.redisUrl, caller: 'test' });
  await client.connect();
  await harness.start();
});
afterAll(async () => {
  await client?.close();
  await harness?.close();
});

const asAdmin = { actor: actors.admin };
const preview = (template: CustomizableMail, wording: { subject?: string; text?: string } = {}) =>
  client.call(
    mailContract.previewMailTemplate,
    { template, subject: wording.subject ?? '', text: wording.text ?? '' },
    asAdmin,
  );

test('the list has every kind of e-mail, and the built-in wording of those that can be changed', async () => {
  const templates = await client.call(mailContract.listMailTemplates, {}, asAdmin);
  expect(templates.map(({ template }) => template)).toEqual([
    ...Object.keys(customizableMails),
    ...Object.keys(fixedMails),
  ]);
  // The mails of a campaign have no template: their text is in the campaign's record.
  const withoutTemplate = templates.filter(({ template }) => !findTemplate(template));
  expect(withoutTemplate.map(({ template }) => template)).toEqual(['campaign']);
  const placed = templates.find(({ template }) => template === 'orderPlaced');
  expect(placed).toMatchObject({ name: 'Order placed', switchedBy: 'site' });
  expect(placed?.wording).toMatchObject({
    subject: 'Order {orderNumber} received: {packageName} at {siteName}',
    text: 'Thank you, {name}. We’ve received your order {orderNumber}. We’ll open your project as soon as you’ve paid.',
  });
  const switchedBy = (name: string) => templates.find(({ template }) => template === name)?.switchedBy;
  expect(switchedBy('confirmSubscription')).toBe('nobody');
  expect(switchedBy('adminOrderPlaced')).toBe('admin');
  expect(switchedBy('paymentReceiverChanged')).toBe('nobody');
  expect(templates.find(({ template }) => template === 'verifyEmail')).toMatchObject({
    switchedBy: 'nobody',
    wording: null,
  });
});

test.each(Object.keys(customizableMails) as CustomizableMail[])(
  'the preview of %s fills in every placeholder of the built-in wording, and every one that is listed',
  async (template) => {
    const { subject, text, html } = await preview(template);
    expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}/);
    const templates = await client.call(mailContract.listMailTemplates, {}, asAdmin);
    const { placeholders } = templates.find((one) => one.template === template)!.wording!;
    const all = placeholders.map(({ name }) => `{${name}}`).join(' ');
    expect((await preview(template, { text: all })).text).not.toMatch(/\{\w+\}/);
  },
);

test('the preview shows the typed wording as text, not as markup, and adds the order’s details', async () => {
  const { subject, html, text } = await preview('orderPlaced', {
    subject: 'Thanks, {name}',
    text: '<script>alert(1)</script> {unknown}\n\nSecond paragraph about {packageName}.',
  });
  expect(subject).toBe('Thanks, Ada Lovelace');
  expect(text).toContain('Order number: #1042');
  expect(html).not.toContain('<script');
  expect(text).toContain('<script>alert(1)</script> {unknown}\n\nSecond paragraph about Premium.');
});

test('a test mail goes to the admin’s own address only, at most 20 times an hour', async () => {
  const wording = { template: 'orderPlaced', subject: 'Hi {name}', text: 'Own words.' } as const;
  const send = () => client.call(mailContract.testMailTemplate, wording, asAdmin);
  const { to } = await send();
  expect(to).toBe(actors.admin.email);
  const mail = await eventually(() => harness.mail.newest({ to, subject: '[Test] Hi Ada Lovelace' }));
  expect(mail.text).toContain('Own words.');
  for (let sent = 1; sent < 20; sent++) await send();
  await expect(send()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const { rows } = await harness.sql.query('SELECT DISTINCT to_address FROM mails');
  expect(rows).toEqual([{ to_address: actors.admin.email }]);
});

test('an admin whose address is not confirmed gets no test mail', async () => {
  const actor = { ...actors.admin, emailVerified: false };
  const wording = { template: 'orderPlaced', subject: '', text: '' } as const;
  const sending = client.call(mailContract.testMailTemplate, wording, { actor });
  await expect(sending).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
