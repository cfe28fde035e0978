import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { campaignContract, mailContract, messagingContract } from '#libs/contracts';
import { actors, eventually, fullTest } from '#libs/testing';
import { campaignMailId } from '../campaign/campaign-mail-id.js';
import { DeliveryRepository } from '../delivery/delivery.repository.js';
import { CampaignHarness } from './campaign.harness.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bounceToken = 'a token of the mail server';

let harness: CampaignHarness;

/** Two replicas share the work. */
beforeAll(async () => {
  harness = await CampaignHarness.open();
  for (let replicas = 0; replicas < 2; replicas += 1)
    await harness.messaging.start({
      MAIL_CAMPAIGN_PER_MINUTE: '60000',
      MAIL_RETURN_PATH: 'bounces@northrank.example',
      MAIL_BOUNCE_TOKEN: bounceToken,
      DKIM_DOMAIN: 'northrank.example',
      DKIM_SELECTOR: 'mail',
      DKIM_PRIVATE_KEY: privateKey
        .export({ type: 'pkcs8', format: 'pem' })
        .toString()
        .replaceAll('\n', '\\n'),
    });
  await harness.messaging.addContent('footerAbout', {
    aboutFooterText: 'Northrank "&" <Söhne>',
    aboutFooterDetails: '',
  });
  await harness.messaging.addContent('footerAddress', { footeraddress: '1 Main Street, Oslo' });
  await eventually(async () => {
    const { rows } = await harness.messaging.sql.query('SELECT 1 FROM site_copies');
    expect(rows).toHaveLength(2);
  });
});
afterEach(async () => {
  await harness.messaging.mail.behave();
  await harness.deleteSubscribers();
});
afterAll(() => harness?.close());

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: { code?: string }) => error.code,
  );

/** The subscriber ids of this many queued mails of the campaign. */
async function queuedRecipients(id: string, count: number): Promise<string[]> {
  const { rows } = await harness.messaging.sql.query<{ subscriber_id: string }>(
    `SELECT subscriber_id FROM mails WHERE campaign_id = $1 AND state = 'queued' LIMIT $2`,
    [id, count],
  );
  expect(rows).toHaveLength(count);
  return rows.map((row) => row.subscriber_id);
}

async function untilNoneIsBeingSent(id: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await harness.messaging.sql.query(
      `SELECT 1 FROM mails WHERE campaign_id = $1 AND state = 'sending'`,
      [id],
    );
    expect(rows).toEqual([]);
  });
}

async function startAndPause(label: string): Promise<{ id: string; arrived: number }> {
  await harness.messaging.mail.misbehave({ to: `${label}-`, delayMs: 30 });
  const id = await harness.send();
  await eventually(async () => expect((await harness.arrivals(label)).length).toBeGreaterThan(3));
  await harness.call(campaignContract.pauseCampaign, { id });
  await untilNoneIsBeingSent(id);
  return { id, arrived: (await harness.arrivals(label)).length };
}

/** What cannot be done with a campaign that is scheduled or sent. */
const refusedActions = [
  'updateCampaign',
  'deleteCampaign',
  'pauseCampaign',
  'resumeCampaign',
  'sendCampaign',
] as const;

