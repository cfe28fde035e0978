import { expect, test } from '@jest/globals';
import { blockedReason, briefStep, deliverableStateText, fileKind, fileSize, initials } from './words.js';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_500, '1.5 KB'],
  [88_000, '88 KB'],
  [3_400_000, '3.4 MB'],
  [9_960_000, '10 MB'],
  [999_900_000, '1.0 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});

test('a name is shortened to initials, and the name of a file to its extension', () => {
  expect(['Ada Lovelace', 'ada', '  ', 'Ana María de la Cruz'].map(initials)).toEqual(['AL', 'A', '', 'AC']);
  expect(['audit.pdf', 'README', 'a.tar.gz', 'x.verylongone'].map(fileKind)).toEqual([
    'PDF',
    'File',
    'GZ',
    'File',
  ]);
});

test('a file is held back until it is known to be clean', () => {
  expect(blockedReason({ state: 'ready' })).toBeUndefined();
  expect(blockedReason({ state: 'scanning' })).toMatch(/viruses/);
  expect(blockedReason({ state: 'infected' })).toMatch(/contains a virus/);
});

test('a deliverable in the state `replaced` was replaced by a newer one, or withdrawn if it is the newest', () => {
  const textOf = (isNewest: boolean) => deliverableStateText('replaced', 'customer', isNewest).text;
  expect([textOf(false), textOf(true)]).toEqual(['Replaced by a newer delivery', 'Withdrawn']);
});

test('the next step is to answer the remaining questions, and then to send the answers', () => {
  expect(briefStep(1)).toBe('Answer 1 question so that we can begin');
  expect(briefStep(0)).toBe('Send your answers so that we can begin');
});
