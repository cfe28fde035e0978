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
