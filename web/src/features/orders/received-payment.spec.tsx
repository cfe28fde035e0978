/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './received-payment.route.js';

afterEach(() => void jest.useRealTimers());

const id = '0199c0de-0000-7000-8000-000000000001';

test('the focus is not lost when “Check again” disappears', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const Screen = () => (
    <main id="main" tabIndex={-1}>
      <Component />
    </main>
  );
  openScreen(Screen, () => Response.json({}, { status: 503 }), {
    ...{ path: '/received-payment/:id', at: `/received-payment/${id}` },
  });
  await act(() => jest.advanceTimersByTimeAsync(600_000));
  const button = screen.getByRole('button', { name: 'Check again' });
  button.focus();
  await act(async () => void fireEvent.click(button));
  expect([button.isConnected, document.activeElement?.id]).toEqual([false, 'main']);
});
