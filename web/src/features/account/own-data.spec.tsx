/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { AccountContext } from '../../workspace/current-screen.js';
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

test('a person who deletes their account is told that plans end while the plans are being read', async () => {
  let answer: (response: Response) => void = () => {};
  openScreen(
    () => <OwnData hasPassword={false} issuesInvoices={false} />,
    () => new Promise<Response>((resolve) => (answer = resolve)),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete account' }));
  const conditional = 'If you have a monthly plan, it ends right away, and you won’t be charged again.';
  await screen.findByText(conditional);
  await act(async () => answer(Response.json([{ packageName: 'Basic', state: 'active' }])));
  await screen.findByText('Your monthly plan Basic ends right away, and you won’t be charged again.');
  expect(screen.queryByText(conditional)).toBeNull();
});

test.each([
  [true, 'are deleted too'],
  [false, 'You can’t undo this. Messages, files and answers'],
])(
  'the newsletter and the contact form are mentioned only if the address is confirmed (%p)',
  async (emailVerified, words) => {
    const account = { id: 'ada', email: 'ada@example.com', emailVerified } as Account;
    openScreen(
      () => (
        <AccountContext value={account}>
          <OwnData hasPassword={false} issuesInvoices={false} />
        </AccountContext>
      ),
      () => undefined,
    );
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Delete account' })));
    expect(screen.getByText(/^You can’t undo this/).textContent).toContain(words);
  },
);
