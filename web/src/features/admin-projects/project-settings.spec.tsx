/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
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

test.each(['03', ' 5'])(
  'after saving a number of days typed as %j, nothing counts as unsaved',
  async (typed) => {
    let settings = { remindBriefAfterDays: 3, remindAfterDays: null, version: 1 };
    openScreen(ProjectSettings, (call, body) => {
      if (call.startsWith('PUT'))
        settings = { ...settings, ...(body as object), version: settings.version + 1 };
      return Response.json(settings);
    });
    const days = await screen.findByLabelText<HTMLInputElement>('After how many days');
    fireEvent.change(days, { target: { value: typed } });
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Save reminders' })));
    expect(settings.remindBriefAfterDays).toBe(Number(typed));
    const leaving = new Event('beforeunload', { cancelable: true });
    dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(false);
  },
);
