import { describe, expect, test } from '@jest/globals';
import { parseFormattedText, plainText, type TextBlock } from './formatted-text.js';

const line = (text: string) => [{ text }];

test.each<[string, string | undefined, TextBlock[]]>([
  ['no text', undefined, []],
  ['a text of spaces and line breaks', ' \n\n ', []],
  [
    'paragraphs, separated by empty lines, also by several or by lines of spaces',
    'One\nstill one.\r\n \r\nTwo.\n\n\n\nThree.',
    [
      { kind: 'paragraph', lines: [line('One'), line('still one.')] },
      { kind: 'paragraph', lines: [line('Two.')] },
      { kind: 'paragraph', lines: [line('Three.')] },
    ],
  ],
  [
    'headings, even without empty lines before and after them',
    '# Scope\nText.\n### Part\nText.',
    [
      { kind: 'heading', lines: [line('Scope')] },
      { kind: 'paragraph', lines: [line('Text.')] },
      { kind: 'subheading', lines: [line('Part')] },
      { kind: 'paragraph', lines: [line('Text.')] },
    ],
  ],
  [
    'lists, also with empty lines between the items',
    '- One\n\n* Two\nText.',
    [
      { kind: 'list', lines: [line('One'), line('Two')] },
      { kind: 'paragraph', lines: [line('Text.')] },
    ],
  ],
  [
    'numbered lists, which start at the number of their first item',
    '1. Scope\nText.\n2) Price\n3) Time',
    [
      { kind: 'numbered-list', lines: [line('Scope')], start: 1 },
      { kind: 'paragraph', lines: [line('Text.')] },
      { kind: 'numbered-list', lines: [line('Price'), line('Time')], start: 2 },
    ],
  ],
  [
    'list and heading marks inside a line, or without a space after them, as text',
    '#Scope - not a list\n-5 degrees, 2026. A year\n1.5 hours',
    [
      {
        kind: 'paragraph',
        lines: [line('#Scope - not a list'), line('-5 degrees, 2026. A year'), line('1.5 hours')],
      },
    ],
  ],
])('reads %s', (_, text, blocks) => {
  expect(parseFormattedText(text)).toEqual(blocks);
});

describe('inside a line', () => {
  test.each([
    [
      '**bold** and *italic*',
      [{ text: 'bold', style: 'strong' }, { text: ' and ' }, { text: 'italic', style: 'em' }],
    ],
    [
      'Read [our terms](/terms).',
      [{ text: 'Read ' }, { text: 'our terms', address: '/terms' }, { text: '.' }],
    ],
    // Stays text only because an address must not contain parentheses. The scheme of an address is not checked here.
    ['[x](javascript:alert(1))', [{ text: '[x](javascript:alert(1))' }]],
    ['2 * 3 * 4 and a ** b', [{ text: '2 * 3 * 4 and a ** b' }]],
    ['[unfinished](', [{ text: '[unfinished](' }]],
    ['<b>no HTML</b>', [{ text: '<b>no HTML</b>' }]],
  ])('%s becomes %j', (text, pieces) => {
    expect(parseFormattedText(text)).toEqual([{ kind: 'paragraph', lines: [pieces] }]);
  });
});

test('plainText removes the Markdown', () => {
  expect(plainText('## Scope\nThese **terms** apply.\n- [Price](/pricing/)\n- Time')).toBe(
    'Scope These terms apply. Price Time',
  );
});
