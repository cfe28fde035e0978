import { expect, test } from '@jest/globals';
import { labelsFault, labelsIn } from './labels.js';

test('labels are separated by commas, and each is kept once', () => {
  expect(labelsIn(' Urgent,,VIP , Urgent')).toEqual(['Urgent', 'VIP']);
  expect(labelsIn(' ')).toEqual([]);
});

test('too many labels, or a label that is too long, are refused with a sentence that says the limit', () => {
  expect(labelsFault(['Urgent'])).toBeUndefined();
  expect(labelsFault(Array.from({ length: 11 }, (_, index) => `Label ${index}`))).toContain('at most 10');
  expect(labelsFault(['x'.repeat(41)])).toContain('at most 40 characters');
});
