import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { campaignContract, mailContract, messagingContract } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { campaignMailId } from '../campaign/campaign-mail-id.js';
import { CampaignHarness } from './campaign.harness.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bounceToken = 'a token of the mail server';

let harness: CampaignHarness;

/** Two processes share the work in every test of this file. */
beforeAll(async () => {
  harness = await CampaignHarness.open();
  for (let processes = 0; processes < 2; processes += 1)
    await harness.mails.start({
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
  await harness.mails.changeContent('footerAbout', {
    aboutFooterText: 'Northrank "&" <Söhne>',
    aboutFooterDetails: '',
  });
  await harness.mails.changeContent('footerAddress', { footeraddress: '1 Main Street, Oslo' });
  await eventually(async () => {
    const { rows } = await harness.mails.sql.query('SELECT 1 FROM site_copies');
    expect(rows).toHaveLength(2);
  });
});
afterEach(async () => {
  await harness.mails.mail.behave();
  await harness.forgetSubscribers();
});
afterAll(() => harness?.close());

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: { code?: string }) => error.code,
  );

/** The recipients of this many queued mails. */
async function queuedRecipients(id: string, count: number): Promise<string[]> {
  const { rows } = await harness.mails.sql.query<{ subscriber_id: string }>(
    `SELECT subscriber_id FROM mails WHERE campaign_id = $1 AND state = 'queued' LIMIT $2`,
    [id, count],
  );
  expect(rows).toHaveLength(count);
  return rows.map((row) => row.subscriber_id);
}

async function untilNoneIsBeingSent(id: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await harness.mails.sql.query(
      `SELECT 1 FROM mails WHERE campaign_id = $1 AND state = 'sending'`,
      [id],
    );
    expect(rows).toEqual([]);
  });
}

/** Starts a campaign slowly, and pauses it while most mails are queued. */
async function pausedMidway(label: string): Promise<{ id: string; arrived: number }> {
  await harness.mails.mail.misbehave({ to: `${label}-`, delayMs: 30 });
  const id = await harness.send();
  await eventually(async () => expect((await harness.caught(label)).length).toBeGreaterThan(3));
  await harness.call(campaignContract.pauseCampaign, { id });
  await untilNoneIsBeingSent(id);
  return { id, arrived: (await harness.caught(label)).length };
}

/** What can be done with a draft or a campaign under way, except cancelling. */
const changes = [
  'updateCampaign',
  'deleteCampaign',
  'pauseCampaign',
  'resumeCampaign',
  'sendCampaign',
] as const;

