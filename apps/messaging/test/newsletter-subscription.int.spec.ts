import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import type { Type } from '@nestjs/common';
import {
  mailContract,
  messagingContract,
  newsletterConsent,
  subscriberImportContract,
  type SubscriberRecord,
} from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { RpcClient } from '#libs/transport';
import { createLogger, type RunningService } from '#libs/platform';
import { DeletedRecordRepository } from '../deleted/deleted-record.repository.js';
import { confirmToken, unsubscribeToken } from '../subscriber/newsletter-links.js';
import { DeletedSubscriberRepository } from '../subscriber/deleted-subscriber.repository.js';
import { SubscriberRepository } from '../subscriber/subscriber.repository.js';
import { SuppressionService } from '../subscriber/suppression.service.js';
import { MailHarness } from './mail.harness.js';

const { admin, visitor } = actors;
const bounceToken = 'a token of the settings';
const eventsSecret = 'a secret of more than thirty-two characters';

let harness: MailHarness;
let messaging: RunningService;
let client: RpcClient;

beforeAll(async () => {
  harness = await MailHarness.open();
  messaging = await harness.start({
    MAIL_RETURN_PATH: 'bounces@northrank.example',
    MAIL_BOUNCE_TOKEN: bounceToken,
    MAIL_EVENTS_SECRET: eventsSecret,
  });
  client = new RpcClient({
    redisUrl: harness.redisUrl,
    caller: 'test',
    logger: createLogger('test', 'fatal'),
  });
  await client.connect();
});
afterAll(async () => {
  await client?.close();
  await harness?.close();
});
beforeEach(() =>
  harness.sql.query('DELETE FROM subscribers; DELETE FROM mails; DELETE FROM recipient_mails'),
);
afterEach(() => harness.mail.behave());

const signUp = (email: string, ip = '198.51.100.7') =>
  client.call(messagingContract.addSubscriber, { body: { email }, ip }, { actor: visitor });
/** In the request, `link` is the kind of the link; in the answer, its state. */
const view = (token: string, kind: 'confirm' | 'unsubscribe' = 'confirm') =>
  client.call(messagingContract.getNewsletterSubscription, { link: kind, token }, { actor: visitor });
const confirm = (token: string) =>
  client.call(messagingContract.confirmSubscription, { token, ip: '203.0.113.9' }, { actor: visitor });
const unsubscribe = (token: string) =>
  client.call(messagingContract.unsubscribe, { token }, { actor: visitor });
const subscribeAgain = (token: string) =>
  client.call(messagingContract.subscribeAgain, { token }, { actor: visitor });
const recordOf = async (email: string): Promise<SubscriberRecord> =>
  (await client.call(messagingContract.listSubscribers, { search: email }, { actor: admin })).items[0]!;

async function remove(email: string): Promise<void> {
  const { _id: id } = await recordOf(email);
  await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
}

/** The token in the newest confirmation mail to this address. */
async function tokenFor(email: string): Promise<string> {
  const mail = await eventually(() => harness.mail.newest({ to: email }));
  return /confirm-subscription\?token=([\w-]+)/.exec(mail.text)![1]!;
}

