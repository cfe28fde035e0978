/** @jest-environment ./web/dom-environment.mjs */
import { useRef, useState } from 'react';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { DropArea, PickFiles, UploadList } from './UploadControls.js';
import type { Upload } from './upload-queue.js';
import type { Uploads } from './use-uploads.js';

afterEach(cleanup);

const uploaded = (name: string): Upload => ({ key: name, name, bytes: 1, state: 'done', sent: 1 });

function Host({ files = [uploaded('audit.pdf'), uploaded('links.csv')] }) {
  const [items, setItems] = useState(files);
  const remove = (key: string) => setItems((all) => all.filter((item) => item.key !== key));
  const retry = (key: string) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, state: 'sending' } : item)));
  const uploads = { items, remove, retry, addButton: useRef(null) } as unknown as Uploads;
  return (
    <>
      <UploadList uploads={uploads} label="Files" />
      <PickFiles uploads={uploads} />
    </>
  );
}

test('removing a file moves the focus to the list, and removing the only one left moves it to the button that adds files', () => {
  render(<Host />);
  const remove = (name: string) => {
    const button = screen.getByRole('button', { name: `Remove ${name}` });
    button.focus();
    fireEvent.click(button);
  };
  remove('audit.pdf');
  expect(document.activeElement).toBe(screen.getByRole('list'));
  remove('links.csv');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add files' }));
});

test('trying an upload again moves the focus to the list', () => {
  render(<Host files={[{ ...uploaded('audit.pdf'), state: 'failed' }]} />);
  const button = screen.getByRole('button', { name: /^Try again/ });
  button.focus();
  fireEvent.click(button);
  expect(document.activeElement).toBe(screen.getByRole('list'));
});

test.each([
  ['spreadsheet cells pastes their text', ['text/plain', 'text/html', 'Files'], false],
  ['an image copied from a web page adds it', ['text/html', 'Files'], true],
  ['a file copied in Finder adds it', ['text/plain', 'Files'], true],
])('pasting %s', (_, types, isAdded) => {
  const added: File[] = [];
  render(
    <DropArea uploads={{ add: (files) => added.push(...files) }}>
      <input />
    </DropArea>,
  );
  const field = screen.getByRole('textbox');
  const files = [new File(['content'], 'a.png')];
  const paste = createEvent.paste(field, { clipboardData: { files, types } });
  fireEvent(field, paste);
  expect(added).toEqual(isAdded ? files : []);
  expect(paste.defaultPrevented).toBe(isAdded);
});
