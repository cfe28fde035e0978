import { expect, test } from '@jest/globals';
import { parseMessageText } from './message-text.js';

const pieces = (text: string) => parseMessageText(text)[0]?.lines[0];

test('typed addresses become links, without the punctuation of the sentence', () => {
  expect(pieces('See https://example.com/a?b=1, please.')).toEqual([
    { text: 'See ' },
    { text: 'https://example.com/a?b=1', address: 'https://example.com/a?b=1' },
    { text: ', please.' },
  ]);
});

test.each(['It begins with https://...', '(http://)'])('no link leads nowhere: %s', (text) => {
  expect(pieces(text)).toEqual([{ text }]);
});

test('a closing bracket belongs to a typed address that contains the opening one', () => {
  const address = 'https://example.com/Foo_(bar)';
  expect(pieces(`(See ${address}).`)).toEqual([
    { text: '(See ' },
    { text: address, address },
    { text: ').' },
  ]);
});

test('a Markdown link becomes one link, with its own text', () => {
  expect(pieces('[text](https://example.com)')).toEqual([{ text: 'text', address: 'https://example.com' }]);
});
