/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { createEvent, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../../workspace/open-screen.js';
import type { UploadState } from './upload.js';
import { ImageInput } from './ImageInput.js';

const realRequest = globalThis.XMLHttpRequest;
afterEach(() => {
  globalThis.XMLHttpRequest = realRequest;
});

class PendingRequest extends EventTarget {
  upload = {};
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {}
}

test.each([
  ['spreadsheet cells pastes their text', ['text/plain', 'text/html', 'Files'], false],
  ['an image copied from a web page uploads it', ['text/html', 'Files'], true],
  ['a file copied in Finder uploads it', ['text/plain', 'Files'], true],
])('pasting %s', (_, types, isUploaded) => {
  globalThis.XMLHttpRequest = PendingRequest as unknown as typeof XMLHttpRequest;
  const states: UploadState[] = [];
  const inputProps = { id: 'image', name: 'image', value: '', className: '', onChange: () => undefined };
  openScreen(
    () => <ImageInput inputProps={inputProps} onUploadStateChange={(__, state) => states.push(state)} />,
    () => undefined,
  );
  const field = screen.getByRole('textbox');
  const clipboardData = { files: [new File(['content'], 'a.png')], types };
  const paste = createEvent.paste(field, { clipboardData });
  fireEvent(field, paste);
  expect({ isUploaded: states.length > 0, isPasted: !paste.defaultPrevented }).toEqual({
    isUploaded,
    isPasted: !isUploaded,
  });
});

test('after an upload was cancelled, the keyboard is at the button for another', () => {
  globalThis.XMLHttpRequest = PendingRequest as unknown as typeof XMLHttpRequest;
  const inputProps = { id: 'image', name: 'image', value: '', className: '', onChange: () => undefined };
  openScreen(
    () => <ImageInput inputProps={inputProps} onUploadStateChange={() => undefined} />,
    () => undefined,
  );
  const files = [new File(['content'], 'a.png')];
  fireEvent.change(screen.getByLabelText('Image to upload'), { target: { files } });
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  cancel.focus();
  fireEvent.click(cancel);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Upload image' }));
});
