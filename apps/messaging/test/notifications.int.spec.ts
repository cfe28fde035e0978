import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  accountDeleted,
  type AdminNotification,
  adminNotifications,
  DomainError,
  identityContract,
  invoiceContract,
  mailContract,
  messagingContract,
  type Order,
  orderContract,
  visitor,
} from '#libs/contracts';
import { actors, eventually, fullTest } from '#libs/testing';
import { Handles, RpcClient } from '#libs/transport';
import { MailHarness } from './mail.harness.js';

const order: Order & { accountId: string } = {
  _id: randomUUID(),
  number: 1042,
  accountId: randomUUID(),
  orderDate: '11/21/2026',
  customerName: 'Ann "Evil" <x@y.z>',
  customerEmail: 'ann@example.com',
  customerAddress: '1 Main Street',
  customerCountry: 'Norway',
  packageName: 'Basic',
  packagePrice: '290.00',
  ...{ addedTax: '0.00', addedTaxRate: '0', billingDetails: null },
  paymentStatus: 'UnPaid',
  orderStatus: 'Pending',
  paymentState: 'unpaid',
  payments: [],
  refunded: '0.00',
  disputed: '0.00',
  paidTwice: false,
  cancelledBy: null,
  seller: null,
  renewal: null,
  paymentHold: null,
  payable: true,
  flags: [],
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  version: 1,
};
const payment = (state: Order['payments'][number]['state']): Order['payments'][number] => {
  return { txnId: 'A', state, amount: '290.00', refunded: '0.00', paidAt: '2026-11-21T12:00:00.000Z' };
};
/** What a mail about a payment contains: nothing about invoices, a link to the list of invoices, or that link and the file. */
let invoiceInMail: 'none' | 'link' | 'file' = 'none';
/** Null until the file is ready. */
let invoiceFile: { number: string; pdf: string } | null = null;
let orderOverrides: Partial<Omit<Order, 'accountId'>> = {};

/** The order of somebody who registered with another person's address and did not confirm it. */
const unconfirmedOrder = {
  ...order,
  _id: randomUUID(),
  accountId: randomUUID(),
  customerEmail: 'outsider@example.com',
};
/** The order of an account that has since changed its address and confirmed the new one. */
const olderOrder = {
  ...order,
  _id: randomUUID(),
  accountId: randomUUID(),
  customerEmail: 'outsider@example.com',
};
const orders = [order, unconfirmedOrder, olderOrder];
const confirmedEmails: Record<string, string> = {
  [order.accountId]: order.customerEmail,
  [olderOrder.accountId]: 'confirmed@example.com',
};
const bounceToken = 'a token of the settings';
const admins = ['admin@northrank.example', 'second@northrank.example'];
let muted: Record<string, readonly AdminNotification[]> = {};

/** Stands in, with `Identity` below, for the services that messaging calls in these tests. */
@Controller()
class Orders {
  @Handles(orderContract.getForService)
  getForMail({ id }: { id: string }) {
    const found = orders.find(({ _id }) => _id === id);
    if (!found) throw new DomainError('NOT_FOUND');
    return { ...found, invoices: invoiceInMail, ...orderOverrides };
  }
  @Handles(invoiceContract.findInvoiceForMail)
  invoice() {
    return invoiceFile;
  }
}
@Controller()
class Identity {
  @Handles(identityContract.confirmedEmail)
  confirmedEmail({ accountId }: { accountId: string }) {
    return { email: confirmedEmails[accountId] ?? null };
  }
  @Handles(identityContract.adminEmails)
  adminEmails({ notification }: { notification?: AdminNotification }) {
    return admins.filter((email) => !notification || !muted[email]?.includes(notification));
  }
}