async function countConfirmationMailsTo(email: string): Promise<number> {
  const { rows } = await harness.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM mails WHERE template = 'confirmSubscription' AND to_address = $1`,
    [email],
  );
  return rows[0]!.count;
}

const daysPass = (days: number) =>
  harness.sql.query(`UPDATE recipient_mails SET sent_at = sent_at - $1 * interval '1 day'`, [days]);

/** Returns the token to unsubscribe. */
async function subscribe(email: string): Promise<string> {
  await signUp(email);
  return (await confirm(await tokenFor(email))).unsubscribeToken!;
}

test('a sign-up sends a confirmation mail; the link in the mail confirms the subscription, and a second confirmation changes nothing', async () => {
  await signUp('ada@example.com');
  const mail = await eventually(() => harness.mail.newest({ to: 'ada@example.com' }));
  expect(mail.text).toContain(newsletterConsent);
  expect(await recordOf('ada@')).toMatchObject({
    status: 'pending',
    consent: { source: 'form', text: newsletterConsent, ip: '198.51.100.7' },
    confirmedAt: null,
  });
  const token = await tokenFor('ada@example.com');
  const open = {
    ...{ emailMasked: 'a***@example.com', status: 'pending', link: 'open', unsubscribeToken: null },
    consent: newsletterConsent,
  };
  expect([await view(token), await view(token)]).toEqual([open, open]);
  const done = { ...open, status: 'subscribed', link: 'done', unsubscribeToken: expect.any(String) };
  expect(await confirm(token)).toEqual(done);
  const first = await recordOf('ada@');
  expect(first).toMatchObject({ status: 'subscribed', confirmedIp: '203.0.113.9' });
  expect([await confirm(token), await view(token)]).toEqual([done, done]);
  expect(await recordOf('ada@')).toEqual(first);
  // The link's token is removed once the mail has been sent.
  await eventually(async () => {
    const { rows } = await harness.sql.query<{ state: string; params: object }>(
      'SELECT state, params FROM mails',
    );
    expect(rows).toMatchObject([{ state: 'sent' }]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

test('however often the form is sent, an address gets at most one mail a day, and three in 90 days', async () => {
  const bomb = () => Promise.all(Array.from({ length: 8 }, () => signUp('Victim@example.com')));
  await bomb();
  expect(await countConfirmationMailsTo('Victim@example.com')).toBe(1);
  for (const [days, mails] of [
    [0.9, 1],
    [0.2, 2],
    [1, 3],
    [1, 3],
    [30, 3],
    [60, 4],
    [1, 5],
  ] as const) {
    await daysPass(days);
    await bomb();
    expect([days, await countConfirmationMailsTo('Victim@example.com')]).toEqual([days, mails]);
  }
});

test('deleting the record or spelling the address differently causes no more mails', async () => {
  await signUp('victim@example.com');
  const { _id: id } = await recordOf('victim@');
  await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
  for (const address of ['victim@example.com', 'victim+1@example.com', 'Victim+2@Example.com']) {
    await signUp(address);
    expect([address, await countConfirmationMailsTo(address)]).toEqual([
      address,
      address === 'victim@example.com' ? 1 : 0,
    ]);
  }
});

test('subscribed addresses get no further confirmation mail; those that unsubscribed and subscribe again do', async () => {
  const leaveToken = await subscribe('bea@example.com');
  const firstToken = await tokenFor('bea@example.com');
  await signUp('bea@example.com');
  expect(await countConfirmationMailsTo('bea@example.com')).toBe(1);
  expect((await recordOf('bea@')).status).toBe('subscribed');

  expect(await view(leaveToken, 'unsubscribe')).toMatchObject({ status: 'subscribed' });
  expect([await unsubscribe(leaveToken), await unsubscribe(leaveToken)]).toMatchObject([
    { status: 'unsubscribed' },
    { status: 'unsubscribed' },
  ]);
  expect(await recordOf('bea@')).toMatchObject({
    status: 'unsubscribed',
    unsubscribedAt: expect.any(String),
  });
  expect(await confirm(firstToken)).toMatchObject({ status: 'unsubscribed', link: 'used' });

  await subscribeAgain(leaveToken);
  await eventually(async () => expect(await harness.mail.list({ to: 'bea@example.com' })).toHaveLength(2));
  expect(await confirm(firstToken)).toMatchObject({ status: 'pending', link: 'used' });
  expect(await confirm(await tokenFor('bea@example.com'))).toMatchObject({ status: 'subscribed' });
  // The links of old newsletters still work.
  expect(await unsubscribe(leaveToken)).toMatchObject({ status: 'unsubscribed' });
});

test('a deleted subscriber whom an admin can still restore can unsubscribe, and stays unsubscribed when restored', async () => {
  const leaveToken = await subscribe('dora@example.com');
  const { _id: id } = await recordOf('dora@');
  await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
  expect(await view(leaveToken, 'unsubscribe')).toMatchObject({ emailMasked: 'd***@example.com' });
  expect([await unsubscribe(leaveToken), await unsubscribe(leaveToken)]).toMatchObject([
    { status: 'unsubscribed' },
    { status: 'unsubscribed' },
  ]);
  const forged = `${leaveToken.slice(0, -1)}${leaveToken.endsWith('A') ? 'B' : 'A'}`;
  await expect(unsubscribe(forged)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { done } = await client.call(messagingContract.restoreSubscribers, { ids: [id] }, { actor: admin });
  expect(done).toEqual([id]);
  expect(await recordOf('dora@')).toMatchObject({
    status: 'unsubscribed',
    unsubscribedAt: expect.any(String),
    confirmedAt: expect.any(String),
  });
  expect(await unsubscribe(leaveToken)).toMatchObject({ status: 'unsubscribed' });
});

test('a deleted subscriber whom an admin can still restore can subscribe again after unsubscribing, with a confirmation', async () => {
  const leaveToken = await subscribe('finn@example.com');
  const { _id: id } = await recordOf('finn@');
  await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
  // The deleted record is still subscribed, so restoring it would subscribe the person without a confirmation.
  await expect(subscribeAgain(leaveToken)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await unsubscribe(leaveToken);
  expect(await subscribeAgain(leaveToken)).toMatchObject({ status: 'pending' });
  expect(await view(leaveToken, 'unsubscribe')).toMatchObject({ status: 'pending' });
  await eventually(async () => expect(await harness.mail.list({ to: 'finn@example.com' })).toHaveLength(2));
  expect(await confirm(await tokenFor('finn@example.com'))).toMatchObject({ status: 'subscribed' });
  expect(await recordOf('finn@')).toMatchObject({ _id: id, status: 'subscribed' });
});

test('the old link of a deleted subscriber whose address has signed up again leads to the new subscription', async () => {
  const leaveToken = await subscribe('gina@example.com');
  const { _id: id } = await recordOf('gina@');
  await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
  await unsubscribe(leaveToken);
  await signUp('gina@example.com');
  await eventually(async () => expect(await harness.mail.list({ to: 'gina@example.com' })).toHaveLength(2));
  await confirm(await tokenFor('gina@example.com'));
  expect(await subscribeAgain(leaveToken)).toMatchObject({ status: 'subscribed' });
  expect((await recordOf('gina@'))._id).not.toBe(id);
});

/** Returns the reasons of the refused rows. */
async function importAddresses(...emails: string[]): Promise<string[]> {
  const description = { name: 'old-list.csv', consent: 'At the fair.', rows: emails.length };
  const options = { actor: admin };
  const { _id: id } = await client.call(subscriberImportContract.beginImport, description, options);
  const rows = emails.map((text, index) => ({ line: index + 1, text }));
  await client.call(subscriberImportContract.importRows, { id, rows, last: true }, options);
  const { refusals } = await client.call(subscriberImportContract.getSubscriberImport, { id }, options);
  return refusals.map(({ reason }) => reason);
}

test('the old link of a deleted subscriber whose address was imported again unsubscribes the address, each time', async () => {
  const leaveToken = await subscribe('hugo@example.com');
  const { _id: id } = await recordOf('hugo@');
  await remove('hugo@');
  expect(await importAddresses('Hugo@example.com')).toEqual([]);
  expect(await view(leaveToken, 'unsubscribe')).toMatchObject({ status: 'subscribed' });
  expect(await unsubscribe(leaveToken)).toMatchObject({ status: 'unsubscribed' });
  const added = await recordOf('hugo@');
  expect(added).toMatchObject({ status: 'unsubscribed', unsubscribedAt: expect.any(String) });
  expect(added._id).not.toBe(id);

  expect(await subscribeAgain(leaveToken)).toMatchObject({ status: 'pending' });
  await harness.sql.query(`UPDATE subscribers SET status = 'subscribed'`);
  expect(await unsubscribe(leaveToken)).toMatchObject({ status: 'unsubscribed' });
  expect((await recordOf('hugo@')).status).toBe('unsubscribed');
});

test('unsubscribing the new record of an address also unsubscribes its deleted one, which an admin can still restore', async () => {
  await subscribe('ines@example.com');
  const { _id: id } = await recordOf('ines@');
  await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
  expect(await importAddresses('ines@example.com')).toEqual([]);
  const { rows } = await harness.sql.query<{ id: string; linkSecret: string }>(
    'SELECT id, link_secret AS "linkSecret" FROM subscribers',
  );
  await unsubscribe(unsubscribeToken(rows[0]!));
  await client.call(messagingContract.deleteSubscriber, { id: rows[0]!.id }, { actor: admin });
  await client.call(messagingContract.restoreSubscribers, { ids: [id] }, { actor: admin });
  expect(await recordOf('ines@')).toMatchObject({ _id: id, status: 'unsubscribed' });
});

test('an import refuses the address of a deleted subscriber who had unsubscribed or was suppressed, while they can still be restored', async () => {
  const emails = ['jo', 'kai', 'lou'].map((name) => `${name}@example.com`);
  for (const [index, status] of ['subscribed', 'unsubscribed', 'suppressed'].entries()) {
    await subscribe(emails[index]!);
    await harness.sql.query('UPDATE subscribers SET status = $2 WHERE email = $1', [emails[index], status]);
    await remove(emails[index]!);
  }
  expect(await importAddresses(...emails)).toEqual(['unsubscribed', 'suppressed']);
  expect((await recordOf(emails[0]!)).status).toBe('subscribed');
  expect(await recordOf(emails[1]!)).toBeUndefined();
});

test('an import adds the address of a deleted subscriber who had unsubscribed only if they have confirmed since', async () => {
  const [confirmed, notConfirmed, deletedOnlyLater] = ['mia', 'nils', 'olga'].map(
    (name) => `${name}@example.com`,
  ) as [string, string, string];
  for (const email of [confirmed, notConfirmed, deletedOnlyLater]) {
    await unsubscribe(await subscribe(email));
    if (email !== deletedOnlyLater) await remove(email);
    await signUp(email);
    await eventually(async () => expect(await harness.mail.list({ to: email })).toHaveLength(2));
    if (email === confirmed) await confirm(await tokenFor(email));
    await remove(email);
  }
  expect(await importAddresses(confirmed, notConfirmed, deletedOnlyLater)).toEqual([
    'unsubscribed',
    'unsubscribed',
  ]);
  expect((await recordOf(confirmed)).status).toBe('subscribed');
});

async function untilSomethingWaitsForALock(): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await harness.sql.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(1);
  });
}

/** `work` starts after `first`, waits for what `first` has locked, and must not have locked what `next` needs. */
async function between<T>(
  first: (tx: EntityManager) => Promise<unknown>,
  work: () => Promise<T>,
  next: (tx: EntityManager) => Promise<unknown> = async () => undefined,
) {
  const { working } = await messaging.app.get(DataSource).transaction(async (tx) => {
    await first(tx);
    const working = work();
    await untilSomethingWaitsForALock();
    await tx.query(`SET LOCAL lock_timeout = '100ms'`);
    await next(tx);
    // In an object, because a returned promise would be awaited before the commit.
    return { working };
  });
  return working;
}

const get = <T>(type: Type<T>) => messaging.app.get(type, { strict: false });
const lockDeleted = (id: string) => (tx: EntityManager) =>
  tx.query('SELECT FROM deleted_records WHERE id = $1 FOR UPDATE', [id]);
const suppress = (address: string) =>
  get(DataSource).transaction((tx) => get(SuppressionService).suppress(tx, address, 'Gone'));
const insertInto = (address: string) => (tx: EntityManager) =>
  get(SubscriberRepository).insertImported(tx, randomUUID(), 'At the fair.', [address]);

test('an import refuses the address of an unsubscribed person whose deletion is not committed yet', async () => {
  await unsubscribe(await subscribe('pia@example.com'));
  const { _id: id } = await recordOf('pia@');
  const moveToDeleted = (tx: EntityManager) => get(DeletedRecordRepository).moveFrom(tx, 'subscribers', [id]);
  expect(await between(moveToDeleted, () => importAddresses('pia@example.com'))).toEqual(['unsubscribed']);
  expect(await recordOf('pia@')).toBeUndefined();
});

describe('do not deadlock:', () => {
  test('an import and the undo of several deletions, which lock the deleted records in the same order', async () => {
    const emails = ['quinn@example.com', 'rosa@example.com'];
    for (const email of emails) await subscribe(email);
    const { rows } = await harness.sql.query<{ id: string; email: string }>(
      'SELECT id, email FROM subscribers ORDER BY id',
    );
    // So that the order of the deletions is not that of the ids.
    for (const { email } of rows.toReversed()) await remove(email);
    const ids = rows.map(({ id }) => id);
    const restore = (tx: EntityManager) => get(DeletedRecordRepository).restore(tx, 'subscribers', ids);
    const importAll = () => importAddresses(...emails);
    expect(await between(lockDeleted(ids[0]!), importAll, restore)).toEqual(['subscribed', 'subscribed']);
    expect(await recordOf(rows[0]!.email)).toMatchObject({ _id: ids[0], status: 'subscribed' });
  });

  test('two imports, which add addresses in the same order', async () => {
    const emails = ['rosa@example.com', 'quinn@example.com'];
    expect(
      await between(insertInto(emails[1]!), () => importAddresses(...emails), insertInto(emails[0]!)),
    ).toEqual(['subscribed', 'subscribed']);
  });

  test('an import and a suppression, which changes the deleted record before the listed one', async () => {
    const email = 'sven@example.com';
    await subscribe(email);
    const { _id: deletedId } = await recordOf('sven@');
    await remove(email);
    expect(await importAddresses(email)).toEqual([]);
    expect(await between(lockDeleted(deletedId), () => suppress(email), insertInto(email))).toBe(true);
    expect((await recordOf('sven@')).status).toBe('suppressed');
  });

  test('the unsubscription of a listed subscriber and a suppression, which both lock the listed record first', async () => {
    const email = 'tara@example.com';
    await subscribe(email);
    await remove(email);
    expect(await importAddresses(email)).toEqual([]);
    const lockListed = (tx: EntityManager) => get(SubscriberRepository).lockByAddress(tx, email);
    const unsubscribeDeleted = (tx: EntityManager) =>
      get(DeletedSubscriberRepository).unsubscribe(tx, email, new Date());
    expect(await between(lockListed, () => suppress(email), unsubscribeDeleted)).toBe(true);
  });
});

test('all records of an address are suppressed, also one whose deletion is not committed yet', async () => {
  const email = 'uma@example.com';
  await subscribe(email);
  await remove(email);
  expect(await importAddresses(email)).toEqual([]);
  const { _id: id } = await recordOf('uma@');
  const moveToDeleted = (tx: EntityManager) => get(DeletedRecordRepository).moveFrom(tx, 'subscribers', [id]);
  expect(await between(moveToDeleted, () => suppress(email))).toBe(true);
  const { rows } = await harness.sql.query(
    `SELECT record->>'status' AS status FROM deleted_records WHERE record->>'email' = $1`,
    [email],
  );
  expect(rows).toEqual([{ status: 'suppressed' }, { status: 'suppressed' }]);
});

test('an index serves a search for the deleted subscriber of an address', async () => {
  await harness.sql.query(`
    BEGIN;
    INSERT INTO deleted_records (source, id, record, deleted_at)
    SELECT 'subscribers', gen_random_uuid(), jsonb_build_object('email_normalized', 'person' || n || '@example.com'), now()
    FROM generate_series(1, 2500) AS n;
    ANALYZE deleted_records`);
  try {
    const { rows } = await harness.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM deleted_records
       WHERE source = 'subscribers' AND record->>'email_normalized' = 'person7@example.com'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('deleted_subscribers_by_address');
  } finally {
    await harness.sql.query('ROLLBACK');
  }
});

test('an expired link is reported as expired; a forged link, one of the wrong kind, and one of a permanently deleted subscriber are not found', async () => {
  await signUp('cleo@example.com');
  const token = await tokenFor('cleo@example.com');
  const { rows } = await harness.sql.query<{ id: string; linkSecret: string }>(
    'SELECT id, link_secret AS "linkSecret" FROM subscribers',
  );
  const old = confirmToken(rows[0]!, { round: 0, expiresAt: new Date(Date.now() - 1) });
  expect([await view(old), await confirm(old)]).toMatchObject([{ link: 'expired' }, { link: 'expired' }]);
  expect((await recordOf('cleo@')).status).toBe('pending');
  // Forged: the same link with a later expiry. In the token, the expiry begins at byte 20.
  const prolonged = Buffer.from(token, 'base64url');
  prolonged.writeUIntBE(Date.now() + 9e9, 20, 6);
  for (const unknown of [prolonged.toString('base64url'), unsubscribeToken(rows[0]!), '', 'x'.repeat(200)])
    await expect(confirm(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(unsubscribe(token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await harness.sql.query('DELETE FROM subscribers');
  await expect(confirm(token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('suppression', () => {
  test('an address that the mail server does not know is suppressed: it gets no mail, even after a new sign-up; an admin can lift the suppression', async () => {
    await harness.mail.misbehave({
      to: 'gone@example.com',
      refuse: { code: 550, text: '5.1.1 No such user here', at: 'rcpt' },
    });
    await signUp('gone@example.com');
    await eventually(async () =>
      expect(await recordOf('gone@')).toMatchObject({
        status: 'suppressed',
        suppressed: { reason: '550 5.1.1 No such user here' },
      }),
    );
    await daysPass(2);
    expect(await signUp('gone@example.com')).toMatchObject({ status: 'pending' });
    expect(await countConfirmationMailsTo('gone@example.com')).toBe(1);

    const { _id: id } = await recordOf('gone@');
    const lift = () => client.call(messagingContract.liftSuppression, { id }, { actor: admin });
    expect(await lift()).toMatchObject({ status: 'pending', suppressed: null });
    await expect(lift()).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  test.each([
    ['a message because our server is in a block list', 554, '5.7.1 Listed in a block list'],
    ['a message without saying why', 550, 'Refused'],
  ])('no address is suppressed when the mail server refuses %s', async (_, code, text) => {
    await harness.mail.misbehave({ to: 'dan@example.com', refuse: { code, text, at: 'data' } });
    await signUp('dan@example.com');
    await eventually(async () => {
      const { rows } = await harness.sql.query('SELECT state FROM mails');
      expect(rows).toEqual([{ state: 'failed' }]);
    });
    expect((await recordOf('dan@')).status).toBe('pending');
  });

  test('an address whose mail is accepted but bounces later is suppressed, too; unsubscribing while suppressed still takes effect', async () => {
    const leaveToken = await subscribe('eve@example.com');
    const mail = await harness.mail.newest({ to: 'eve@example.com' });
    await eventually(async () => {
      const { rows } = await harness.sql.query('SELECT state FROM mails');
      expect(rows).toEqual([{ state: 'sent' }]);
    });
    const report = `To: <${mail.from}>\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 No user\r\n`;
    const input = { token: bounceToken, report: Buffer.from(report).toString('base64') };
    await client.call(mailContract.reportBounce, input, { actor: visitor });
    expect(await recordOf('eve@')).toMatchObject({
      status: 'suppressed',
      suppressed: { reason: 'smtp; 550 No user' },
    });
    expect(await view(leaveToken, 'unsubscribe')).toMatchObject({ status: 'suppressed', link: 'open' });
    const unsubscribed = { status: 'suppressed', link: 'used' };
    expect([await unsubscribe(leaveToken), await unsubscribe(leaveToken)]).toMatchObject([
      unsubscribed,
      unsubscribed,
    ]);
    expect(await view(leaveToken, 'unsubscribe')).toMatchObject(unsubscribed);
    expect(await subscribeAgain(leaveToken)).toMatchObject(unsubscribed);
    const { _id: id, status } = await recordOf('eve@');
    expect(status).toBe('suppressed');
    const lifted = await client.call(messagingContract.liftSuppression, { id }, { actor: admin });
    expect(lifted.status).toBe('unsubscribed');
  });
});

test('the IP address of an admin who adds an address is not stored as evidence of consent', async () => {
  const request = { body: { email: 'ida@example.com' }, ip: '198.51.100.7' };
  await client.call(messagingContract.addSubscriber, request, { actor: admin });
  expect((await recordOf('ida@')).consent).toMatchObject({ source: 'admin', ip: null });
});

test('the consent text at sign-up is stored, regardless of later changes', async () => {
  const signUpWithConsent = async (newsletterConsent: string, email: string) => {
    await harness.addContent('newsletter', { newsletterHeading: 'Newsletter', newsletterConsent });
    await eventually(async () => {
      const { rows } = await harness.sql.query(
        `SELECT 1 FROM site_copies WHERE section = 'newsletter' AND body->>'newsletterConsent' = $1`,
        [newsletterConsent],
      );
      expect(rows).toHaveLength(1);
    });
    await signUp(email);
    await harness.sql.query(`UPDATE site_copies SET body = NULL WHERE section = 'newsletter'`);
    const mail = await eventually(() => harness.mail.newest({ to: email }));
    expect(mail.text).toContain(newsletterConsent);
    return tokenFor(email);
  };
  const weekly = await signUpWithConsent('Write to me every week.', 'fay@example.com');
  const monthly = await signUpWithConsent('Write to me once a month.', 'gus@example.com');
  expect([await view(weekly), await confirm(weekly), await confirm(monthly)]).toMatchObject([
    { link: 'open', consent: 'Write to me every week.' },
    { link: 'done', consent: 'Write to me every week.' },
    { link: 'done', consent: 'Write to me once a month.' },
  ]);
  expect((await recordOf('fay@')).consent).toMatchObject({ text: 'Write to me every week.' });
  expect((await recordOf('gus@')).consent).toMatchObject({ text: 'Write to me once a month.' });
});

describe('a provider that reports bounces and complaints', () => {
  const report = (events: unknown, secret = eventsSecret) => {
    const body = Buffer.from(JSON.stringify(events));
    const moment = Math.floor(Date.now() / 1_000);
    const mac = createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');
    const input = { signature: `t=${moment},v1=${mac}`, body: body.toString('base64') };
    return client.call(mailContract.reportMailEvents, input, { actor: visitor });
  };

  test('causes the suppression of addresses after a bounce or a complaint, once for each event', async () => {
    await subscribe('hal@example.com');
    await subscribe('ivy@example.com');
    const { messageId } = await harness.mail.newest({ to: 'hal@example.com' });
    await eventually(async () => {
      const { rows } = await harness.sql.query(`SELECT 1 FROM mails WHERE state = 'sent'`);
      expect(rows).toHaveLength(2);
    });
    const events = [
      { id: 'one', kind: 'bounce', messageId: messageId.slice(1, -1), reason: '550 5.1.1 No such user' },
      { id: 'two', kind: 'complaint', address: 'Ivy@example.com' },
      { id: 'three', kind: 'bounce', messageId: '<not-ours@example.com>', address: 'nobody@example.com' },
    ];
    expect(await report({ events })).toEqual({ applied: 2 });
    const suppressed = (reason: string) => ({ status: 'suppressed', suppressed: { reason } });
    expect(await recordOf('hal@')).toMatchObject(suppressed('550 5.1.1 No such user'));
    expect(await recordOf('ivy@')).toMatchObject(suppressed('The recipient reported the e-mail as spam.'));
    const { rows } = await harness.sql.query('SELECT state, answer FROM mails WHERE message_id = $1', [
      messageId,
    ]);
    expect(rows).toEqual([{ state: 'failed', answer: '550 5.1.1 No such user' }]);

    const { _id: id } = await recordOf('ivy@');
    await client.call(messagingContract.liftSuppression, { id }, { actor: admin });
    expect(await report({ events })).toEqual({ applied: 0 });
    expect((await recordOf('ivy@')).status).toBe('subscribed');
  });

  test('also causes the suppression of deleted subscribers, in case they are restored', async () => {
    await subscribe('kim@example.com');
    const { _id: id } = await recordOf('kim@');
    await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
    const events = [{ id: 'deleted', kind: 'complaint', address: 'Kim@example.com', reason: 'Spam.' }];
    expect(await report({ events })).toEqual({ applied: 1 });
    await client.call(messagingContract.restoreSubscribers, { ids: [id] }, { actor: admin });
    expect(await recordOf('kim@')).toMatchObject({ status: 'suppressed', suppressed: { reason: 'Spam.' } });
    const lifted = await client.call(messagingContract.liftSuppression, { id }, { actor: admin });
    expect(lifted.status).toBe('subscribed');
  });

  test('also stops mail to deleted subscribers who have unsubscribed: subscribing again is answered as for others', async () => {
    const answers: unknown[] = [];
    for (const isDeleted of [false, true]) {
      const email = isDeleted ? 'noa@example.com' : 'ned@example.com';
      const leaveToken = await subscribe(email);
      const { _id: id } = await recordOf(email);
      if (isDeleted) await client.call(messagingContract.deleteSubscriber, { id }, { actor: admin });
      await unsubscribe(leaveToken);
      const events = [{ id: `left ${email}`, kind: 'complaint', address: email }];
      expect(await report({ events })).toEqual({ applied: 1 });
      answers.push([await view(leaveToken, 'unsubscribe'), await subscribeAgain(leaveToken)]);
      expect(await recordOf(email)).toMatchObject({ _id: id, status: 'suppressed' });
      expect(await countConfirmationMailsTo(email)).toBe(1);
    }
    const stopped = { emailMasked: 'n***@example.com', status: 'suppressed', link: 'used' };
    expect(answers).toMatchObject([
      [stopped, stopped],
      [stopped, stopped],
    ]);
  });

  test('has to repeat an event whose mail is not recorded as sent yet; its other events take effect', async () => {
    await subscribe('lea@example.com');
    await subscribe('max@example.com');
    const { messageId } = await harness.mail.newest({ to: 'lea@example.com' });
    await eventually(async () => {
      const { rows } = await harness.sql.query(`SELECT 1 FROM mails WHERE state = 'sent'`);
      expect(rows).toHaveLength(2);
    });
    const setMailState = (state: string) =>
      harness.sql.query(
        `UPDATE mails SET state = $2, next_attempt_at = now() + interval '1 hour' WHERE message_id = $1`,
        [messageId, state],
      );
    const events = [
      { id: 'early', kind: 'bounce', messageId },
      { id: 'beside', kind: 'complaint', address: 'max@example.com' },
    ];
    for (const state of ['sending', 'queued']) {
      await setMailState(state);
      await expect(report({ events })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect((await recordOf('lea@')).status).toBe('subscribed');
      expect((await recordOf('max@')).status).toBe('suppressed');
    }
    await setMailState('sent');
    expect(await report({ events })).toEqual({ applied: 1 });
    expect((await recordOf('lea@')).status).toBe('suppressed');
    const { rows } = await harness.sql.query('SELECT state FROM mails WHERE message_id = $1', [messageId]);
    expect(rows).toEqual([{ state: 'failed' }]);
  });

  test('is authenticated by its signature, and gets errors for invalid events', async () => {
    const event = { id: 'forged', kind: 'complaint', address: 'a@example.com' };
    await expect(report({ events: [event] }, `${eventsSecret}?`)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    for (const [invalid, field] of [
      [{ events: [] }, 'events'],
      [{ events: [{ ...event, kind: 'soft' }] }, 'events.0.kind'],
      [{ events: [{ id: 'whose', kind: 'bounce' }] }, 'events.0.address'],
      [{ events: [{ ...event, more: 1 }] }, 'events.0.more'],
      ['no events', ''],
    ] as const) {
      await expect(report(invalid)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { fields: [{ field }] },
      });
    }
  });
});
