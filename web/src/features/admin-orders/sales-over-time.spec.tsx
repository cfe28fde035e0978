/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { SalesOverTime } from './SalesOverTime.js';

test.each([
  ['to', 'from=2026-11-21&to=2026-11-01', '‘To’ can’t be before ‘From’.'],
  [
    'by',
    'by=day&from=2020-01-01',
    /too many days .* Choose a later start date, or choose weeks or months\.$/,
  ],
  ['by', 'by=week&from=2010-01-01', /too many weeks .* Choose a later start date, or choose months\.$/],
  ['by', 'by=month&from=1990-01-01', /too many months .* Choose a later start date\.$/],
])(
  'a range that the site refuses is explained, because no field is highlighted: %s, %s',
  async (field, range, sentence) => {
    const errors = [{ field, message: 'is refused' }];
    const refusal = { code: 'INVALID_INPUT', detail: 'Please fix the highlighted fields.', errors };
    openScreen(SalesOverTime, () => Response.json(refusal, { status: 400 }), { at: `/?${range}` });
    await screen.findByText('Choose other dates');
    screen.getByText(sentence);
  },
);