describe('a campaign', () => {
  test('is a draft that can be changed and deleted in its newest version', async () => {
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
    expect(await code(harness.call(campaignContract.sendCampaign, { id, ifVersion: 1 }))).toBe(
      'VERSION_MISMATCH',
    );
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
    for (const move of changes) {
      const input = move === 'updateCampaign' ? { id, subject: 'x', body: 'x' } : { id };
      expect([move, await code(harness.call(campaignContract[move], input))]).toEqual([
        move,
        'INVALID_TRANSITION',
      ]);
    }
    const back = await harness.call(campaignContract.cancelCampaign, { id });
    expect(back.record).toMatchObject({ state: 'draft', scheduledAt: null });
    for (const at of ['2020-01-01T00:00:00Z', new Date(Date.now() + 400 * 86_400_000).toISOString()])
      expect(await code(harness.call(campaignContract.sendCampaign, { id, at }))).toBe('INVALID_INPUT');
    const soon = new Date(Date.now() + 5_000).toISOString();
    await harness.call(campaignContract.sendCampaign, { id, at: soon });
    const { startedAt, counts } = await harness.reaches(id, 'sent');
    expect(Date.parse(startedAt!)).toBeGreaterThanOrEqual(Date.parse(soon));
    expect(counts).toMatchObject({ recipients: 0, waiting: 0 });
    for (const move of [...changes, 'cancelCampaign'] as const) {
      const input = move === 'updateCampaign' ? { id, subject: 'x', body: 'x' } : { id };
      expect(await code(harness.call(campaignContract[move], input))).toBe('INVALID_TRANSITION');
    }
  });

  test('can be sent to its author as a test', async () => {
    await harness.subscribe('untouched', 2);
    const { _id: id } = await harness.draft({ subject: 'A test of "words"' });
    const { to } = await harness.call(campaignContract.testCampaign, { id });
    expect(to).toBe(actors.admin.email);
    const { subject, html } = await eventually(() =>
      harness.mails.mail.newest({ to, subject: '[Test] A test of "words"' }),
    );
    expect(subject).toBe('[Test] A test of "words"');
    expect(html).toContain('<strong>you</strong>');
    expect(await harness.caught('untouched')).toEqual([]);
  });

  test('has a preview that equals the mail', async () => {
    await harness.subscribe('reader', 1);
    const content = { subject: 'Seen', preheader: 'Before', body: 'Hello *you*\n\n> quoted' };
    const preview = await harness.call(campaignContract.previewCampaign, content);
    await harness.reaches(await harness.send(content), 'sent');
    const arrived = await harness.mails.mail.newest({ to: 'reader-' });
    const bare = (text: string) => text.replace(/\?token=[^"\s]*/g, '').replace(/\s+/g, ' ');
    expect(bare(arrived.html)).toBe(bare(preview.html));
    expect(bare(arrived.text)).toBe(bare(preview.text));
    expect(arrived.subject).toBe(preview.subject);
  });
});

describe('a campaign that is sent', () => {
  const subject = 'Növember\u202e =cmd|calc "quoted" <b>&amp; Bcc: evil@example.com';

  test('reaches every subscriber once, with one-click unsubscribing', async () => {
    const count = 200;
    const ids = await harness.subscribe('crowd', count);
    for (const status of ['pending', 'unsubscribed', 'suppressed'])
      await harness.subscribe(`crowd-${status}`, 2, status);
    const id = await harness.send({ subject });
    const { counts, finishedAt } = await harness.reaches(id, 'sent');
    expect(counts).toEqual({
      ...{ recipients: count, sent: count, waiting: 0, failed: 0 },
      ...{ leftOut: 0, bounced: 0, unsubscribed: 0 },
    });
    expect(finishedAt).not.toBeNull();
    const caught = await harness.caught('crowd');
    expect(caught).toHaveLength(count);
    const mails = await harness.call(mailContract.listMails, { campaign: id, limit: 2 });
    expect([mails.total, mails.items.length]).toEqual([count, 2]);
    expect(mails.items[0]).toMatchObject({ campaignId: id, state: 'sent', resendable: false });
    expect(new Set(caught).size).toBe(count);

    const mail = await harness.mails.mail.newest({ to: 'crowd-7@' });
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

  test('can be paused within moments, lets other mail pass, and continues where it was', async () => {
    const count = 80;
    await harness.subscribe('pause', count);
    const { id, arrived } = await pausedMidway('pause');
    expect(await harness.campaign(id)).toMatchObject({ state: 'paused', counts: { sent: arrived } });
    // Another mail is sent; those of the campaign stay in the queue.
    const to = 'meanwhile@example.com';
    await harness.mails.request({ template: 'passwordChanged', params: {}, to });
    await eventually(() => harness.mails.mail.newest({ to }));
    expect(await harness.caught('pause')).toHaveLength(arrived);
    expect(await code(harness.call(campaignContract.pauseCampaign, { id }))).toBe('INVALID_TRANSITION');
    await harness.mails.mail.behave();
    await harness.call(campaignContract.resumeCampaign, { id });
    const { counts } = await harness.reaches(id, 'sent');
    expect(counts).toMatchObject({ recipients: count, sent: count });
    expect(new Set(await harness.caught('pause')).size).toBe(count);
    expect(await harness.caught('pause')).toHaveLength(count);
  });

  test('skips people who unsubscribed after their mail was queued', async () => {
    const count = 60;
    await harness.subscribe('leaver', count);
    const { id } = await pausedMidway('leaver');
    const leavers = await queuedRecipients(id, 3);
    const [unsubscribed, suppressed, gone] = leavers;
    const { sql } = harness.mails;
    await sql.query(`UPDATE subscribers SET status = 'unsubscribed' WHERE id = $1`, [unsubscribed]);
    await sql.query(`UPDATE subscribers SET status = 'suppressed' WHERE id = $1`, [suppressed]);
    await sql.query(`DELETE FROM subscribers WHERE id = $1`, [gone]);
    await harness.mails.mail.behave();
    await harness.call(campaignContract.resumeCampaign, { id });
    const { counts } = await harness.reaches(id, 'sent');
    expect(counts).toMatchObject({ recipients: count, sent: count - 3, leftOut: 3, waiting: 0 });
    const caught = await harness.caught('leaver');
    expect([caught.length, new Set(caught).size]).toEqual([count - 3, count - 3]);
    const { rows } = await sql.query<{ state: string; answer: string }>(
      `SELECT DISTINCT state, answer FROM mails WHERE campaign_id = $1 AND subscriber_id = ANY ($2)`,
      [id, leavers],
    );
    expect(rows).toEqual([{ state: 'cancelled', answer: 'The recipient is no longer subscribed.' }]);
  });

  test('can be cancelled for good', async () => {
    const count = 60;
    await harness.subscribe('ended', count);
    const { id, arrived } = await pausedMidway('ended');
    const { record } = await harness.call(campaignContract.cancelCampaign, { id });
    expect(record).toMatchObject({
      state: 'cancelled',
      counts: { recipients: count, sent: arrived, leftOut: count - arrived, waiting: 0 },
    });
    expect(await code(harness.call(campaignContract.resumeCampaign, { id }))).toBe('INVALID_TRANSITION');
    const { rows } = await harness.mails.sql.query(
      `SELECT 1 FROM mails WHERE campaign_id = $1 AND state IN ('queued', 'sending')`,
      [id],
    );
    expect(rows).toEqual([]);
    expect(await harness.caught('ended')).toHaveLength(arrived);
  });

  test('cancels the mail that is being sent when it is cancelled, if the mail server does not take that mail', async () => {
    const [recipient] = await harness.subscribe('refusing', 1);
    const refuse = { code: 451, text: '4.7.1 Try again later', at: 'data' } as const;
    await harness.mails.mail.misbehave({ to: 'refusing-', delayMs: 1_000 });
    await harness.mails.mail.misbehave({ to: 'refusing-', refuse });
    const id = await harness.send();
    const row = () => harness.mails.row(campaignMailId(id, recipient!));
    await eventually(async () => expect(await row()).toMatchObject({ state: 'sending' }));
    await harness.call(campaignContract.cancelCampaign, { id });
    await eventually(async () =>
      expect(await row()).toMatchObject({ state: 'cancelled', answer: 'The campaign was cancelled.' }),
    );
  });

  test('counts refused, bounced and unsubscribed recipients, each once', async () => {
    const [refused, back, left] = await harness.subscribe('figure', 3);
    await harness.mails.mail.misbehave({
      to: 'figure-1@',
      refuse: { code: 550, text: '5.7.1 No thanks', at: 'rcpt' },
    });
    const id = await harness.send();
    await harness.reaches(id, 'sent');
    const mailId = campaignMailId(id, back!);
    const report = [
      `To: bounces+${mailId.replaceAll('-', '')}@northrank.example`,
      ...['Content-Type: multipart/report', '', 'Action: failed', 'Status: 5.2.2', ''],
    ].join('\n');
    const { mail } = harness.mails;
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
    const { rows } = await harness.mails.sql.query<{ status: string }>(
      `SELECT status FROM subscribers WHERE id = $1`,
      [left],
    );
    expect(rows).toEqual([{ status: 'unsubscribed' }]);
    // They sign up again, and leave by the same link.
    await harness.mails.sql.query(
      `UPDATE subscribers SET status = 'subscribed', confirmed_at = now(), unsubscribed_at = NULL WHERE id = $1`,
      [left],
    );
    await harness.call(messagingContract.unsubscribe, { token, campaign: id });
    expect((await harness.campaign(id)).counts).toMatchObject({ unsubscribed: 1 });
    // Nobody gets a newsletter twice.
    for (const subscriber of [refused, back])
      expect(await code(harness.call(mailContract.resendMail, { id: campaignMailId(id, subscriber!) }))).toBe(
        'INVALID_TRANSITION',
      );
  });
});

test('a process that stops leaves the remaining mails to the others', async () => {
  const count = 60;
  await harness.subscribe('stopped', count);
  await harness.mails.mail.misbehave({ to: 'stopped-', delayMs: 20 });
  const third = await harness.mails.start({ MAIL_CAMPAIGN_PER_MINUTE: '60000' });
  const id = await harness.send();
  await eventually(async () => expect((await harness.caught('stopped')).length).toBeGreaterThan(3));
  await third.close();
  await harness.mails.mail.behave();
  const { counts } = await harness.reaches(id, 'sent');
  expect(counts).toMatchObject({ recipients: count, sent: count });
  const caught = await harness.caught('stopped');
  expect([caught.length, new Set(caught).size]).toEqual([count, count]);
});
