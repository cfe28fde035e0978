/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { OwnData } from './OwnData.js';

test('a person who deletes their account is told that plans end, even if the plans cannot be read', async () => {
  openScreen(
    () => <OwnData hasPassword={false} issuesInvoices={false} />,
    () => Response.json({ detail: 'Not now.' }, { status: 503 }),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete account' }));
  await screen.findByText('If you have a monthly plan, it ends right away, and you won’t be charged again.');
});
