export interface TextSelection {
  /** The whole text. The part from `start` to `end` is selected. */
  text: string;
  start: number;
  end: number;
}

/** Replaces the text between `from` and `to` with `insert`. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  /** What is selected afterwards: positions in the whole changed text. */
  select: readonly [start: number, end: number];
}

/** Puts `marker` around the selection, or removes it. */
export function markerEdit({ text, start, end }: TextSelection, marker: string, placeholder: string): Edit {
  const chosen = text.slice(start, end);
  const { length } = marker;
  if (isMarked(text, start, end, marker)) {
    const from = start - length;
    return { from, to: end + length, insert: chosen, select: [from, from + chosen.length] };
  }
  // Markdown ignores a marker next to a space, so spaces at the ends of the selection stay outside of the markers.
  const words = chosen.trim() || placeholder;
  const [before, after] = chosen.trim() ? chosen.split(words, 2) : ['', ''];
  const begin = start + before!.length + length;
  return {
    from: start,
    to: end,
    insert: `${before}${marker}${words}${marker}${after}`,
    select: [begin, begin + words.length],
  };
}

function isMarked(text: string, start: number, end: number, marker: string): boolean {
  const isBetween = text.slice(0, start).endsWith(marker) && text.slice(end).startsWith(marker);
  // A single star of `**bold**` does not mean italic, but one of `***both***` does.
  const isBold =
    marker === '*' && text.slice(0, start).endsWith('**') && !text.slice(0, start).endsWith('***');
  return isBetween && !isBold;
}

/**
 * Puts `marker` before each selected line that is not blank, or removes it if all of these lines have it. If all selected lines are blank, they
 * become the marker and the placeholder.
 */
export function linePrefixEdit(
  { text, start, end }: TextSelection,
  marker: string,
  placeholder: string,
): Edit {
  const from = text.slice(0, start).lastIndexOf('\n') + 1;
  // A selection that ends with a line break does not include the next line.
  const next = text.indexOf('\n', Math.max(start, end - 1));
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length === 0) {
    const insert = `${marker}${placeholder}`;
    return { from, to, insert, select: [from + marker.length, from + insert.length] };
  }
  const areMarked = filled.every((line) => line.startsWith(marker));
  const insert = lines
    .map((line) => {
      if (line.trim() === '') return line;
      return areMarked ? line.slice(marker.length) : line.startsWith(marker) ? line : `${marker}${line}`;
    })
    .join('\n');
  return { from, to, insert, select: [from, from + insert.length] };
}

/** Makes a link. What is still to be typed is selected: the text if the selection was an address, or else the address. */
export function linkEdit({ text, start, end }: TextSelection): Edit {
  const selected = text.slice(start, end);
  const chosen = selected.trim();
  // Spaces at the ends of the selection stay outside of the link.
  const from = chosen === '' ? start : start + selected.indexOf(chosen);
  const to = chosen === '' ? end : from + chosen.length;
  const isAddress = /^(https?:\/\/|mailto:)\S+$/i.test(chosen);
  const words = isAddress || chosen === '' ? 'link text' : chosen;
  const address = isAddress ? chosen : 'https://';
  const insert = `[${words}](${address})`;
  const wordsAt = from + 1;
  const addressAt = wordsAt + words.length + 2;
  const select = isAddress
    ? ([wordsAt, wordsAt + words.length] as const)
    : ([addressAt, addressAt + address.length] as const);
  return { from, to, insert, select };
}

/** Inserts a picture after the selection, in a paragraph of its own. */
export function pictureEdit({ text, end }: TextSelection, address: string, alt: string): Edit {
  const before = text.slice(0, end);
  const after = text.slice(end);
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  // Brackets would end the alternative text.
  const insert = `${lead}![${alt.replace(/[[\]\\\n]/g, ' ')}](${address})${tail}`;
  const at = end + insert.length;
  return { from: end, to: end, insert, select: [at, at] };
}
