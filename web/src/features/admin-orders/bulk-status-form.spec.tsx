/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useBulk } from '../../workspace/bulk.js';
import { answerCalls } from '../../workspace/open-screen.js';
import { QueryProvider } from '../../workspace/QueryProvider.js';
import { useSelection } from '../../workspace/selection.js';
import { BulkStatusForm } from './BulkStatusForm.js';

function List({ ids }: { ids: readonly string[] }) {
  const selection = useSelection(ids.map((_id) => ({ _id })));
  const bulk = useBulk(selection, (id) => id);
  return (
    <>
      <button type="button" onClick={selection.toggleAll}>
        All
      </button>
      <BulkStatusForm bulk={bulk} selection={selection} />
    </>
  );
}

afterEach(cleanup);

test('the orders that the dialog is about are changed, even if the list changes meanwhile', async () => {
  const sent: unknown[] = [];
  answerCalls((_, body) => void sent.push(body));
  const { rerender } = render(<List ids={['a', 'b']} />, { wrapper: QueryProvider });
  fireEvent.click(screen.getByText('All'));
  fireEvent.click(screen.getByRole('button', { name: 'Set status' }));
  rerender(<List ids={['b', 'c']} />);
  const dialog = within(screen.getByRole('dialog', { name: 'Set 2 orders to Delivered?' }));
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Set status' })));
  expect(sent).toEqual([{ ids: ['a', 'b'], orderStatus: 'Delivered' }]);
});
