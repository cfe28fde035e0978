/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { SalesOverTime } from './SalesOverTime.js';

test('a range that the site refuses is explained, because no field is highlighted', async () => {
  const refusal = { code: 'INVALID_INPUT', detail: 'Please fix the highlighted fields.' };
  openScreen(SalesOverTime, () => Response.json(refusal, { status: 400 }), {
    at: '/?from=2026-11-21&to=2026-11-01',
  });
  await screen.findByText('Choose other dates');
  screen.getByText('‘To’ can’t be before ‘From’. For a long time, choose weeks or months.');
});
