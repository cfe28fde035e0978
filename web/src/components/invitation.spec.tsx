/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { Account } from '#libs/contracts';
import { AcceptInvitation } from './Invitation.js';

afterEach(cleanup);

const account = { id: 'ada', email: 'ada@example.com', emailVerified: true } as Account;

test('a second click while the next screen is loading does not accept the invitation again', async () => {
  let accepted = 0;
  render(
    <AcceptInvitation
      kind="team-invitation"
      account={account}
      email={account.email}
      accept={async () => {
        accepted += 1;
        return { ok: true, value: {}, headers: new Headers() };
      }}
      onAccepted={() => new Promise(() => {})}
      unconfirmed={null}
    />,
  );
  await act(async () => void fireEvent.click(screen.getByRole('button')));
  await act(async () => void fireEvent.click(screen.getByRole('button')));
  expect(accepted).toBe(1);
});