describe('a campaign', () => {
  test('begins as a draft that can be changed and deleted; a call with an old version is refused', async () => {
    const first = await harness.draft();
    expect(first).toMatchObject({ state: 'draft', version: 1, scheduledAt: null, startedAt: null });
    const body = { subject: 'December', preheader: '', body: 'Hello' };
    const { _id: id } = first;
    const changed = await harness.call(campaignContract.updateCampaign, { id, ...body, ifVersion: 1 });
    expect(changed).toMatchObject({ modified: true, record: { ...body, version: 2 } });
    expect(await harness.call(campaignContract.updateCampaign, { id, ...body })).toMatchObject({
      modified: false,
    });
    expect(await code(harness.call(campaignContract.updateCampaign, { id, ...body, ifVersion: 1 }))).toBe(
      'VERSION_MISMATCH',
    );
    for (const contract of [campaignContract.sendCampaign, campaignContract.deleteCampaign])
      expect(await code(harness.call(contract, { id, ifVersion: 1 }))).toBe('VERSION_MISMATCH');
    const { items } = await harness.call(campaignContract.listCampaigns, { limit: 1, search: 'DECEMBER' });
    expect(items).toMatchObject([{ _id: id, subject: 'December' }]);
    expect(items[0]).not.toHaveProperty('body');
    await harness.call(campaignContract.deleteCampaign, { id, ifVersion: 2 });
    expect(await code(harness.campaign(id))).toBe('NOT_FOUND');
    expect(await code(harness.campaign('x'))).toBe('NOT_FOUND');
  });

  test('waits for its scheduled time, and can become a draft again until then', async () => {
    const { _id: id } = await harness.draft();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await harness.call(campaignContract.sendCampaign, { id, at: later });
    expect(scheduled.record).toMatchObject({ state: 'scheduled', scheduledAt: later });
    for (const action of refusedActions) {
      const input = action === 'updateCampaign' ? { id, subject: 'x', body: 'x' } : { id };
      expect([action, await code(harness.call(campaignContract[action], input))]).toEqual([
        action,
        'INVALID_TRANSITION',
      ]);
    }
    const back = await harness.call(campaignContract.cancelCampaign, { id });
    expect(back.record).toMatchObject({ state: 'draft', scheduledAt: null });
    for (const at of ['2020-01-01T00:00:00Z', new Date(Date.now() + 400 * 86_400_000).toISOString()])
      expect(await code(harness.call(campaignContract.sendCampaign, { id, at }))).toBe('INVALID_INPUT');
    const soon = new Date(Date.now() + 5_000).toISOString();
    await harness.call(campaignContract.sendCampaign, { id, at: soon });
    const { startedAt, counts } = await harness.untilState(id, 'sent');
    expect(Date.parse(startedAt!)).toBeGreaterThanOrEqual(Date.parse(soon));
    expect(counts).toMatchObject({ recipients: 0, waiting: 0 });
    for (const action of [...refusedActions, 'cancelCampaign'] as const) {
      const input = action === 'updateCampaign' ? { id, subject: 'x', body: 'x' } : { id };
      expect(await code(harness.call(campaignContract[action], input))).toBe('INVALID_TRANSITION');
    }
  });

  test('can be sent as a test to the admin who asks for it', async () => {
    await harness.subscribe('untouched', 2);
    const { _id: id } = await harness.draft({ subject: 'A test of "words"' });
    const { to } = await harness.call(campaignContract.testCampaign, { id });
    expect(to).toBe(actors.admin.email);
    const { subject, html } = await eventually(() =>
      harness.messaging.mail.newest({ to, subject: '[Test] A test of "words"' }),
    );
    expect(subject).toBe('[Test] A test of "words"');
    expect(html).toContain('<strong>you</strong>');
    expect(await harness.arrivals('untouched')).toEqual([]);
  });

  test('can be sent as a test only to a confirmed address, at most 20 times an hour', async () => {
    const { _id: id } = await harness.draft();
    const unconfirmed = { actor: { ...actors.admin, emailVerified: false } };
    expect(await code(harness.client.call(campaignContract.testCampaign, { id }, unconfirmed))).toBe(
      'FORBIDDEN',
    );
    const actor = { ...actors.admin, email: 'another-admin@example.com' };
    const codes = [];
    for (let sent = 1; sent <= 21; sent++)
      codes.push(await code(harness.client.call(campaignContract.testCampaign, { id }, { actor })));
    expect(codes).toEqual([...Array<string>(20).fill('OK'), 'RATE_LIMITED']);
  });

  test('has a preview that equals the mail', async () => {
    await harness.subscribe('reader', 1);
    const content = { subject: 'Seen', preheader: 'Before', body: 'Hello *you*\n\n> quoted' };
    const preview = await harness.call(campaignContract.previewCampaign, content);
    await harness.untilState(await harness.send(content), 'sent');
    const arrived = await harness.messaging.mail.newest({ to: 'reader-' });
    const bare = (text: string) => text.replace(/\?token=[^"\s]*/g, '').replace(/\s+/g, ' ');
    expect(bare(arrived.html)).toBe(bare(preview.html));
    expect(bare(arrived.text)).toBe(bare(preview.text));
    expect(arrived.subject).toBe(preview.subject);
  });
});

describe('a campaign that is being sent', () => {
  const subject = 'Növember\u202e =cmd|calc "quoted" <b>&amp; Bcc: evil@example.com';

  test('reaches every subscriber once, with one-click unsubscribing', async () => {
    const count = 200;
    const ids = await harness.subscribe('crowd', count);
    for (const status of ['pending', 'unsubscribed', 'suppressed'])
      await harness.subscribe(`crowd-${status}`, 2, status);
    const id = await harness.send({ subject });
    const { counts, finishedAt } = await harness.untilState(id, 'sent');
    expect(counts).toEqual({
      ...{ recipients: count, sent: count, waiting: 0, failed: 0 },
      ...{ leftOut: 0, bounced: 0, unsubscribed: 0 },
    });
    expect(finishedAt).not.toBeNull();
    const caught = await harness.arrivals('crowd');
    expect(caught).toHaveLength(count);
    const mails = await harness.call(mailContract.listMails, { campaign: id, limit: 2 });
    expect([mails.total, mails.items.length]).toEqual([count, 2]);
    expect(mails.items[0]).toMatchObject({ campaignId: id, state: 'sent', resendable: false });
    expect(new Set(caught).size).toBe(count);

    const mail = await harness.messaging.mail.newest({ to: 'crowd-7@' });
    const header = (name: string) =>
      mail.headers.filter((one) => one.name === name).map(({ value }) => value);
    expect(mail.subject).toBe(subject);
    expect(header('bcc')).toEqual([]);
    expect(header('to')).toEqual(['crowd-7@example.com']);
    expect(header('message-id')).toEqual([`<${campaignMailId(id, ids[6]!)}@northrank.example>`]);
    expect(Date.parse(header('date')[0]!)).toBeGreaterThan(Date.now() - 600_000);
    expect(header('precedence')).toEqual(['bulk']);
    expect(header('list-id')).toEqual(['<newsletter.northrank.example>']);
    expect(header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
    const [link] = header('list-unsubscribe');
    expect(link).toMatch(
      /^<https:\/\/northrank\.example\/unsubscribe\?token=[\w-]{64}&campaign=[\da-f-]{36}>$/,
    );
    const [signature] = header('dkim-signature');
    for (const name of ['list-unsubscribe', 'list-unsubscribe-post', 'message-id', 'subject', 'list-id'])
      expect(signature!.replace(/\s/g, '').toLowerCase()).toMatch(new RegExp(`[=:]${name}[:;]`));
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('1 Main Street, Oslo');
      expect(part.replaceAll('&#38;', '&')).toContain(link!.slice(1, -1));
    }
    expect(mail.html).toContain('What is new in November');
    expect(mail.html).not.toContain('<b>');
    expect(mail.text).toContain('Read on (https://northrank.example/pricing)');
  });

  test('can be paused, lets other mail pass, and continues where it was', async () => {
    const count = 80;
    await harness.subscribe('pause', count);
    const { id, arrived } = await startAndPause('pause');
    expect(arrived).toBeLessThan(count);
    expect(await harness.campaign(id)).toMatchObject({ state: 'paused', counts: { sent: arrived } });
    // Their age is no reason for an alert.
    await harness.messaging.sql.query(
      `UPDATE mails SET created_at = created_at - interval '1 day' WHERE campaign_id = $1 AND state = 'queued'`,
      [id],
    );
    const { waiting, oldestAgeSeconds } = await harness.call(mailContract.getMailStatus, {});
    expect(waiting).toBeGreaterThan(0);
    expect(oldestAgeSeconds).toBeLessThan(60 * 60);
    // Another mail is sent; those of the campaign stay in the queue.
    const to = 'meanwhile@example.com';
    await harness.messaging.request({ template: 'passwordChanged', params: {}, to });
    await eventually(() => harness.messaging.mail.newest({ to }));
    expect(await harness.arrivals('pause')).toHaveLength(arrived);
    expect(await code(harness.call(campaignContract.pauseCampaign, { id }))).toBe('INVALID_TRANSITION');
    await harness.messaging.mail.behave();
    await harness.call(campaignContract.resumeCampaign, { id });
    const { counts } = await harness.untilState(id, 'sent');
    expect(counts).toMatchObject({ recipients: count, sent: count });
    expect(new Set(await harness.arrivals('pause')).size).toBe(count);
    expect(await harness.arrivals('pause')).toHaveLength(count);
  });

  test('that is resumed after a long pause tries a deferred mail again, and gives it up only when the resumption is long ago', async () => {
    const [recipient] = await harness.subscribe('deferred', 1);
    const refuse = { code: 451, text: '4.7.1 Try again later', at: 'rcpt' } as const;
    await harness.messaging.mail.misbehave({ to: 'deferred-', refuse });
    const id = await harness.send();
    const { sql } = harness.messaging;
    const row = async () => (await harness.messaging.row(campaignMailId(id, recipient!)))!;
    await eventually(async () => expect(await row()).toMatchObject({ answer: '451 4.7.1 Try again later' }));
    await harness.call(campaignContract.pauseCampaign, { id });
    await untilNoneIsBeingSent(id);
    const { attempts } = await row();
    // As if the first attempt had been three days ago.
    await sql.query(
      `UPDATE mails SET dated_at = dated_at - interval '3 days', created_at = created_at - interval '3 days'
       WHERE campaign_id = $1`,
      [id],
    );
    await harness.call(campaignContract.resumeCampaign, { id });
    // The pause is no reason for an alert.
    const { oldestAgeSeconds } = await harness.call(mailContract.getMailStatus, {});
    expect(oldestAgeSeconds).toBeLessThan(60 * 60);
    await eventually(async () => expect((await row()).attempts).toBeGreaterThan(attempts + 1));
    // As if the campaign had been resumed three days ago.
    await sql.query(`UPDATE campaigns SET updated_at = updated_at - interval '3 days' WHERE id = $1`, [id]);
    const { counts } = await harness.untilState(id, 'sent');
    expect(counts).toMatchObject({ recipients: 1, failed: 1 });
    expect((await row()).answer).toMatch(/^Given up after \d+ attempts: 451/);
  });

  test('that was paused while it stored its recipients still goes only to people who were subscribed when it started', async () => {
    const { sql } = harness.messaging;
    const [, returned] = await harness.subscribe('early', 2);
    await sql.query(`UPDATE subscribers SET created_at = now() - interval '2 hours'`);
    const { _id: id } = await harness.draft();
    await sql.query(
      `UPDATE campaigns SET state = 'paused', started_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    await harness.subscribe('imported', 1);
    // Unsubscribed before the campaign started, and has subscribed again since.
    await sql.query(`UPDATE subscribers SET confirmed_at = now() WHERE id = $1`, [returned]);
    await harness.call(campaignContract.resumeCampaign, { id });
    const { counts } = await harness.untilState(id, 'sent');
    expect(counts).toMatchObject({ recipients: 1, sent: 1 });
    expect(await harness.arrivals('early')).toEqual(['early-1@example.com']);
  });

  test('skips people who unsubscribed, were suppressed or were deleted after their mail was queued', async () => {
    const count = 60;
    await harness.subscribe('leaver', count);
    const { id } = await startAndPause('leaver');
    const leavers = await queuedRecipients(id, 3);
    const [unsubscribed, suppressed, gone] = leavers;
    const { sql } = harness.messaging;
    await sql.query(`UPDATE subscribers SET status = 'unsubscribed' WHERE id = $1`, [unsubscribed]);
    await sql.query(`UPDATE subscribers SET status = 'suppressed' WHERE id = $1`, [suppressed]);
    await sql.query(`DELETE FROM subscribers WHERE id = $1`, [gone]);
    await harness.messaging.mail.behave();
    await harness.call(campaignContract.resumeCampaign, { id });
    const { counts } = await harness.untilState(id, 'sent');
    expect(counts).toMatchObject({ recipients: count, sent: count - 3, leftOut: 3, waiting: 0 });
    const caught = await harness.arrivals('leaver');
    expect([caught.length, new Set(caught).size]).toEqual([count - 3, count - 3]);
    const { rows } = await sql.query<{ state: string; answer: string }>(
      `SELECT DISTINCT state, answer FROM mails WHERE campaign_id = $1 AND subscriber_id = ANY ($2)`,
      [id, leavers],
    );
    expect(rows).toEqual([{ state: 'cancelled', answer: 'The recipient is no longer subscribed.' }]);
  });

  fullTest('can be cancelled for good', async () => {
    const count = 60;
    await harness.subscribe('ended', count);
    const { id, arrived } = await startAndPause('ended');
    const { record } = await harness.call(campaignContract.cancelCampaign, { id });
    expect(record).toMatchObject({
      state: 'cancelled',
      counts: { recipients: count, sent: arrived, leftOut: count - arrived, waiting: 0 },
    });
    expect(await code(harness.call(campaignContract.resumeCampaign, { id }))).toBe('INVALID_TRANSITION');
    const { rows } = await harness.messaging.sql.query(
      `SELECT 1 FROM mails WHERE campaign_id = $1 AND state IN ('queued', 'sending')`,
      [id],
    );
    expect(rows).toEqual([]);
    expect(await harness.arrivals('ended')).toHaveLength(arrived);
  });

  test('if it is cancelled while a mail is being sent, cancels that mail instead of retrying it after a temporary refusal', async () => {
    const [recipient] = await harness.subscribe('refusing', 1);
    const refuse = { code: 451, text: '4.7.1 Try again later', at: 'data' } as const;
    await harness.messaging.mail.misbehave({ to: 'refusing-', delayMs: 1_000 });
    await harness.messaging.mail.misbehave({ to: 'refusing-', refuse });
    const id = await harness.send();
    const row = () => harness.messaging.row(campaignMailId(id, recipient!));
    await eventually(async () => expect(await row()).toMatchObject({ state: 'sending' }));
    await harness.call(campaignContract.cancelCampaign, { id });
    await eventually(async () =>
      expect(await row()).toMatchObject({ state: 'cancelled', answer: 'The campaign was cancelled.' }),
    );
  });

  test('counts refused, bounced and unsubscribed recipients, each once', async () => {
    const [refused, bounced, leaver] = await harness.subscribe('figure', 3);
    await harness.messaging.mail.misbehave({
      to: 'figure-1@',
      refuse: { code: 550, text: '5.7.1 No thanks', at: 'rcpt' },
    });
    const id = await harness.send();
    await harness.untilState(id, 'sent');
    const mailId = campaignMailId(id, bounced!);
    const report = [
      `To: bounces+${mailId.replaceAll('-', '')}@northrank.example`,
      ...['Content-Type: multipart/report', '', 'Action: failed', 'Status: 5.2.2', ''],
    ].join('\n');
    const { mail } = harness.messaging;
    const [header] = (await mail.newest({ to: 'figure-3@' })).headers.filter(
      ({ name }) => name === 'list-unsubscribe',
    );
    const link = new URL(header!.value.slice(1, -1));
    const token = link.searchParams.get('token')!;
    expect(link.searchParams.get('campaign')).toBe(id);
    const bounce = { token: bounceToken, report: Buffer.from(report).toString('base64') };
    for (let times = 0; times < 2; times += 1) {
      await harness.call(mailContract.reportBounce, bounce);
      await harness.call(messagingContract.unsubscribe, { token, campaign: id });
    }
    expect((await harness.campaign(id)).counts).toEqual({
      ...{ recipients: 3, sent: 2, failed: 1, waiting: 0 },
      ...{ leftOut: 0, bounced: 1, unsubscribed: 1 },
    });
    const { rows } = await harness.messaging.sql.query<{ status: string }>(
      `SELECT status FROM subscribers WHERE id = $1`,
      [leaver],
    );
    expect(rows).toEqual([{ status: 'unsubscribed' }]);
    // The same person signs up again, and unsubscribes with the same link.
    await harness.messaging.sql.query(
      `UPDATE subscribers SET status = 'subscribed', confirmed_at = now(), unsubscribed_at = NULL WHERE id = $1`,
      [leaver],
    );
    await harness.call(messagingContract.unsubscribe, { token, campaign: id });
    expect((await harness.campaign(id)).counts).toMatchObject({ unsubscribed: 1 });
    // Nobody gets a newsletter twice.
    for (const subscriber of [refused, bounced])
      expect(await code(harness.call(mailContract.resendMail, { id: campaignMailId(id, subscriber!) }))).toBe(
        'INVALID_TRANSITION',
      );
  });
});

fullTest('a replica that stops leaves the remaining mails to the others', async () => {
  const count = 60;
  await harness.subscribe('stopped', count);
  // The mail server is slow, so that there are still mails when the third replica polls, which it does every second.
  await harness.messaging.mail.misbehave({ to: 'stopped-', delayMs: 100 });
  const third = await harness.messaging.start({ MAIL_CAMPAIGN_PER_MINUTE: '60000' });
  const finish = jest.spyOn(third.app.get(DeliveryRepository, { strict: false }), 'finish');
  const id = await harness.send();
  await eventually(() => expect(finish).toHaveBeenCalled());
  await third.close();
  expect(await harness.campaign(id)).toMatchObject({ state: 'sending' });
  await harness.messaging.mail.behave();
  const { counts } = await harness.untilState(id, 'sent');
  expect(counts).toMatchObject({ recipients: count, sent: count });
  const caught = await harness.arrivals('stopped');
  expect([caught.length, new Set(caught).size]).toEqual([count, count]);
});
