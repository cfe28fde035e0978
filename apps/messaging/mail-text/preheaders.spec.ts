import { describe, expect, test } from '@jest/globals';
import { writeEmail } from '../mail/customizable-email.js';
import { messageReplyTemplate } from '../message/message-reply-email.js';
import { adminTemplates } from '../notification/admin-emails.js';
import { customizableEmails } from './customizable-emails.js';

const brand = { name: 'Northrank', siteUrl: 'https://northrank.example' };
const longText = `Dear all,\n\n${'We have looked at every page of the site. '.repeat(40)}`;
const beginning =
  'Dear all, We have looked at every page of the site. We have looked at every page of the site. We…';
const projectParams = {
  ...customizableEmails.projectDelivered.sampleParams,
  deliverable: longText,
  reason: longText,
};

/** The samples, with a long text in mails that quote what people write, and with the flag that has the longest text. */
const paramsByName = {
  ...Object.fromEntries(
    Object.entries(customizableEmails).map(([name, { sampleParams }]) => [name, sampleParams]),
  ),
  ...{ projectDelivered: projectParams, projectOnHold: projectParams, projectClosed: projectParams },
  paymentFlagged: { ...customizableEmails.paymentFlagged.sampleParams, flags: ['unverified'] },
};

test.each(Object.entries(customizableEmails))(
  'the preheader of %s is one line that mail programs have room for',
  (name, email) => {
    const { preheader } = writeEmail(email, paramsByName[name as keyof typeof paramsByName], brand);
    expect(preheader).toMatch(/^\S.{0,98}\S$/);
  },
);

describe('a preheader is the beginning of a long text, up to a whole word', () => {
  test.each(['projectDelivered', 'projectOnHold', 'projectClosed'] as const)('in %s', (name) => {
    expect(writeEmail(customizableEmails[name], projectParams, brand).preheader).toBe(beginning);
  });

  test('in a request for changes, and in a reply to a message', () => {
    expect(adminTemplates.adminProjectChanges.write(projectParams, brand).preheader).toBe(beginning);
    const reply = {
      reply: longText,
      subject: 'Hello',
      message: 'Hello?',
      sentAt: '2026-11-21T10:00:00.000Z',
    };
    expect(messageReplyTemplate.write(reply, brand).preheader).toBe(beginning);
  });
});

test.each(['answer_brief', 'review'])(
  'the preheader of a reminder for the step %s does not repeat the first paragraph',
  (step) => {
    const { preheader, blocks } = writeEmail(
      customizableEmails.projectReminder,
      { ...projectParams, step },
      brand,
    );
    expect(blocks[0]).not.toMatchObject({ text: preheader });
  },
);
