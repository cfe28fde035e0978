/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useBulk } from './bulk.js';
import { DeleteSelected } from './DeleteSelected.js';
import { answerCalls } from './open-screen.js';
import { useSelection } from './selection.js';
import { QueryProvider } from './QueryProvider.js';

const deletion = {
  one: 'person',
  many: 'people',
  verb: 'Remove',
  participle: 'removed',
  deleteAddress: 'POST /subscribers/delete',
  restoreAddress: 'POST /subscribers/restore',
  effect: 'won’t get the newsletter any more',
} as const;

function List({ rows }: { rows: readonly { _id: string }[] }) {
  const selection = useSelection(rows);
  const bulk = useBulk(selection, (id) => id);
  return (
    <>
      <button type="button" onClick={selection.toggleAll}>
        All
      </button>
      <DeleteSelected deletion={deletion} bulk={bulk} selection={selection} />
    </>
  );
}

afterEach(cleanup);

test.each([
  [['a'], 'Remove 1 person?', '1 person won’t get the newsletter any more. '],
  [['a', 'b'], 'Remove 2 people?', '2 people won’t get the newsletter any more. '],
])('the question before deleting %p states the number of rows', (ids, title, text) => {
  render(
    <QueryProvider>
      <List rows={ids.map((_id) => ({ _id }))} />
    </QueryProvider>,
  );
  fireEvent.click(screen.getByText('All'));
  fireEvent.click(screen.getByText('Remove'));
  expect(screen.getByRole('dialog', { name: title }).textContent).toContain(text);
});

test('the rows that the dialog is about are deleted, even if the list changes meanwhile', async () => {
  const sent: unknown[] = [];
  answerCalls((_, body) => void sent.push(body));
  const list = (...ids: string[]) => <List rows={ids.map((_id) => ({ _id }))} />;
  const { rerender } = render(list('a', 'b'), { wrapper: QueryProvider });
  fireEvent.click(screen.getByText('All'));
  fireEvent.click(screen.getByText('Remove'));
  rerender(list('b', 'c'));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove 2 people?' }));
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Remove 2 people' })));
  expect(sent).toEqual([{ ids: ['a', 'b'] }]);
});
