import { type KeyboardEvent, useRef, useState } from 'react';
import { ImageLibrary } from '../images/ImageLibrary.js';
import type { InputProps } from '../images/ImageInput.js';
import {
  type Edit,
  linePrefixEdit,
  linkEdit,
  markerEdit,
  pictureEdit,
  type TextSelection,
} from './markdown-edit.js';

const tools: readonly { name: string; key?: string; edit(selected: TextSelection): Edit }[] = [
  { name: 'Bold', key: 'b', edit: (selected) => markerEdit(selected, '**', 'bold') },
  { name: 'Italic', key: 'i', edit: (selected) => markerEdit(selected, '*', 'italic') },
  { name: 'Heading', edit: (selected) => linePrefixEdit(selected, '## ', 'Heading') },
  { name: 'List', edit: (selected) => linePrefixEdit(selected, '- ', 'Item') },
  { name: 'Link', edit: linkEdit },
];

interface MarkdownInputProps {
  inputProps: InputProps;
  /** Offers a button that inserts a picture from the image library. */
  withPictures?: boolean;
}

export function MarkdownInput({ inputProps, withPictures = false }: MarkdownInputProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [choosing, setChoosing] = useState(false);

  function apply(edit: (selected: TextSelection) => Edit): void {
    const input = area.current;
    if (!input) return;
    const { from, to, insert, select } = edit({
      text: input.value,
      start: input.selectionStart,
      end: input.selectionEnd,
    });
    input.focus();
    input.setSelectionRange(from, to);
    // The only way to change a field so that the browser's Undo can revert it.
    const isExecuted = insert
      ? document.execCommand('insertText', false, insert)
      : document.execCommand('delete');
    if (!isExecuted) {
      const value = input.value.slice(0, from) + insert + input.value.slice(to);
      inputProps.onChange({ target: { value } });
    }
    requestAnimationFrame(() => input.setSelectionRange(select[0], select[1]));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const tool = tools.find(({ key }) => key === event.key.toLowerCase());
    if (!tool) return;
    event.preventDefault();
    apply(tool.edit);
  }

  return (
    <div className="markdown">
      <div className="markdown__tools" role="group" aria-label="Format">
        {tools.map(({ name, key, edit }) => (
          <button
            key={name}
            type="button"
            aria-controls={inputProps.id}
            aria-keyshortcuts={key && `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}`}
            onClick={() => apply(edit)}
          >
            {name}
          </button>
        ))}
        {withPictures && (
          <button type="button" aria-controls={inputProps.id} onClick={() => setChoosing(true)}>
            Image
          </button>
        )}
      </div>
      <textarea rows={14} spellCheck ref={area} onKeyDown={onKeyDown} {...inputProps} />
      {choosing && (
        <ImageLibrary
          chosen={undefined}
          choose={({ address, alt }) => {
            // With the site's origin, because the text is mailed.
            const absolute = new URL(address, location.origin).href;
            // Wait until the library has returned the focus on closing.
            requestAnimationFrame(() => apply((selected) => pictureEdit(selected, absolute, alt)));
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  );
}
