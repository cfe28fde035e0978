import type { ClipboardEvent } from 'react';

/**
 * Calls `take` with the files of the paste, unless text is meant: copied spreadsheet cells and Word text come as text, as HTML and as a picture.
 * An image that was copied from a web page comes without text. A file that was copied in macOS Finder comes with its name as text, but without HTML.
 */
export function takePastedFiles(event: ClipboardEvent, take: (files: FileList) => void): void {
  const { files, types } = event.clipboardData;
  if (files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return;
  event.preventDefault();
  take(files);
}
