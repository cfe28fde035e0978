import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  accountDeleted,
  type AdminNotification,
  type CallInput,
  DomainError,
  identityContract,
  messagesUnread,
  type Output,
  projectContract,
  projectOpened,
  projectReminderDue,
  projectStateChanged,
  replyLine,
  threadContract,
} from '#libs/contracts';
import { eventually, fullTest } from '#libs/testing';
import { Handles } from '#libs/transport';
import { MailHarness } from './mail.harness.js';

/** The customer, her colleague, and two admins. */
const ada = { accountId: randomUUID(), email: 'ada@example.com' };
const bernd = { accountId: randomUUID(), email: 'bernd@example.com' };
const sam = { accountId: randomUUID(), email: 'sam@northrank.example' };
const kim = { accountId: randomUUID(), email: 'kim@northrank.example' };

const newProject: Output<typeof projectContract.getForMail> = {
  _id: randomUUID(),
  accountId: ada.accountId,
  number: 1042,
  title: 'SEO audit',
  state: 'waiting_for_brief',
  customerName: 'Ada Lovelace',
  questions: 5,
  deliverable: null,
  reason: null,
  dueOn: null,
  assignees: [],
  members: [],
};
type Unread = Exclude<Output<typeof threadContract.getUnreadForMail>, null>;
const replyToken = 'abcdefghijklmnopqrstuvwxyz';

/** What `Projects` and `Identity` below answer; the tests change it. */
let project = newProject;
let unread: (batch: CallInput<typeof threadContract.getUnreadForMail>) => Unread | null = () => null;
let adminAccounts = [sam, kim];
let muted: Record<string, readonly AdminNotification[]> = {};

@Controller()
class Projects {
  @Handles(projectContract.getForMail)
  forMail({ projectId }: { projectId: string }) {
    if (projectId !== project._id) throw new DomainError('NOT_FOUND');
    return project;
  }
  @Handles(threadContract.getUnreadForMail)
  unreadForMail(batch: CallInput<typeof threadContract.getUnreadForMail>) {
    return unread(batch);
  }
}
@Controller()
class Identity {
  @Handles(identityContract.confirmedEmail)
  confirmedEmail({ accountId }: { accountId: string }) {
    return { email: [ada, bernd, sam, kim].find((one) => one.accountId === accountId)?.email ?? null };
  }
  @Handles(identityContract.adminEmails)
  adminEmails({ notification }: { notification?: AdminNotification }) {
    return [sam, kim]
      .map(({ email }) => email)
      .filter((email) => !notification || !muted[email]?.includes(notification));
  }
  @Handles(identityContract.adminAccounts)
  adminAccounts() {
    return adminAccounts;
  }
}

let harness: MailHarness;
let stopProjects: () => Promise<void>;
beforeAll(async () => {
  harness = await MailHarness.open();
  stopProjects = await harness.startNeighbour('projects', Projects);
  await harness.startNeighbour('identity', Identity);
  await harness.start();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  project = { ...newProject, _id: randomUUID() };
  unread = () => null;
  adminAccounts = [sam, kim];
  muted = {};
  await harness.mail.clear();
});

const basePayload = () => ({ projectId: project._id, accountId: ada.accountId, version: 2 });
const publishChange = (change: object) =>
  harness.publish({
    event: projectStateChanged.event,
    payload: { ...basePayload(), orderIds: [], orderStatus: null, from: 'in_progress', ...change },
  });
const mailTo = (to: string) => eventually(() => harness.mail.newest({ to }));
/** Waits until messaging has handled every event of the projects service, and has no mail left to send. */
async function untilSent(): Promise<void> {
  await harness.untilHandled('projects');
  await eventually(async () => {
    const { rows } = await harness.sql.query(`SELECT 1 FROM mails WHERE state IN ('queued', 'sending')`);
    expect(rows).toEqual([]);
  });
}

/** The recipients of all mails, once every mail is sent. */
async function recipients(): Promise<string[]> {
  await untilSent();
  return (await harness.mail.list()).map(({ to }) => to).sort();
}

