/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { sections } from '#libs/content-model';
import { openScreen } from '../../workspace/open-screen.js';
import { ContentList } from './content-list.js';
import { contentScreens } from './content-screens.js';

test('when the only record of a section has been added, and its form disappears, the keyboard stays in the content', async () => {
  const { path, parts } = contentScreens.find((one) => one.parts[0]?.section === sections.copyright)!;
  const { addHeading } = parts[0]!;
  let records: unknown[] = [];
  openScreen(
    () => (
      <main id="main" tabIndex={-1}>
        <ContentList previewOf={() => null} />
      </main>
    ),
    (call, body) => {
      if (call.startsWith('POST')) records = [{ _id: '1', version: 1, ...(body as object) }];
      return Response.json(call.startsWith('POST') ? records[0] : records);
    },
    { path },
  );
  const form = await screen.findByRole('form', { name: addHeading });
  for (const field of form.querySelectorAll('input, textarea'))
    fireEvent.change(field, { target: { value: 'Text' } });
  const add = screen.getByRole('button', { name: addHeading });
  add.focus();
  await act(async () => void fireEvent.click(add));
  expect(add.isConnected).toBe(false);
  expect(document.activeElement?.id).toBe('main');
});
