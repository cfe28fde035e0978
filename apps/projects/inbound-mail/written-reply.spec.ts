import { expect, test } from '@jest/globals';
import { splitReply } from './written-reply.js';

const attribution =
  'On Monday, November 23, 2026 at 10:00 AM GMT+1, Northrank <reply@northrank.example> wrote:';

// Yahoo puts this sentence directly below the reply.
test.each(['Call me at 10:30.', 'Our budget is 1500 USD', 'We changed it in 2024', 'One line.\nNumber 4711'])(
  'the last line of a reply is kept although it has a number and the sentence above the quotation follows: %j',
  (reply) => {
    expect(splitReply(`${reply}\n${attribution}\n> Which page?`).text).toBe(reply);
  },
);

test.each([
  'On Monday, November 23, 2026 at 10:00 AM GMT+1,\nNorthrank <reply+2017abcd4096@northrank.example> wrote:',
  'On Monday, November 23, 2026 at 10:00 AM GMT+1,\nNorthrank 2000 <reply@northrank.example> wrote:',
  'Am Montag, 23. November 2026\num 10:00 Uhr schrieb Northrank <reply@northrank.example>:',
  'On Monday, November 23,\n2026 at 10:00 AM Northrank <reply@northrank.example> wrote:',
  'On Monday, November 23,\n2026 at 10:00:05 AM GMT+1 Northrank <reply@northrank.example> wrote:',
  'On 23.11.26, 10:00,\nNorthrank <reply@northrank.example> wrote:',
])('no part of the sentence above the quotation stays in the reply: %j', (sentence) => {
  expect(splitReply(`Our budget is 1500 USD\n${sentence}\n> Which page?`).text).toBe(
    'Our budget is 1500 USD',
  );
});
