import { expect, test } from '@jest/globals';
import { parseDeliveryReport } from './delivery-report.js';

const id = '01a1fdb4-ff5b-7243-b3be-bb8bd1393fda';
const report = (fields: string, to = `bounces+${id.replaceAll('-', '')}@northrank.example`) =>
  [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example.com',
    `To: <${to}>`,
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    'Final-Recipient: rfc822; ann@example.com',
    fields,
    '--b--',
    '',
  ].join('\r\n');

// `answer` and `isHard` are used only if `failed` is true.
test.each([
  [
    'Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 No such\r\n user\u0007',
    true,
    'smtp; 550 5.1.1 No such user',
    true,
  ],
  ['Action: failed\r\nStatus: 5.2.2', true, 'The e-mail bounced.', false],
  ['Action: delayed\r\nStatus: 4.4.1', false, 'The e-mail bounced.', false],
  // The server has given up after trying for days.
  ['Action: failed\r\nStatus: 4.4.7', true, 'The e-mail bounced.', false],
  // The report's own status counts, not the code in the server's answer.
  [
    'Action: failed\r\nStatus: 4.4.1\r\nDiagnostic-Code: smtp; 550 No such user',
    true,
    'smtp; 550 No such user',
    false,
  ],
  // A block list says nothing about the address, and the report's status nothing but that delivery failed.
  [
    'Action: failed\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp; 550 5.7.1 Blocked',
    true,
    'smtp; 550 5.7.1 Blocked',
    false,
  ],
  [
    'Action: failed\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp; 550 No such user',
    true,
    'smtp; 550 No such user',
    true,
  ],
  ['Action: delivered\r\nStatus: 2.0.0', false, 'The e-mail bounced.', false],
])('%j is read: failed %s, answer %j, hard bounce %s', (fields, failed, answer, isHard) => {
  expect(parseDeliveryReport(report(fields))).toEqual({ mailId: id, failed, answer, isHard });
});

test.each([
  ['a person’s reply', 'To: bounces@northrank.example\r\nSubject: Re: hello\r\n\r\nThanks!'],
  [
    'a report to another address',
    report('Action: failed\r\nStatus: 5.1.1', 'bounces+nobody@northrank.example'),
  ],
  [
    'a mail with a bounce address only in its text',
    `To: bounces@northrank.example\r\n\r\nTo: <bounces+${id.replaceAll('-', '')}@x.example>\r\nAction: failed\r\nStatus: 5.1.1`,
  ],
  ['an empty text', ''],
])('%s is not a report about one of our mails', (_what, text) => {
  expect(parseDeliveryReport(text)).toBeUndefined();
});
