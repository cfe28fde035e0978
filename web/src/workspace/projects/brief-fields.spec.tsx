/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, render } from '@testing-library/react';
import type { BriefQuestion, ProjectFile } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { BriefFields } from './BriefFields.js';
import type { SendFile } from './upload-queue.js';

const file = { _id: 'file-1', name: 'logo.png', bytes: 1 } as ProjectFile;
const question = { id: 'logo', label: 'Logo', help: '', kind: 'file', required: false, options: [] };

test('the form is told when uploads begin and end, so that it does not send the answers without the files', async () => {
  let finish!: (answer: Answer<ProjectFile>) => void;
  const sendFile: SendFile = () => new Promise((resolve) => (finish = resolve));
  const setUploading = jest.fn();
  const change = jest.fn();
  render(
    <BriefFields
      questions={[question as BriefQuestion]}
      answers={{}}
      files={[]}
      {...{ change, sendFile, setUploading }}
    />,
  );
  const picker = document.querySelector('input[type=file]')!;
  await act(async () => void fireEvent.change(picker, { target: { files: [new File(['x'], 'logo.png')] } }));
  expect(setUploading).toHaveBeenLastCalledWith('logo', true);
  await act(async () => finish({ ok: true, headers: new Headers(), value: file }));
  expect(change).toHaveBeenLastCalledWith('logo', ['file-1']);
  expect(setUploading).toHaveBeenLastCalledWith('logo', false);
});
