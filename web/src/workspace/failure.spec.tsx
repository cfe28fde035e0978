/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { DataTable } from './DataTable.js';
import { OrderInvoices } from './invoices/OrderInvoices.js';
import { Loaded } from './Loaded.js';
import { openScreen } from './open-screen.js';
import { useLiveThread } from './projects/live-thread.js';
import { Thread } from './projects/Thread.js';
import { customerThreadCalls } from './projects/thread-calls.js';
import { useQuery } from './query.js';
import { StaffNotes } from './StaffNotes.js';

const useNotes = () => useQuery('GET /order/:id/notes', { params: { id: '1' } });

function Notes() {
  return <StaffNotes notes={useNotes()} subjectId="1" about="this order" add={() => new Promise(() => {})} />;
}

function Table() {
  const table = { caption: 'Notes', rowKey: () => '', skeletonRows: 1, columns: [], empty: 'No notes' };
  return <DataTable {...table} rows={useNotes()} />;
}

const threadCalls = customerThreadCalls('1');

function Conversation() {
  const thread = useLiveThread(threadCalls);
  return (
    <Thread thread={thread} calls={threadCalls} side="customer" otherSideLabel="Site" empty="No messages" />
  );
}

test.each<[string, () => ReactNode]>([
  ['the invoices of an order', () => <OrderInvoices orderId="1" />],
  ['staff notes', Notes],
  ['a table', Table],
  ['a record', () => <Loaded query={useNotes()}>{() => 'Notes'}</Loaded>],
  ['a conversation', Conversation],
])(
  'after a failure to read %s, the error stays visible during another attempt, and the button keeps the focus',
  async (_, Screen) => {
    const failure = (detail: string) => Response.json({ detail }, { status: 503 });
    let answerRead: ((answer: Response) => void) | undefined;
    let answer: () => Response | Promise<Response> = () => failure('Not now.');
    openScreen(Screen, (call) =>
      // `OrderInvoices` reads invoices only if the seller issues any.
      call === 'GET /billing-details' ? Response.json({ offered: true }) : answer(),
    );
    const button = await screen.findByRole('button', { name: 'Try again' });
    button.focus();
    const read = jest.fn(() => new Promise<Response>((resolve) => (answerRead = resolve)));
    answer = read;
    for (let press = 0; press < 2; press += 1) await act(async () => void fireEvent.click(button));
    expect(read).toHaveBeenCalledTimes(1);
    screen.getByText('Not now.');
    expect(screen.getByRole('button', { name: 'One moment' })).toBe(document.activeElement);
    await act(async () => answerRead?.(failure('Still not.')));
    screen.getByText('Still not.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBe(document.activeElement);
  },
);
