/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { StoredInvoiceSettings } from '#libs/contracts';
import { answerCalls } from '../../workspace/open-screen.js';
import { Queries } from '../../workspace/Queries.js';
import { useSettingsForm } from './settings-form.js';
import { settingLabels } from './words.js';

test('what is typed while the settings are being saved stays, and is unsaved', async () => {
  const texts = Object.fromEntries(Object.keys(settingLabels).map((name) => [name, 'x']));
  const stored = { ...texts, countryCode: 'IE', vatId: '', version: 1 } as unknown as StoredInvoiceSettings;
  let answer = () => {};
  answerCalls(
    () => new Promise((resolve) => (answer = () => resolve(Response.json({ ...stored, version: 2 })))),
  );
  const { result } = renderHook(() => useSettingsForm(stored), { wrapper: Queries });
  act(() => result.current.change('bankAccount', ' IE29 '));
  act(() => result.current.form.onSubmit({ preventDefault() {} } as never));
  await waitFor(() => expect(result.current.saving).toBe(true));
  act(() => result.current.change('bankAccount', 'IE64'));
  await act(async () => answer());
  await waitFor(() => expect(result.current.saving).toBe(false));
  expect([result.current.values.bankAccount, result.current.unsaved]).toEqual(['IE64', true]);
});
