/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { ProjectFile } from '#libs/contracts';
import { type FakeApi, openScreen } from '../open-screen.js';
import { FileList } from './FileList.js';

const file: ProjectFile = {
  ...{ _id: 'f1', name: 'audit.pdf', bytes: 1, state: 'ready', preview: 'rendering' },
  ...{ uploadedBy: 'Maya', createdAt: new Date().toISOString() },
} as ProjectFile;

function Files() {
  const [preview, setPreview] = useState(file.preview);
  return (
    <>
      <button type="button" onClick={() => setPreview('ready')}>
        The preview is ready
      </button>
      <FileList files={[{ ...file, preview }]} label="Files" />
    </>
  );
}

const open = (api: FakeApi = () => undefined) => openScreen(Files, api);

test('a preview is shown as soon as the server says that it is ready', () => {
  open();
  expect(document.querySelector('img')).toBeNull();
  fireEvent.click(screen.getByText('The preview is ready'));
  expect(document.querySelector('img')?.getAttribute('src')).toBe('/project-file/f1/preview');
});

test.each([
  [404, 'This file is no longer available.'],
  [503, 'This file can’t be downloaded at the moment. Try again later.'],
])('a download that is refused with %i says why', async (status, sentence) => {
  open((call) => (call === 'HEAD /project-file/f1' ? new Response(null, { status }) : undefined));
  fireEvent.click(screen.getByRole('link'));
  await screen.findByText(sentence);
});
