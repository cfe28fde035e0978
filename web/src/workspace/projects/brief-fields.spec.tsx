/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import type { BriefAnswers, BriefQuestion, ProjectFile } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { BriefFields, listOf } from './BriefFields.js';
import type { SendFile } from './upload-queue.js';

afterEach(cleanup);

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

const fileNamed = (name: string) => ({ _id: `id of ${name}`, name, bytes: 1 }) as ProjectFile;

function openFileQuestion() {
  const uploads = new Map<string, () => Promise<void>>();
  const sendFile: SendFile = ({ name }) =>
    new Promise((resolve) => {
      const value = fileNamed(name);
      uploads.set(name, () => act(async () => resolve({ ok: true, headers: new Headers(), value })));
    });
  let answer: string[] = [];
  let merge!: (files: ProjectFile[]) => void;
  function Form() {
    const [files, setFiles] = useState<ProjectFile[]>([]);
    const [answers, setAnswers] = useState<BriefAnswers>({});
    useEffect(() => {
      answer = listOf(answers.logo);
      merge = (merged) => {
        setFiles(merged);
        setAnswers({ logo: merged.map(({ _id }) => _id) });
      };
    }, [answers]);
    return (
      <BriefFields
        {...{ questions: [question as BriefQuestion], answers, files, sendFile }}
        change={(id, changed) => setAnswers({ [id]: changed })}
      />
    );
  }
  render(<Form />);
  return {
    uploads,
    answer: () => answer,
    listed: () => screen.queryAllByRole('listitem').map((item) => item.textContent),
    /** A colleague has saved these files. */
    merge: (files: ProjectFile[]) => act(() => merge(files)),
    choose: (name: string) =>
      act(async () => {
        const picker = document.querySelector('input[type=file]')!;
        fireEvent.change(picker, { target: { files: [new File(['x'], name)] } });
      }),
  };
}

test('a file that a colleague adds meanwhile is listed, and stays in the answer when another one is added', async () => {
  const { answer, uploads, listed, merge, choose } = openFileQuestion();
  await choose('mine.png');
  merge([fileNamed('theirs.png')]);
  expect(listed()).toEqual([
    expect.stringContaining('theirs.png'),
    expect.stringContaining('Cancel upload of mine.png'),
  ]);
  await uploads.get('mine.png')!();
  expect(answer()).toEqual(['id of theirs.png', 'id of mine.png']);
});

test('a file that a colleague removes is no longer listed, and stays out of the answer when another one is added', async () => {
  const { answer, uploads, listed, merge, choose } = openFileQuestion();
  await choose('logo.png');
  await uploads.get('logo.png')!();
  merge([]);
  expect(listed()).toEqual([]);
  await choose('mine.png');
  await uploads.get('mine.png')!();
  expect(answer()).toEqual(['id of mine.png']);
});

test('a file that was just added can be removed from the answer', async () => {
  const { answer, uploads, listed, choose } = openFileQuestion();
  await choose('logo.png');
  await uploads.get('logo.png')!();
  expect(answer()).toEqual(['id of logo.png']);
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove logo.png' })));
  expect([listed(), answer()]).toEqual([[], []]);
});

test('a short text takes no more characters than the server accepts', () => {
  const goal = { ...question, id: 'goal', label: 'Goal', kind: 'short_text' } as BriefQuestion;
  render(<BriefFields questions={[goal]} answers={{}} files={[]} change={() => undefined} />);
  expect(screen.getByRole<HTMLInputElement>('textbox').maxLength).toBe(500);
});
