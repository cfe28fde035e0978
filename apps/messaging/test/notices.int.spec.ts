import { randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  DomainError,
  identityContract,
  mailContract,
  messagingContract,
  type Order,
  orderContract,
  visitor,
} from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { Handles, RpcClient, StreamsServer } from '#libs/transport';
import { MailHarness } from './mail.harness.js';

const order: Order = {
  _id: randomUUID(),
  orderDate: '11/21/2026',
  customerName: 'Ann "Evil" <x@y.z>',
  customerEmail: 'ann@example.com',
  customerAddress: '1 Main Street',
  customerCountry: 'Norway',
  packageName: 'Basic',
  packagePrice: '290.00',
  paymentStatus: 'UnPaid',
  orderStatus: 'Pending',
  paymentState: 'unpaid',
  payments: [],
  payable: true,
  flags: [],
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  version: 1,
};
const bounceToken = 'a token of the settings';
const admins = ['admin@northrank.example', 'second@northrank.example'];

/** Orders and identity, as far as messaging asks them. */
@Controller()
class Orders {
  @Handles(orderContract.told)
  told(@Payload() { id }: { id: string }): Order {
    if (id !== order._id) throw new DomainError('NOT_FOUND');
    return order;
  }
}
@Module({ controllers: [Orders] })
class OrdersModule {}
@Controller()
class Identity {
  @Handles(identityContract.listAdmins)
  list() {
    const meta = { userRole: 'Admin' as const, createdAt: '', updatedAt: '', version: 1 };
    return admins.map((userEmail) => ({ _id: userEmail, userEmail, ...meta }));
  }
}
@Module({ controllers: [Identity] })
class IdentityModule {}

