/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { SubscriberRecord } from '#libs/contracts';
import { expectOpenUntilRefused, refuseLater } from '../../workspace/dialog-checks.js';
import { openScreen } from '../../workspace/open-screen.js';
import { useQuery } from '../../workspace/query.js';
import { SubscriberDetails } from './SubscriberDetails.js';

const blocked = {
  ...{ _id: '1', email: 'ada@example.com', status: 'suppressed', consent: null },
  suppressed: { at: '2026-11-20T10:00:00.000Z', reason: 'Mailbox full' },
} as SubscriberRecord;

test.each([
  ['has just unblocked', 409, 'INVALID_TRANSITION'],
  ['has just removed', 404, 'NOT_FOUND'],
])(
  'the list is up to date after an admin unblocks an address that a colleague %s',
  async (_, status, code) => {
    let isBlocked = true;
    const close = jest.fn();
    function Subscribers() {
      const { data } = useQuery('GET /subscribers');
      return (
        <>
          {data?.map((subscriber) => (
            <p key={subscriber._id}>Blocked: {subscriber.email}</p>
          ))}
          <SubscriberDetails subscriber={blocked} close={close} />
        </>
      );
    }
    openScreen(Subscribers, (call) => {
      if (!call.startsWith('DELETE')) return Response.json(isBlocked ? [blocked] : []);
      isBlocked = false;
      return Response.json({ code }, { status });
    });
    await screen.findByText(/^Blocked: /);
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Unblock address' })));
    expect(screen.queryByText(/^Blocked: /)).toBeNull();
    expect(close).toHaveBeenCalledTimes(1);
  },
);

test('while an address is being unblocked, the dialog stays open, so that the admin sees a refusal', async () => {
  const later = refuseLater();
  openScreen(() => <SubscriberDetails subscriber={blocked} close={() => {}} />, later.api);
  await act(async () => void fireEvent.click(screen.getByText('Unblock address')));
  await expectOpenUntilRefused(later, 'Close');
});
