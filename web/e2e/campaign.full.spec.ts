import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Campaign, CampaignSummary } from '#libs/contracts';
import { eventually, Session, TestBrowser, testStack } from '#libs/testing';
import { MailCatcher } from '../../dev/stand-ins/mail/client.js';
import { findFaults, findSidewaysScroll } from './faults.js';
import { newPerson, openPageAsAdmin } from './person.js';
import { visit, waitUntilSettled } from './visit.js';

const { url, admin } = testStack();
const mail = MailCatcher.at(testStack().mail!.url);

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

async function subscribe(): Promise<string> {
  const { email } = newPerson();
  expect((await Session.visitor(url).post('/add-subscriber', { email })).status).toBe(201);
  const { text } = await eventually(() => mail.newest({ to: email }));
  const [link] = /http\S+\/confirm-subscription\?token=\S+/.exec(text)!;
  expect((await fetch(link!, { method: 'POST', headers: { accept: 'application/json' } })).status).toBe(200);
  return email;
}

test('a campaign is written, previewed, tested and sent, and a subscriber unsubscribes with one click', async () => {
  const to = await subscribe();
  const subject = `News ${process.pid} ${Date.now()}`;
  const { page, api } = await openPageAsAdmin(browser, { width: 1280, height: 900 });
  await visit(page, '/campaigns');
  await page.getByRole('link', { name: 'Create campaign' }).click();
  await page.waitForURL('**/campaign/new');
  await page.getByRole('heading', { name: 'New Campaign', level: 1 }).waitFor();

  await page.getByLabel('Subject').fill(subject);
  const textField = page.getByLabel('Text', { exact: true });
  await textField.fill('Rankings moved');
  await textField.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Bold' }).click();
  await eventually(async () => expect(await textField.inputValue()).toBe('**Rankings moved**'));
  const frame = page.frameLocator('iframe[title="E-mail preview"]');
  await frame.locator('strong', { hasText: 'Rankings moved' }).waitFor();
  await frame.getByRole('heading', { name: subject }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Plain text' }).click();
  await page.getByLabel('Plain text preview').getByText('Rankings moved').waitFor();
  await page.getByRole('button', { name: 'Phone' }).click();
  await frame.getByText('Rankings moved').waitFor();

  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.waitForURL(/\/campaign\/[\da-f-]{36}$/);
  await page.getByRole('heading', { name: 'Send', exact: true }).waitFor();
  await waitUntilSettled(page);
  expect(await findFaults(page)).toEqual([]);
  const path = new URL(page.url()).pathname;

  await page.getByRole('button', { name: 'Send test to me' }).click();
  await page.getByText(`Test sent to ${admin.email}`).waitFor();
  const testMail = await eventually(() => mail.newest({ to: admin.email, subject: `[Test] ${subject}` }));
  expect(testMail.html).toContain('<strong>Rankings moved</strong>');

  await page.getByRole('button', { name: 'Send or schedule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/goes to \d+ (person|people)\./).waitFor();
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await page.getByRole('heading', { name: 'Report', level: 2 }).waitFor();
  const received = await eventually(() => mail.newest({ to, subject }));
  await page.locator('.report__state').getByText('Sent', { exact: true }).waitFor({ timeout: 60_000 });
  const { counts } = (await api.get<Campaign>(path)).json;
  expect(counts.sent).toBeGreaterThan(0);
  expect(counts).toMatchObject({ recipients: counts.sent + counts.failed + counts.leftOut, waiting: 0 });
  expect(await mail.list({ to, subject })).toHaveLength(1);
  await page.getByRole('heading', { name: `Report: ${subject}` }).waitFor();
  expect(await findFaults(page)).toEqual([]);

  await page.getByRole('link', { name: 'See the e-mails of this campaign' }).click();
  await page.waitForURL(/\/sent-mail\?campaign=[\da-f-]{36}$/);
  await page.getByRole('heading', { name: 'Sent Mail', level: 1 }).waitFor();
  const row = page.getByRole('row').filter({ hasText: to });
  await row.getByText('Newsletters are sent once').waitFor();
  const campaignFilter = page.getByLabel('Campaign', { exact: true });
  await campaignFilter.locator('option:checked', { hasText: subject }).waitFor({ state: 'attached' });
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV of e-mails' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toContain(`"${to}","campaign","${subject}","sent"`);
  const [, ...lines] = file.trimEnd().split('\r\n');
  expect(lines.every((line) => line.endsWith(`"${path.split('/').at(-1)}"`))).toBe(true);

  // Unsubscribes as mail programs do, with the header and without a sign-in.
  const header = (name: string) => received.headers.find((other) => other.name === name)?.value ?? '';
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const answer = await fetch(header('list-unsubscribe').slice(1, -1), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(answer.status).toBe(200);
  expect((await api.get<Campaign>(path)).json.counts.unsubscribed).toBe(1);

  await visit(page, `/campaigns?search=${encodeURIComponent(subject)}`);
  await page.getByRole('row').filter({ hasText: subject }).getByText('Sent', { exact: true }).waitFor();
  expect(
    (await api.get<CampaignSummary[]>(`/campaigns?search=${encodeURIComponent(subject)}`)).json,
  ).toHaveLength(1);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await findSidewaysScroll(page)).toEqual([]);
});
