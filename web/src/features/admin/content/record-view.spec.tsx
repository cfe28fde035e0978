/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { StoredRecord } from '../../../workspace/content-api.js';
import type { ScreenPart } from '../content-screens.js';
import { useRecordView } from './record-view.js';
import { section } from './question-section.js';

afterEach(cleanup);

const part = { section, nameField: 'title' } as unknown as ScreenPart;

test.each([
  [6, ['1', '2', '3', '4', '5', '6'], false],
  [5, ['5', '4', '3', '2', '1'], true],
])(
  'a list of %i records is sorted as the address says only if it is long enough to have sort controls',
  (count, titles, isSiteOrder) => {
    const records = Array.from(
      { length: count },
      (_, index) => ({ title: `${count - index}` }) as StoredRecord & { title: string },
    );
    const { result } = renderHook(() => useRecordView(part, records), {
      wrapper: ({ children }) => (
        <MemoryRouter initialEntries={['/?sort=name&direction=asc']}>{children}</MemoryRouter>
      ),
    });
    expect(result.current.shown.map(({ title }) => title)).toEqual(titles);
    expect(result.current.isSiteOrder).toBe(isSiteOrder);
  },
);
