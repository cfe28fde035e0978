/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import type { BriefQuestion } from '#libs/contracts';
import { BriefAnswers } from './BriefAnswers.js';

afterEach(cleanup);

// The API accepts any text as the answer of a draft.
test.each([
  ['2026-11-21', 'Nov 21, 2026'],
  ['2026-13-01', '2026-13-01'],
  ['2026-02-30', '2026-02-30'],
  ['next week', 'next week'],
])('the answer “%s” to a question about a day is shown as “%s”', (answer, shown) => {
  const question: BriefQuestion = {
    ...{ id: 'start', label: 'Start', help: '', kind: 'date', required: true, options: [] },
  };
  render(<BriefAnswers brief={{ questions: [question], answers: { start: answer }, files: [] }} />);
  expect(screen.getByRole('definition').textContent).toBe(shown);
});
