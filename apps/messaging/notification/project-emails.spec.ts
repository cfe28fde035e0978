import { expect, test } from '@jest/globals';
import { messageBlocks } from './project-emails.js';

const brand = { name: 'Northrank', siteUrl: 'https://northrank.example' };

test.each([
  ['![A chart](https://a.example/c.png)', 'A chart', 'https://a.example/c.png'],
  ['![](https://a.example/c.png)', 'https://a.example/c.png', 'https://a.example/c.png'],
  ['[![A chart](https://a.example/c.png)](https://a.example/sale)', 'A chart', 'https://a.example/sale'],
  [
    '[![](https://a.example/c.png)](https://a.example/sale)',
    'https://a.example/sale',
    'https://a.example/sale',
  ],
])('in a message, the picture %s becomes a link', (text, shown, url) => {
  const messages = [{ name: 'Ben Carter', at: '2026-11-21T10:00:00.000Z', text, files: [] }];
  const unread = { projectId: 'p', number: 1042, title: 'SEO audit', messages, more: 0, canReply: true };
  expect(messageBlocks(unread, brand).slice(1)).toEqual([{ kind: 'richText', runs: [{ text: shown, url }] }]);
});
