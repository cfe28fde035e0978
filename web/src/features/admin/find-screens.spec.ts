import { expect, test } from '@jest/globals';
import { findScreens } from './find-screens.js';

const entry = (text: string, keywords = '') => ({ to: `/${text}`, text, keywords, isAboveCurrent: false });
const nav = [
  { entries: [entry('Orders', 'sales'), entry('Sent mail', 'orders')] },
  { heading: 'Landing page', entries: [entry('Banner', 'heading'), entry('Reorders')] },
];
const found = (...words: string[]) => findScreens(nav, words).map(({ text }) => text);

test('a name that begins with the text comes before one that contains it, and both before keywords', () => {
  expect(found('orders')).toEqual(['Orders', 'Reorders', 'Sent mail']);
});

test('every word has to be in the name, the group or the keywords', () => {
  expect(found('landing', 'heading')).toEqual(['Banner']);
  expect(found('landing', 'sales')).toEqual([]);
});

test('at most six screens are found', () => {
  const many = [{ entries: Array.from({ length: 9 }, (_, index) => entry(`Page ${index}`)) }];
  expect(findScreens(many, ['page'])).toHaveLength(6);
});
