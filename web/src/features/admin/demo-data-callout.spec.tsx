/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { DemoDataCallout } from './DemoDataCallout.js';

const none = { orders: 0, projects: 0, customers: 0, messages: 0, subscribers: 0, campaigns: 0 };

test('a single demo record is described in the singular', () => {
  openScreen(
    () => <DemoDataCallout counts={{ ...none, orders: 1 }} />,
    () => undefined,
  );
  const { body } = document;
  expect(body.textContent).toContain('shows what the admin panel looks like after a few months: 1 order.');
  fireEvent.click(screen.getByRole('button', { name: 'Remove demo data' }));
  expect(body.textContent).toContain('1 order will be permanently removed.');
  expect(body.textContent).not.toMatch(/1 order show|They’re|them/);
});
