/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { ProjectSettings } from './ProjectSettings.js';

test('a number of days is checked when the focus leaves the field, unless it moves to a button', async () => {
  const settings = { remindBriefAfterDays: 3, remindAfterDays: null, version: 1 };
  openScreen(ProjectSettings, () => Response.json(settings));
  const days = await screen.findByLabelText('After how many days');
  fireEvent.change(days, { target: { value: '0' } });
  fireEvent.blur(days, { relatedTarget: screen.getByRole('button', { name: 'Save reminders' }) });
  expect(screen.queryByText(/^Enter a number/)).toBeNull();
  fireEvent.blur(days);
  screen.getByText(/^Enter a number of days/);
});
