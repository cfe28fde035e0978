/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { unreachable } from '../lib/api.js';
import { DataTable } from './DataTable.js';
import type { Query } from './query.js';

afterEach(cleanup);

const show = (rows: Partial<Query<{ name: string }[]>>) =>
  render(
    <DataTable
      caption="People"
      skeletonRows={1}
      rows={{ data: undefined, loading: false, problem: undefined, retry: () => undefined, ...rows }}
      rowKey={({ name }) => name}
      columns={[{ key: 'name', head: 'Name', cell: ({ name }) => name }]}
      empty={null}
    />,
  );

test('rows stay if they cannot be read again, with the reason above them', () => {
  show({ data: [{ name: 'Ada' }], problem: unreachable });
  screen.getByText(unreachable.sentence);
  screen.getByRole('cell', { name: 'Ada' });
});

test('rows that could never be read are replaced by the reason', () => {
  show({ problem: unreachable });
  screen.getByText(unreachable.sentence);
  expect(screen.queryByRole('table')).toBeNull();
});
