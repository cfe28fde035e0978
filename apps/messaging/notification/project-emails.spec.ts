import { expect, test } from '@jest/globals';
import { messageBlocks, messagePreview, messageTitle } from './project-emails.js';

const brand = { name: 'Northrank', siteUrl: 'https://northrank.example' };

/** Each message has an author and a text. */
const unreadOf = (written: readonly [name: string, text: string][], more = 0) => ({
  ...{ projectId: 'p', number: 1042, title: 'SEO audit', more, canReplyByMail: true },
  messages: written.map(([name, text]) => ({ name, at: '2026-11-21T10:00:00.000Z', text, files: [] })),
});

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
  const unread = unreadOf([['Ben Carter', text]]);
  // The first block names the author.
  expect(messageBlocks(unread, brand).slice(1)).toEqual([{ kind: 'richText', runs: [{ text: shown, url }] }]);
});

test.each([
  [0, ['Ben'], 'New message from Ben'],
  [0, ['Ben', 'Ben'], '2 new messages from Ben'],
  [0, ['Ben', 'Eve'], '2 new messages'],
  [3, ['Ben', 'Ben'], '5 new messages'],
])(
  'with %d earlier messages that are not shown, the title of a mail that shows messages by %j is %s',
  (more, names, title) => {
    const unread = unreadOf(
      names.map((name) => [name, 'Hi']),
      more,
    );
    expect(messageTitle(unread)).toBe(title);
  },
);

test('the preview of a mail shows a message without the marks of Markdown', () => {
  const text = '**Which** pages?\n\n- [These](https://example.com/a)\n- Those';
  expect(messagePreview(unreadOf([['Ben', text]]), brand)).toBe('Ben: Which pages? These Those');
});
