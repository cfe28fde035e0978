import { expect, test } from '@jest/globals';
import { isHardBounce, isHardBounceAt, parseRefusal } from './refusal.js';

test.each([
  ['550 5.1.1 No such user here', true],
  ['550-5.1.1 The account does not exist', true],
  ['550 User unknown', true],
  ['551 User not local', true],
  ['553 Mailbox name not allowed', true],
  ['550 5.2.1 The account is disabled', true],
  ['550 5.1.10 Recipient not found', true],
  ['550 5.4.310 DNS domain does not exist', true],
  ['550 5.0.0 User unknown', true],
  ['smtp; 550 5.1.1 <a@example.com>: user unknown', true],
  ['550 #5.1.0 Address rejected', true],
  ['550 sorry, no mailbox here by that name. (#5.1.1)', true],
  ['511 sorry, no mailbox here by that name (#5.1.1 - chkuser)', true],
  ['553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)', false],
  ['550 #5.7.1 Your access to submit messages to this e-mail system has been rejected', false],
  ['552 5.2.2 Mailbox full', false],
  ['552 Too much mail data', false],
  ['554 5.7.1 Listed in a block list', false],
  ['550 5.7.1 Looks like spam', false],
  ['554 Transaction failed', false],
  ['550 5.1.8 Sender not found', false],
  ['553 5.1.7 Bad sender address', false],
  ['554 5.6.0 Message malformed', false],
  ['451 4.7.1 Try again later', false],
  ['no answer within 30 ms', false],
  ['', false],
])('%j is a hard bounce: %s', (answer, isHard) => {
  expect(isHardBounce(parseRefusal(answer))).toBe(isHard);
});

test.each([
  ['recipient', '550 User unknown', true],
  ['recipient', '554 5.7.1 Listed in a block list', false],
  ['message', '550 Message looks like spam', false],
  ['message', '550 5.0.0 Message refused', false],
  ['message', '550 5.1.1 No such user here', true],
  ['sender', '550 5.1.1 No such user here', false],
] as const)('when the %s is refused, %j is a hard bounce: %s', (step, answer, isHard) => {
  expect(isHardBounceAt(step, parseRefusal(answer))).toBe(isHard);
});

test.each([
  ['5.1.1', true],
  ['5.0.0', true],
  ['5.2.2', false],
  ['5.7.509', false],
])('a report with only the status %s is a hard bounce: %s', (status, isHard) =>
  expect(isHardBounce({ status })).toBe(isHard),
);