describe('notification e-mails', () => {
  let harness: MailHarness;
  let client: RpcClient;

  beforeAll(async () => {
    harness = await MailHarness.open();
    await harness.startNeighbour('orders', Orders);
    await harness.startNeighbour('identity', Identity);
    client = new RpcClient({ redisUrl: harness.redisUrl, caller: 'test' });
    await client.connect();
    await harness.start({ MAIL_BOUNCE_TOKEN: bounceToken });
  });
  afterAll(async () => {
    await client?.close();
    await harness?.close();
  });

  const publish = (event: string, more: object = {}, { _id: orderId, accountId } = order) =>
    harness.publish({ event, payload: { orderId, accountId, version: 1, ...more } });

  const orderEvents = [
    ['orders.placed', {}],
    ['orders.paid', {}],
    ['orders.cancelled', { paymentState: 'cancelled' }],
    ['orders.cancelled', { paymentState: 'refunded' }],
    ['orders.delivered', {}],
  ] as const;

  test.each([
    ['orders.placed', {}, 'Order #1042 received', `/pay-now/${order._id}`],
    ['orders.paid', {}, 'Payment received', '/projects'],
    ['orders.paid', { reason: 'admin' }, 'Order marked as paid', '/projects'],
    ['orders.paid', { reason: 'dispute_closed' }, 'Dispute closed', '/my-order'],
    ['orders.cancelled', { paymentState: 'cancelled' }, 'Order #1042 cancelled', '/pricing'],
    ['orders.cancelled', { paymentState: 'refunded' }, 'Refunded', '/my-order'],
    ['orders.refunded', { amount: '10.05' }, 'Refund: order #1042', '/my-order'],
    ['orders.paymentFailed', {}, 'Payment failed', `/pay-now/${order._id}`],
    ['payments.flagged', { flags: ['paid_twice'] }, 'a second payment', `/pay-now/${order._id}`],
    ['orders.delivered', {}, 'Order #1042 delivered', '/my-order'],
  ])('%s %j mails the customer', async (event, more, subject, path) => {
    await publish(event, more);
    const { text, html, headers, ...mail } = await eventually(() =>
      harness.mail.newest({ to: order.customerEmail, subject }),
    );
    expect(mail.subject).toMatch(/order #1042/i);
    expect(text).toContain('Order number: #1042');
    expect(text).toContain('Price: $290.00');
    expect(text).toContain(`https://northrank.example${path}`);
    expect(html).not.toContain('<x@y.z>');
    expect(headers.map(({ name }) => name)).not.toContain('list-unsubscribe');
  });

  test.each([
    ['orders.paid', {}, 'Payment received', /PayPal has confirmed your payment/, /marked/],
    ['orders.paid', { reason: 'admin' }, 'marked as paid', /We’ve marked your order as paid/, /confirmed/],
    [
      'orders.paid',
      { reason: 'dispute_closed' },
      'Dispute closed',
      /Your payment stands/,
      /confirmed|received/,
    ],
    [
      'orders.paid',
      { reason: 'payment_after_cancel' },
      'Payment received',
      /after the order was cancelled/,
      /what comes next/,
    ],
    [
      'orders.cancelled',
      { paymentState: 'cancelled', by: 'customer' },
      'cancelled',
      /You cancelled/,
      /We cancelled/,
    ],
    [
      'orders.cancelled',
      { paymentState: 'cancelled', by: 'admin' },
      'cancelled',
      /We cancelled/,
      /You cancelled/,
    ],
    ['orders.refunded', { amount: '10.05' }, 'Refund:', /We refunded \$10\.05/, /in full/],
  ])('the mail about %s %j says what happened', async (event, more, subject, words, wrongWords) => {
    await harness.mail.clear();
    await publish(event, more);
    const { text } = await eventually(() => harness.mail.newest({ to: order.customerEmail, subject }));
    expect(text).toMatch(words);
    expect(text).not.toMatch(wrongWords);
  });

  test.each<[string, Partial<Order>, RegExp]>([
    ['without a payment', {}, /We haven’t received a payment/],
    ['with a payment that failed', { payments: [payment('failed')] }, /We haven’t received a payment/],
    ['with an e-check under way', { payments: [payment('pending')] }, /still being processed/],
    ['with a payment that is held', { paymentHold: 'under_review' }, /still being processed/],
    ['whose payment arrived meanwhile', { payments: [payment('received')] }, /We’ve received a payment/],
  ])(
    'the mail about a cancelled order %s explains what happened to the money',
    async (_what, more, words) => {
      await harness.mail.clear();
      orderOverrides = more;
      await publish('orders.cancelled', { paymentState: 'cancelled', by: 'customer' });
      const { text } = await eventually(() =>
        harness.mail.newest({ to: order.customerEmail, subject: 'Order #1042 cancelled' }),
      );
      orderOverrides = {};
      const explanations = [
        /We haven’t received a payment/,
        /still being processed/,
        /We’ve received a payment/,
      ];
      expect(explanations.filter((explanation) => explanation.test(text))).toEqual([words]);
    },
  );

  describe('the mail about a payment', () => {
    afterEach(() => {
      invoiceInMail = 'none';
      invoiceFile = null;
    });
    const publishPaid = async () => {
      await harness.mail.clear();
      await publish('orders.paid');
    };
    const mail = () =>
      eventually(() => harness.mail.newest({ to: order.customerEmail, subject: 'Payment received' }));

    test('links to the invoices, if there are any', async () => {
      await publishPaid();
      expect((await mail()).text).not.toContain('invoice');
      invoiceInMail = 'link';
      await publishPaid();
      expect((await mail()).text).toContain('https://northrank.example/my-invoices');
    });

    test('waits for the invoice that is attached to it', async () => {
      invoiceInMail = 'file';
      await publishPaid();
      await eventually(async () => {
        const { rows } = await harness.sql.query(
          `SELECT attempts FROM mails WHERE state = 'queued' AND answer = 'Waiting for the invoice.'`,
        );
        expect(rows).toEqual([{ attempts: 0 }]);
      });
      invoiceFile = { number: 'INV/2026-00042', pdf: Buffer.from('%PDF-1.7 …').toString('base64') };
      const { raw } = await mail();
      expect(raw).toMatch(/Content-Type: application\/pdf; name=INV-2026-00042\.pdf/);
      expect(raw).toContain(invoiceFile.pdf);
    });

    fullTest('is sent with a link instead of the file if the invoice is not ready in time', async () => {
      invoiceInMail = 'file';
      await publishPaid();
      await eventually(async () => {
        const { rowCount } = await harness.sql.query(
          `UPDATE mails SET created_at = created_at - interval '11 minutes' WHERE answer = 'Waiting for the invoice.'`,
        );
        expect(rowCount).toBe(1);
      });
      const { raw, text } = await mail();
      expect(raw).not.toContain('application/pdf');
      expect(text).toContain('https://northrank.example/my-invoices');
    });

    test('names what was charged, with the tax that was added', async () => {
      orderOverrides = { addedTax: '55.10', addedTaxRate: '19' };
      await publishPaid();
      const { text } = await mail();
      orderOverrides = {};
      expect(text).toContain('Price: $345.10, of which $55.10 is tax');
    });
  });

  test('an order without a number, from an earlier release, is identified by the end of its id', async () => {
    await harness.mail.clear();
    orderOverrides = { number: null };
    await publish('orders.delivered');
    const end = order._id.slice(-8);
    const { text } = await eventually(() =>
      harness.mail.newest({ to: order.customerEmail, subject: `Order #${end} delivered` }),
    );
    orderOverrides = {};
    expect(text).toContain(`Order number: #${end}`);
  });

  test('a mail that an earlier release queued without an order number is sent', async () => {
    await harness.mail.clear();
    await harness.sql.query(
      `CREATE FUNCTION forget_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.params = NEW.params - 'orderNumber'; RETURN NEW; END $$;
       CREATE TRIGGER forget_number BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION forget_number()`,
    );
    await publish('orders.delivered');
    const subject = `Order #${order._id.slice(-8)} delivered`;
    await eventually(() => harness.mail.newest({ to: order.customerEmail, subject }));
    await harness.sql.query('DROP FUNCTION forget_number CASCADE');
  });

  test('mails about an order go only to the confirmed address of its account, whatever address the order has', async () => {
    for (const [event, more] of orderEvents) {
      await publish(event, more, unconfirmedOrder);
      await publish(event, more, olderOrder);
    }
    await eventually(async () =>
      expect(await harness.mail.list({ to: 'confirmed@example.com' })).toHaveLength(orderEvents.length),
    );
    const { rows } = await harness.sql.query(`SELECT template FROM mails WHERE to_address = $1`, [
      unconfirmedOrder.customerEmail,
    ]);
    expect(rows).toEqual([]);
    await harness.sql.query(`DELETE FROM mails WHERE to_address = 'confirmed@example.com'`);
  });

  test('mails about an order are deleted with its account, although the order has an earlier address', async () => {
    await harness.mail.clear();
    await publish('orders.placed', {}, olderOrder);
    const to = confirmedEmails[olderOrder.accountId]!;
    await eventually(() => harness.mail.newest({ to, subject: 'Order #1042 received' }));
    const mails = async () => {
      const { rows } = await harness.sql.query<{ state: string }>(
        'SELECT state FROM mails WHERE about = $1',
        [olderOrder._id],
      );
      return rows.map(({ state }) => state);
    };
    await eventually(async () => expect(new Set(await mails())).toEqual(new Set(['sent'])));
    const payload = { accountId: olderOrder.accountId, email: to };
    await harness.publish({ event: accountDeleted.event, payload });
    await eventually(async () => expect(await mails()).toEqual([]));
  });

  test('every admin gets a mail about a payment that needs attention', async () => {
    await publish('payments.flagged', { flags: ['paid_twice'] });
    for (const to of admins) {
      const { text } = await eventually(() => harness.mail.newest({ to, subject: 'attention' }));
      expect(text).toContain('paid twice');
      expect(text).toContain(`/admin/payment-status/${order._id}`);
    }
  });

  test('a message is mailed to an admin, whose reply goes to the sender of the message', async () => {
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
    // The whole name is one quoted string, so it adds no address.
    expect(header('reply-to')).toBe(String.raw`"Eve <boss@northrank.example>, \"Q\"" <eve@example.com>`);
    expect(mail.text).toContain('> Line one.\n> <script>');
    expect(mail.html).not.toMatch(/<script|<b>/);
  });

  test('the sender of a message gets at most one acknowledgement a day, with nothing of what was typed', async () => {
    const body = {
      fullName: 'Mallory <img src=x>',
      emailAddress: 'Victim+1@example.com',
      subject: 'Cheap pills',
      message: 'https://evil.example/',
      messageStatus: 'UnRead' as const,
    };
    const send = (emailAddress: string) =>
      client.call(messagingContract.addMessage, { body: { ...body, emailAddress } }, { actor: visitor });
    await send(body.emailAddress);
    const subject = 'We’ve received your message';
    const mail = await eventually(() => harness.mail.newest({ to: body.emailAddress, subject }));
    expect(mail.text + mail.html).not.toMatch(/Mallory|pills|evil/);
    const before = (await harness.sql.query(`SELECT 1 FROM mails WHERE template = 'messageReceived'`))
      .rowCount!;
    // Another spelling of the same mailbox (`mailboxOf`).
    await send('victim@example.com');
    await eventually(async () => {
      const { rowCount } = await harness.sql.query(`SELECT 1 FROM mails WHERE template = 'messageReceived'`);
      expect(rowCount).toBe(before + admins.length);
    });
    const { rows } = await harness.sql.query(
      `SELECT to_address FROM mails WHERE template = 'messageAcknowledged' AND to_address ILIKE 'victim%'`,
    );
    expect(rows).toEqual([{ to_address: body.emailAddress }]);
  });

  test('a reply reaches the sender, with their message below it', async () => {
    const body = {
      fullName: 'Grace Hopper',
      emailAddress: 'grace@example.com',
      subject: 'Rankings',
      message: 'Can you help?\n<b>Please</b>',
      messageStatus: 'UnRead' as const,
    };
    const { _id: id } = await client.call(messagingContract.addMessage, { body }, { actor: visitor });
    const text = 'Dear Grace,\n\nYes: <i>gladly</i>.';
    await client.call(messagingContract.replyToMessage, { id, text }, { actor: actors.admin });
    const mail = await eventually(() =>
      harness.mail.newest({ to: 'grace@example.com', subject: 'Re: Rankings' }),
    );
    expect(mail.text).toContain('Dear Grace,\n\nYes: <i>gladly</i>.');
    expect(mail.text).toContain('> Can you help?\n> <b>Please</b>');
    expect(mail.html).not.toMatch(/<[ib]>/);
    await eventually(async () => {
      const { thread } = await client.call(messagingContract.getMessage, { id }, { actor: actors.admin });
      expect(thread).toMatchObject([{ mail: { state: 'sent' } }]);
    });
  });

  fullTest(
    'a flood of messages causes at most sixty mails an hour to each admin, and sixty to all senders together',
    async () => {
      const body = {
        fullName: 'Eve',
        emailAddress: 'eve@example.com',
        subject: 'Again',
        message: 'And again',
      };
      const ids: string[] = [];
      for (let n = 0; n < 65; n += 1) {
        const { _id: id } = await client.call(
          messagingContract.addMessage,
          { body: { ...body, emailAddress: `eve-${n}@example.com`, messageStatus: 'UnRead' } },
          { actor: visitor },
        );
        ids.push(id);
      }
      await eventually(async () => {
        const { rows } = await harness.sql.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM consumed_events consumed
         JOIN outbox_messages message ON message.id::text = consumed.event_id::text
         WHERE consumed.consumer = 'notices' AND message.payload->>'messageId' = ANY ($1)`,
          [ids],
        );
        expect(rows).toEqual([{ count: ids.length }]);
      });
      const { rows } = await harness.sql.query(
        `SELECT to_address, count(*)::int AS mails FROM mails WHERE template = 'messageReceived' GROUP BY 1 ORDER BY 1`,
      );
      expect(rows).toEqual(admins.map((to) => ({ to_address: to, mails: 60 })));
      const acknowledged = await harness.sql.query(
        `SELECT 1 FROM mails WHERE template = 'messageAcknowledged'`,
      );
      expect(acknowledged.rowCount).toBe(60);
      await harness.mail.clear();
    },
  );

  const orderMails: [AdminNotification, string, object, string][] = [
    ['newOrders', 'orders.placed', {}, 'New order #1042: Basic'],
    ['payments', 'orders.paid', {}, 'Paid: order #1042, Basic'],
    ['refunds', 'orders.paid', { reason: 'dispute_closed' }, 'Dispute closed: order #1042, Basic for'],
    ['refunds', 'orders.refunded', { amount: '10.05' }, 'Refund of $10.05: order #1042'],
    ['refunds', 'payments.flagged', { flags: ['refunded'] }, 'Payment needs attention'],
    ['refunds', 'payments.flagged', { flags: ['disputed'] }, 'Payment needs attention'],
    ['refunds', 'payments.flagged', { flags: ['case_opened'] }, 'Payment needs attention'],
    ['reviews', 'payments.flagged', { flags: ['paid_after_cancel'] }, 'Payment needs attention'],
  ];

  test.each(orderMails)(
    '%s: %s %j is mailed once to each admin who wants it, however often the event arrives',
    async (notification, event, more, subject) => {
      await harness.mail.clear();
      const since = await harness.now();
      muted = { [admins[1]!]: [notification] };
      const payload = { orderId: order._id, accountId: order.accountId, version: 1, ...more };
      const id = randomUUID();
      for (let delivery = 1; delivery <= 3; delivery++) await harness.publish({ event, payload }, id);
      const { text, html } = await eventually(() => harness.mail.newest({ to: admins[0], subject }));
      expect(text).toContain(`/admin/payment-status/${order._id}`);
      expect(html).not.toContain('<x@y.z>');
      await harness.untilHandled(event.split('.')[0]!);
      const stored = await harness.sql.query(
        `SELECT to_address FROM mails WHERE about = $1 AND to_address = ANY ($2) AND created_at >= $3`,
        [order._id, admins, since],
      );
      expect(stored.rows).toEqual([{ to_address: admins[0] }]);
      muted = {};
    },
  );

  test('a mail about a dispute and something else is sent to admins who want mails about either, once to each', async () => {
    await harness.mail.clear();
    const since = await harness.now();
    muted = { [admins[0]!]: ['refunds'], [admins[1]!]: ['reviews'] };
    const both = ['disputed', 'override_disagrees'];
    await publish('payments.flagged', { flags: both });
    for (const to of admins)
      await eventually(() => harness.mail.newest({ to, subject: 'Payment needs attention' }));
    muted = {};
    await publish('payments.flagged', { flags: both });
    await harness.untilHandled('payments');
    muted = Object.fromEntries(admins.map((email) => [email, ['refunds', 'reviews']]));
    await publish('payments.flagged', { flags: both });
    await harness.untilHandled('payments');
    muted = {};
    const { rows } = await harness.sql.query(
      `SELECT to_address, count(*)::int AS mails FROM mails WHERE template = 'paymentFlagged' AND created_at >= $1 GROUP BY 1 ORDER BY 1`,
      [since],
    );
    expect(rows).toEqual(admins.map((to) => ({ to_address: to, mails: 2 })));
  });

  test('admins get no mail about a paid order if an admin set it to Paid, or if the money came after it was cancelled', async () => {
    const since = await harness.now();
    await publish('orders.paid', { reason: 'admin' });
    await publish('orders.paid', { reason: 'payment_after_cancel' });
    await harness.untilHandled('orders');
    const { rows } = await harness.sql.query(
      `SELECT 1 FROM mails WHERE template = 'adminOrderPaid' AND created_at >= $1`,
      [since],
    );
    expect(rows).toEqual([]);
  });

  test('every admin gets a mail when another PayPal account is to receive payments, whatever mails admins have switched off', async () => {
    await harness.mail.clear();
    const all = Object.keys(adminNotifications) as AdminNotification[];
    muted = Object.fromEntries(admins.map((email) => [email, all]));
    const payload = { receiver: 'thief@example.com', formerReceiver: 'shop@example.com', by: admins[0] };
    await harness.publish({ event: 'payments.receiverChanged', payload });
    for (const to of admins) {
      const { text } = await eventually(() => harness.mail.newest({ to, subject: 'receives payments' }));
      expect(text).toMatch(/thief@example\.com[^]*shop@example\.com[^]*admin@northrank\.example/);
    }
    muted = {};
  });

  test('the removal of an admin is mailed to the remaining admins and to the removed one', async () => {
    await harness.mail.clear();
    const removedEmail = 'removed@example.com';
    const payload = {
      change: 'deleted',
      userEmail: removedEmail,
      formerEmail: null,
      removedEmail,
      by: admins[1],
    };
    await harness.publish({ event: 'identity.adminListChanged', payload });
    for (const to of [...admins, removedEmail]) {
      const { text } = await eventually(() => harness.mail.newest({ to, subject: 'The admins of' }));
      expect(text).toContain(`${removedEmail} is no longer an admin.`);
    }
  });

  test('many orders cause at most twenty mails an hour to each admin', async () => {
    await harness.sql.query(`DELETE FROM recipient_mails`);
    await harness.sql.query(`DELETE FROM mails WHERE template = 'adminOrderPlaced'`);
    for (let number = 1; number <= 25; number++) await publish('orders.placed');
    await harness.untilHandled('orders');
    const { rows } = await harness.sql.query(
      `SELECT to_address, count(*)::int AS mails FROM mails WHERE template = 'adminOrderPlaced' GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual(admins.map((to) => ({ to_address: to, mails: 20 })));
    await harness.mail.clear();
  });

  test('a mail that is switched off is not sent; a customized mail has the admin’s text', async () => {
    await harness.addContent('mailText', { mail: 'Order delivered', send: 'No' });
    await harness.addContent('mailText', {
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
    const since = await harness.now();
    await publish('orders.delivered');
    const toCustomer = () => harness.mail.list({ to: order.customerEmail });
    // The wording is read again at most a second later, so try until the change has taken effect.
    await eventually(async () => {
      const { length } = await toCustomer();
      await publish('orders.paid');
      await eventually(async () => expect((await toCustomer()).length).toBeGreaterThan(length));
      const mail = await harness.mail.newest({ to: order.customerEmail, subject: 'Cheers' });
      expect(mail.text).toContain('Own words for 290.00. {unknown} stays.');
      expect(mail.headers.map(({ name }) => name)).not.toContain('bcc');
    });
    await harness.untilHandled('orders');
    const { rows } = await harness.sql.query(
      `SELECT 1 FROM mails WHERE template = 'orderDelivered' AND created_at >= $1`,
      [since],
    );
    expect(rows).toEqual([]);
  });

  test('an admin sees the mails about one order, newest first', async () => {
    // Mails about the order may still be on their way.
    await eventually(async () => {
      const { rows } = await harness.sql.query<{ id: string }>(
        'SELECT id FROM mails WHERE about = $1 ORDER BY created_at DESC, id DESC',
        [order._id],
      );
      expect(rows.length).toBeGreaterThan(1);
      const listed = await client.call(mailContract.listMails, { about: order._id }, { actor: actors.admin });
      expect(listed).toMatchObject({ total: rows.length, items: rows.map(({ id }) => ({ _id: id })) });
    });
  });

  test('an admin sees the state of each mail, and can resend it unless its one-time link has been removed', async () => {
    const actor = actors.admin;
    const { items, total } = await client.call(mailContract.listMails, { search: 'refunded' }, { actor });
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
    const again = await client.call(mailContract.resendMail, { id: mail!._id }, { actor });
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
    const refused = client.call(mailContract.resendMail, { id }, { actor });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    const unknown = client.call(mailContract.resendMail, { id: 'nothing' }, { actor });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await client.call(mailContract.getMailStatus, {}, { actor })).toMatchObject({
      on: true,
      from: 'hello@northrank.example',
      failed: 0,
    });
  });

  test('a bounce is recorded if its report has the right token; the mail server has to repeat a report that came before the mail was recorded as sent', async () => {
    const to = 'gone@example.com';
    const id = await harness.request({ template: 'passwordChanged', params: {}, to });
    await eventually(async () => expect(await harness.row(id)).toMatchObject({ state: 'sent' }));
    const dsn = `To: bounces+${id.replaceAll('-', '')}@northrank.example\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 gone\r\n`;
    const report = Buffer.from(dsn).toString('base64');
    const sendReport = (token: string) =>
      client.call(mailContract.reportBounce, { token, report }, { actor: visitor });
    await expect(sendReport('an outsider’s guess')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const setState = (state: string) =>
      harness.sql.query(
        `UPDATE mails SET state = $2, next_attempt_at = now() + interval '1 hour' WHERE id = $1`,
        [id, state],
      );
    await setState('sending');
    await expect(sendReport(bounceToken)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await setState('sent');
    expect(await sendReport(bounceToken)).toEqual({ bounced: true });
    expect(await sendReport(bounceToken)).toEqual({ bounced: false });
    expect(await harness.row(id)).toMatchObject({ state: 'failed', answer: 'smtp; 550 gone' });
  });
});
