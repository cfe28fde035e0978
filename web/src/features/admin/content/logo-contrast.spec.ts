import { expect, test } from '@jest/globals';
import { isVisibleOn } from './logo-contrast.js';

const clear = [0, 0, 0, 0];
const ink = [18, 22, 31, 255];
const white = [255, 255, 255, 255];
const orange = [200, 54, 27, 255];
const pixels = (...parts: [amount: number, pixel: number[]][]) =>
  Uint8ClampedArray.from(
    parts.flatMap(([amount, pixel]) => Array.from({ length: amount }, () => pixel).flat()),
  );

test.each([
  ['dark letters', pixels([70, clear], [30, ink]), true, false],
  ['white letters', pixels([70, clear], [30, white]), false, true],
  ['dark letters with a small coloured sign', pixels([70, clear], [25, ink], [5, orange]), true, false],
  ['a mark in the accent colour', pixels([70, clear], [30, orange]), true, true],
  ['dark letters on their own white background', pixels([90, white], [10, ink]), true, true],
  ['an empty picture', pixels([100, clear]), false, false],
  ['a white picture', pixels([100, white]), false, true],
])('whether a logo is visible on the light and on the dark background: %s', (_, picture, onLight, onDark) => {
  expect([isVisibleOn('light', picture), isVisibleOn('dark', picture)]).toEqual([onLight, onDark]);
});