describe('notices', () => {
  let harness: MailHarness;
  let client: RpcClient;
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    harness = await MailHarness.open();
    for (const [service, module] of [
      ['orders', OrdersModule],
      ['identity', IdentityModule],
    ] as const) {
      const strategy = new StreamsServer({ service, redisUrl: harness.redisUrl });
      const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
      await app.listen();
      closers.push(() => app.close());
    }
    client = new RpcClient({ redisUrl: harness.redisUrl, caller: 'test' });
    await client.connect();
    closers.push(() => client.close());
    await harness.start({ MAIL_BOUNCE_TOKEN: bounceToken });
  });
  afterAll(async () => {
    await Promise.all(closers.map((close) => close()));
    await harness.close();
  });

  const tell = (event: string, more: object = {}) =>
    harness.publish({ event, payload: { orderId: order._id, accountId: randomUUID(), version: 1, ...more } });

  test.each([
    ['orders.placed', {}, 'Your order at', `/pay-now/${order._id}`],
    ['orders.paid', {}, 'Payment received', '/my-order'],
    ['orders.cancelled', { paymentState: 'cancelled' }, 'Order cancelled', '/pricing'],
    ['orders.cancelled', { paymentState: 'refunded' }, 'Refunded', '/my-order'],
    ['orders.delivered', {}, 'Delivered', '/my-order'],
  ])('%s %j tells the customer', async (event, more, subject, path) => {
    await tell(event, more);
    const { text, html, headers } = await eventually(() =>
      harness.mail.newest({ to: order.customerEmail, subject }),
    );
    expect(text).toContain('Price: $290.00');
    expect(text).toContain(`https://northrank.example${path}`);
    expect(html).not.toContain('<x@y.z>');
    expect(headers.map(({ name }) => name)).not.toContain('list-unsubscribe');
  });

  test('a payment that needs attention is told to every admin', async () => {
    await tell('payments.flagged', { flags: ['paid_twice'] });
    for (const to of admins) {
      const { text } = await eventually(() => harness.mail.newest({ to, subject: 'attention' }));
      expect(text).toContain('paid twice');
      expect(text).toContain(`/admin/payment-status/${order._id}`);
    }
  });

  test('a message is told to every admin, and answering answers its sender', async () => {
    const body = {
      fullName: 'Eve <boss@northrank.example>, "Q"',
      emailAddress: 'eve@example.com',
      subject: 'Hello <b>there</b>',
      message: 'Line one.\n<script>alert(1)</script>',
      messageStatus: 'UnRead' as const,
    };
    await client.call(messagingContract.addMessage, { body }, { actor: visitor });
    const mail = await eventually(() => harness.mail.newest({ to: admins[0], subject: 'New message' }));
    const header = (name: string) => mail.headers.find((one) => one.name === name)?.value;
    expect(header('reply-to')).toMatch(/<eve@example\.com>$/);
    expect(header('reply-to')).not.toMatch(/,[^"@]*@[^,]*,/);
    expect(mail.text).toContain('> Line one.\n> <script>');
    expect(mail.html).not.toMatch(/<script|<b>/);
  });

  test('one that was switched off is not sent; one with words of an admin says those', async () => {
    await harness.changeContent('mailText', { mail: 'Order delivered', send: 'No' });
    await harness.changeContent('mailText', {
      mail: 'Order paid',
      send: 'Yes',
      subject: 'Cheers, {name}: {packageName}\r\nBcc: victim@example.com',
      text: 'Own words for {price}. {unknown} stays.',
    });
    await eventually(async () => {
      const { rows } = await harness.sql.query(`SELECT 1 FROM site_copies WHERE section = 'mailText'`);
      expect(rows).toHaveLength(2);
    });
    await harness.mail.clear();
    // Read anew at most a second later; asked for until it has come into effect.
    await tell('orders.delivered');
    await eventually(async () => {
      await tell('orders.paid');
      const mail = await harness.mail.newest({ to: order.customerEmail, subject: 'Cheers' });
      expect(mail.text).toContain('Own words for 290.00. {unknown} stays.');
      expect(mail.headers.map(({ name }) => name)).not.toContain('bcc');
    });
    expect(await harness.mail.list({ subject: 'Delivered' })).toEqual([]);
  });

  test('an admin sees what became of each mail, and sends one once more', async () => {
    const actor = actors.admin;
    const { items, total } = await client.call(mailContract.list, { search: 'refunded' }, { actor });
    expect(total).toBe(1);
    const [mail] = items;
    expect(mail).toMatchObject({
      template: 'orderRefunded',
      to: order.customerEmail,
      state: 'sent',
      attempts: 1,
      resendable: true,
    });
    expect(mail!.answer).toMatch(/^250/);
    await harness.mail.clear();
    const again = await client.call(mailContract.resend, { id: mail!._id }, { actor });
    expect(again).toMatchObject({ resendOf: mail!._id, state: 'queued', resendable: false });
    expect((await eventually(() => harness.mail.newest({ subject: 'Refunded' }))).messageId).toBe(
      again.messageId,
    );
    expect(again.messageId).not.toBe(mail!.messageId);

    const id = await harness.request({
      template: 'verifyEmail',
      params: { link: 'https://x.example/1' },
      to: 'b@example.com',
    });
    await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sent' }));
    const refused = client.call(mailContract.resend, { id }, { actor });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    const unknown = client.call(mailContract.resend, { id: 'nothing' }, { actor });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await client.call(mailContract.status, {}, { actor })).toMatchObject({
      on: true,
      from: 'hello@northrank.example',
      failed: 0,
    });
  });

  test('a mail that came back is shown as failed, if who says so knows the token', async () => {
    const to = 'gone@example.com';
    const id = await harness.request({ template: 'passwordChanged', params: {}, to });
    await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sent' }));
    const dsn = `To: bounces+${id.replaceAll('-', '')}@northrank.example\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 gone\r\n`;
    const report = Buffer.from(dsn).toString('base64');
    const tell = (token: string) =>
      client.call(mailContract.reportBounce, { token, report }, { actor: visitor });
    await expect(tell('a guess of a stranger')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await harness.row(id)).toMatchObject({ state: 'sent' });
    expect(await tell(bounceToken)).toEqual({ bounced: true });
    expect(await tell(bounceToken)).toEqual({ bounced: false });
    expect(await harness.row(id)).toMatchObject({ state: 'failed', answer: 'smtp; 550 gone' });
  });
});
