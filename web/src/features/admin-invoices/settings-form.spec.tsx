/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { InvoiceSettings, StoredInvoiceSettings } from '#libs/contracts';
import { answerCalls, type FakeApi } from '../../workspace/open-screen.js';
import { QueryProvider } from '../../workspace/QueryProvider.js';
import { useSettingsForm } from './settings-form.js';
import { settingLabels } from './words.js';

const texts = Object.fromEntries(Object.keys(settingLabels).map((name) => [name, 'x']));
const stored = {
  ...{ ...texts, countryCode: 'IE', vatId: '', taxMode: 'inclusive', aboveThreshold: false, version: 1 },
  ...{ domesticRate: '23', accountingCurrency: 'EUR', exchangeRate: '0.9' },
} as unknown as StoredInvoiceSettings;

const render = () => renderHook(() => useSettingsForm(stored), { wrapper: QueryProvider }).result;
const submit = ({ current }: ReturnType<typeof render>) =>
  act(async () => current.form.onSubmit({ preventDefault() {} } as never));

test('what is typed while the settings are being saved stays, and is unsaved', async () => {
  let answer = () => {};
  answerCalls(
    () => new Promise((resolve) => (answer = () => resolve(Response.json({ ...stored, version: 2 })))),
  );
  const result = render();
  act(() => result.current.change('bankAccount', ' IE29 '));
  await submit(result);
  await waitFor(() => expect(result.current.saving).toBe(true));
  act(() => result.current.change('bankAccount', 'IE64'));
  await act(async () => answer());
  await waitFor(() => expect(result.current.saving).toBe(false));
  expect([result.current.values.bankAccount, result.current.unsaved]).toEqual(['IE64', true]);
});

test.each<[string, Partial<InvoiceSettings>, Partial<InvoiceSettings>]>([
  [
    'the exchange rate, if there is no currency',
    { accountingCurrency: ' ' },
    { accountingCurrency: '', exchangeRate: '' },
  ],
  [
    'the rates and the currency, if there is no tax',
    { domesticRate: '23%', accountingCurrency: 'Euro', exchangeRate: '1:1', taxMode: 'none' },
    { domesticRate: '23', accountingCurrency: 'EUR', exchangeRate: '0.9', taxMode: 'none' },
  ],
])('what is in fields that are no longer shown is not sent: %s', async (_, typed, expected) => {
  const site = jest.fn<FakeApi>(() => Response.json({ ...stored, version: 2 }));
  answerCalls(site);
  const result = render();
  for (const [name, value] of Object.entries(typed))
    act(() => result.current.change(name as keyof InvoiceSettings, value));
  const { newSettings } = result.current;
  await submit(result);
  expect(site).toHaveBeenCalledWith('PUT /invoice-settings', expect.objectContaining(expected));
  expect(newSettings).toMatchObject(expected);
  expect(result.current.values).toMatchObject(expected);
  expect(result.current.unsaved).toBe(false);
});

test('line breaks are sent as spaces, because the API takes one line', async () => {
  const site = jest.fn<FakeApi>(() => Response.json({ ...stored, version: 2 }));
  answerCalls(site);
  const result = render();
  act(() => result.current.change('exemptionReason', 'Exempt as a small business\nunder section 19 UStG.\n'));
  await submit(result);
  const exemptionReason = 'Exempt as a small business under section 19 UStG.';
  expect(site).toHaveBeenCalledWith('PUT /invoice-settings', expect.objectContaining({ exemptionReason }));
  expect(result.current.values).toMatchObject({ exemptionReason });
});

test('settings that somebody else has saved meanwhile are shown before they can be overwritten', async () => {
  const current = { ...stored, city: 'Cork', bankAccount: 'IE29', version: 2 };
  const site = jest.fn<FakeApi>(() => Response.json({ ...stored, version: 3 }));
  site.mockReturnValueOnce(Response.json({ code: 'VERSION_MISMATCH', current }, { status: 412 }));
  answerCalls(site);
  const result = render();
  act(() => result.current.change('register', 'CRO 1'));
  act(() => result.current.change('bankAccount', 'IE64'));
  await submit(result);
  const merged = { city: 'Cork', bankAccount: 'IE29', register: 'CRO 1' };
  expect(result.current.values).toMatchObject(merged);
  expect(result.current.unsaved).toBe(true);
  expect(result.current.problem?.sentence).toMatch(/^Someone else changed these settings in the meantime,/);
  await submit(result);
  expect(site).toHaveBeenLastCalledWith('PUT /invoice-settings', expect.objectContaining(merged));
  expect(result.current.unsaved).toBe(false);
});

test('a field is checked when it loses the focus, but not if a button gets the focus: the error would move that button', () => {
  answerCalls(() => undefined);
  const result = render();
  const leaveFor = (relatedTarget: Element | null) =>
    act(() => void result.current.field('city').onBlur({ relatedTarget }));
  act(() => result.current.change('city', ''));
  leaveFor(document.createElement('button'));
  expect(result.current.field('city').error).toBeUndefined();
  leaveFor(null);
  expect(result.current.field('city').error).toBe('City is required');
});