describe('the customer', () => {
  test('is asked to answer the brief before work begins, with the number of questions in the subject', async () => {
    await harness.publish({
      event: projectOpened.event,
      payload: { ...basePayload(), step: 'answer_brief' },
    });
    const mail = await mailTo(ada.email);
    expect(mail.subject).toBe('Answer 5 questions so that we can begin: SEO audit (#1042)');
    expect(mail.text).toContain(`https://northrank.example/project/${project._id}/brief`);
    expect(mail.headers.some(({ name }) => name === 'reply-to')).toBe(false);
  });

  test('learns that work has begun, if there is nothing to answer', async () => {
    project = { ...project, state: 'in_progress', questions: 0, dueOn: '2026-12-04' };
    await harness.publish({ event: projectOpened.event, payload: { ...basePayload(), step: null } });
    const mail = await mailTo(ada.email);
    expect(mail.subject).toBe('We’ve started work: SEO audit (#1042)');
    expect(mail.text).toContain('by December 4, 2026');
  });

  test('learns, like the team, that work is ready to review, unless the mail about the order says so', async () => {
    project = {
      ...project,
      state: 'delivered',
      deliverable: 'The <b>audit</b>: [the **report**](https://example.com/report).',
      members: [bernd.accountId],
    };
    await publishChange({ to: 'delivered', by: 'order', orderStatus: 'Delivered' });
    expect(await recipients()).toEqual([]);
    await publishChange({ to: 'delivered', by: 'staff', orderStatus: 'Delivered' });
    const mail = await mailTo(ada.email);
    expect(mail.subject).toBe('Ready for your review: SEO audit (#1042)');
    expect(mail.html).toMatch(/The &[#\w]+;b&[#\w]+;audit/);
    expect(mail.html).toMatch(/<a[^>]* href="https:\/\/example\.com\/report"/);
    expect(await recipients()).toEqual([ada.email, bernd.email]);
  });

  test('is not mailed again that work is ready to review when a hold ends', async () => {
    project = { ...project, state: 'delivered' };
    await publishChange({ from: 'on_hold', to: 'delivered', by: 'staff' });
    expect(await recipients()).toEqual([]);
  });

  test('gets the reason why a project is on hold or was closed, and no mail about one that is on hold without a reason', async () => {
    project = { ...project, state: 'on_hold' };
    await publishChange({ to: 'on_hold', by: 'staff' });
    expect(await recipients()).toEqual([]);
    project = { ...project, reason: 'We need access to your site.' };
    await publishChange({ to: 'on_hold', by: 'staff' });
    const onHold = await mailTo(ada.email);
    expect(onHold.subject).toBe('On hold: SEO audit (#1042)');
    expect(onHold.text).toContain('> We need access to your site.');
    await harness.mail.clear();
    project = { ...project, state: 'closed', reason: 'You asked for it.' };
    await publishChange({ to: 'closed', by: 'staff' });
    const mail = await mailTo(ada.email);
    expect(mail.subject).toBe('Closed: SEO audit (#1042)');
    expect(mail.text).toContain('> You asked for it.');
  });

  test('is reminded of what is still expected, and of nothing else', async () => {
    await harness.publish({ event: projectReminderDue.event, payload: { ...basePayload(), step: 'review' } });
    expect(await recipients()).toEqual([]);
    project = { ...project, questions: 1 };
    await harness.publish({
      event: projectReminderDue.event,
      payload: { ...basePayload(), step: 'answer_brief' },
    });
    expect((await mailTo(ada.email)).subject).toBe(
      'Reminder: answer one question so that we can begin: SEO audit (#1042)',
    );
  });

  test('is reminded to send the answers if every question is answered in the draft', async () => {
    project = { ...project, questions: 0 };
    await harness.publish({
      event: projectReminderDue.event,
      payload: { ...basePayload(), step: 'answer_brief' },
    });
    const mail = await mailTo(ada.email);
    expect(mail.subject).toBe('Reminder: send your answers so that we can begin: SEO audit (#1042)');
    expect(mail.text).toContain('because you haven’t sent your answers yet');
  });

  test('gets nothing about news that no longer holds, and one mail about an event that is delivered twice', async () => {
    await publishChange({ to: 'delivered', by: 'staff' });
    expect(await recipients()).toEqual([]);
    project = { ...project, state: 'delivered' };
    const id = randomUUID();
    const payload = {
      ...{ ...basePayload(), orderIds: [], orderStatus: null },
      ...{ from: 'in_progress', to: 'delivered', by: 'staff' },
    };
    for (let delivery = 0; delivery < 2; delivery += 1)
      await harness.publish({ event: projectStateChanged.event, payload }, id);
    expect(await recipients()).toEqual([ada.email]);
  });

  test('gets mails in the words that admins have written, and none that admins have switched off', async () => {
    project = { ...project, state: 'delivered' };
    await harness.addContent('mailText', { mail: 'Project closed', send: 'No' });
    await harness.addContent('mailText', {
      ...{ mail: 'Project work delivered', send: 'Yes' },
      ...{ subject: 'Done: {title}', text: 'Have a look, {name}.' },
    });
    // The wording is read again at most a second later, so try until the change has taken effect.
    await eventually(async () => {
      await publishChange({ to: 'delivered', by: 'staff' });
      const mail = await harness.mail.newest({ to: ada.email, subject: 'Done: SEO audit' });
      expect(mail.text).toContain('Have a look, Ada Lovelace.');
    });
    await untilSent();
    await harness.mail.clear();
    project = { ...project, state: 'closed', reason: 'You asked for it.' };
    await publishChange({ to: 'closed', by: 'staff' });
    expect(await recipients()).toEqual([]);
  });
});

describe('staff', () => {
  const acceptProject = () => {
    project = { ...project, state: 'accepted' };
    return publishChange({ from: 'delivered', to: 'accepted', by: 'customer' });
  };

  test('who are assigned learn what the customer decided', async () => {
    // As a projects service of the previous version answers.
    project = { ...project, assignees: [kim.email] };
    await acceptProject();
    expect((await mailTo(kim.email)).subject).toBe('Accepted: SEO audit for Ada Lovelace (#1042)');
    expect(await recipients()).toEqual([kim.email]);
    // The mail has the id of the customer's account, so that it is found when the account is deleted.
    const { rows } = await harness.sql.query('SELECT params FROM mails WHERE about = $1', [project._id]);
    expect(rows).toMatchObject([{ params: { name: 'Ada Lovelace', accountId: ada.accountId } }]);
  });

  test('who are assigned still get these mails after they have changed their address', async () => {
    project = {
      ...project,
      assignees: ['kim.former@northrank.example'],
      assigneeAccountIds: [kim.accountId],
    };
    await acceptProject();
    expect(await recipients()).toEqual([kim.email]);
  });

  test('all who want such mails learn what the customer decided, if no assignee is still an admin', async () => {
    project = { ...project, assignees: ['former@northrank.example'], assigneeAccountIds: [randomUUID()] };
    muted = { [kim.email]: ['projects'] };
    await acceptProject();
    expect(await recipients()).toEqual([sam.email]);
  });

  test('learn of finished briefs and of requested changes, with the reason', async () => {
    project = { ...project, state: 'in_progress', assignees: [sam.email] };
    await publishChange({ from: 'waiting_for_brief', to: 'in_progress', by: 'customer' });
    expect((await mailTo(sam.email)).subject).toBe('Brief completed: SEO audit for Ada Lovelace (#1042)');
    project = { ...project, state: 'changes_requested', reason: 'The blog is missing.' };
    await publishChange({ from: 'delivered', to: 'changes_requested', by: 'customer' });
    const mail = await eventually(() => harness.mail.newest({ to: sam.email, subject: 'Changes requested' }));
    expect(mail.text).toContain('> The blog is missing.');
  });
});

describe('unread messages', () => {
  const batch = (overrides: object = {}) => ({
    projectId: project._id,
    accountId: ada.accountId,
    // The side that has not read the messages.
    side: 'customer',
    afterSeq: 3,
    upToSeq: 7,
    ...overrides,
  });
  const newMessages = (count: number, overrides: Partial<Unread> = {}): Unread => ({
    project: { _id: project._id, number: 1042, title: 'SEO audit' },
    side: 'customer',
    messages: Array.from({ length: count }, (_, index) => ({
      name: 'Ben Carter',
      at: '2026-11-23T10:00:00.000Z',
      text: `**Message ${index + 1}** <script>alert(1)</script> ![a](https://evil.example/pixel.png) [x](javascript:alert(1))`,
      files: index === 0 ? ['first-look.pdf'] : [],
    })),
    more: 0,
    authors: [],
    replyAddress: `reply+${replyToken}@northrank.example`,
    ...overrides,
  });
  const publish = (overrides: object = {}) =>
    harness.publish({ event: messagesUnread.event, payload: batch(overrides) });

  test('come in one mail, whose first line asks for replies to be written above it', async () => {
    unread = () => newMessages(2, { more: 3 });
    await publish();
    const mail = await mailTo(ada.email);
    expect(mail.subject).toBe('5 new messages: SEO audit (#1042)');
    expect(mail.text).toContain('There are 3 earlier messages.');
    expect(mail.headers.find(({ name }) => name === 'reply-to')?.value).toBe(
      `reply+${replyToken}@northrank.example`,
    );
    expect(mail.text.startsWith(`${replyLine}\n`)).toBe(true);
    expect(mail.text).toContain('Files: first-look.pdf');
    expect(mail.html.indexOf(replyLine)).toBeLessThan(mail.html.indexOf('<strong>Message 1'));
    expect(await recipients()).toEqual([ada.email]);
  });

  test('are rendered from Markdown, without HTML, pictures or scripts behind links', async () => {
    unread = () => newMessages(1);
    await publish();
    const { html } = await mailTo(ada.email);
    expect(html).toContain('<strong>Message 1</strong>');
    expect(html).not.toMatch(/<script|<img[^>]*evil|href="javascript/);
  });

  test('are not stored in the table of mails, and neither is the address for replies', async () => {
    unread = () => newMessages(1);
    await publish();
    await mailTo(ada.email);
    await untilSent();
    const { rows } = await harness.sql.query('SELECT * FROM mails WHERE about = $1', [project._id]);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${replyToken}|Message 1`));
    expect(rows).toMatchObject([{ state: 'sent', reply_to: null, params: batch() }]);
  });

  test('leave no mail in the list of sent mails once the account of their author is deleted', async () => {
    const author = randomUUID();
    unread = () => newMessages(1, { authors: [author] });
    await publish({ side: 'staff', accountId: sam.accountId });
    const { subject } = await mailTo(sam.email);
    expect(subject).toBe('New message from Ben Carter: SEO audit (#1042)');
    await untilSent();
    const mails = async () => {
      const { rows } = await harness.sql.query('SELECT subject FROM mails WHERE about = $1', [project._id]);
      return rows;
    };
    const deleteAccount = async (accountId: string) => {
      await harness.publish({ event: accountDeleted.event, payload: { accountId, email: null } });
      await harness.untilHandled('identity');
    };
    await deleteAccount(randomUUID());
    expect(await mails()).toEqual([{ subject }]);
    await deleteAccount(author);
    expect(await mails()).toEqual([]);
  });

  test('come with a hint to reply in the project, if replies by mail are not set up', async () => {
    unread = () => newMessages(1, { replyAddress: null });
    await publish();
    const mail = await mailTo(ada.email);
    expect(mail.text).toContain('To reply, open the project.');
    expect(mail.text).not.toContain(replyLine);
    expect(mail.headers.some(({ name }) => name === 'reply-to')).toBe(false);
  });

  test('that were read in the meantime are not mailed', async () => {
    await publish();
    expect(await recipients()).toEqual([]);
    const { rows } = await harness.sql.query('SELECT state FROM mails WHERE about = $1', [project._id]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });

  fullTest('wait while the projects service cannot be reached', async () => {
    unread = () => newMessages(1);
    await stopProjects();
    await publish();
    await eventually(async () => {
      const { rows } = await harness.sql.query('SELECT answer FROM mails WHERE about = $1', [project._id]);
      expect(rows).toEqual([{ answer: 'Waiting for the messages.' }]);
    });
    stopProjects = await harness.startNeighbour('projects', Projects);
    expect((await mailTo(ada.email)).subject).toBe('New message from Ben Carter: SEO audit (#1042)');
  });

  test('of customers go to the assigned admin, or to all who want them, each with a reply address of their own', async () => {
    unread = ({ accountId }) =>
      newMessages(1, { side: 'staff', replyAddress: `reply+${accountId.slice(0, 8)}@northrank.example` });
    await publish({ side: 'staff', accountId: kim.accountId });
    expect(await recipients()).toEqual([kim.email]);
    await harness.mail.clear();
    muted = { [kim.email]: ['projectMessages'] };
    await publish({ side: 'staff', accountId: null });
    const mail = await mailTo(sam.email);
    expect(mail.headers.find(({ name }) => name === 'reply-to')?.value).toContain(sam.accountId.slice(0, 8));
    expect(mail.text).toContain(`https://northrank.example/admin/project/${project._id}`);
    expect(await recipients()).toEqual([sam.email]);
  });

  test('of customers are not mailed to somebody who is no longer an admin when the mail is sent', async () => {
    unread = () => newMessages(1, { side: 'staff' });
    await stopProjects();
    await publish({ side: 'staff', accountId: sam.accountId });
    const stored = async () =>
      (await harness.sql.query('SELECT state, answer FROM mails WHERE about = $1', [project._id])).rows;
    await eventually(async () =>
      expect(await stored()).toEqual([{ state: 'queued', answer: 'Waiting for the messages.' }]),
    );
    adminAccounts = [kim];
    stopProjects = await harness.startNeighbour('projects', Projects);
    await eventually(async () => expect(await stored()).toMatchObject([{ state: 'cancelled' }]));
    expect(await recipients()).toEqual([]);
  });

  test('of customers go to all admins who want them, if the assigned one is no longer an admin', async () => {
    unread = () => newMessages(1, { side: 'staff' });
    muted = { [kim.email]: ['projectMessages'] };
    await publish({ side: 'staff', accountId: bernd.accountId });
    expect(await recipients()).toEqual([sam.email]);
  });
});
