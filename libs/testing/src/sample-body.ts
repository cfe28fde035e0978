import type { Field, Section } from '#libs/content-model';

/** A body with every field of the section filled and valid; `mark` tells one body from another. */
export function sampleBody(section: Section, mark: string | number = 'a'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(section.fields).map(([name, field]) => [name, valueOf(field, name, String(mark))]),
  );
}

function valueOf({ kind, options = [] }: Field, name: string, mark: string): string {
  const text = `${name} ${mark}`;
  switch (kind) {
    case 'text':
    case 'longText':
      return text;
    case 'link':
    case 'image':
      return `/${encodeURIComponent(text)}`;
    case 'price':
      return '499.00';
    case 'choice':
      return options[turnOf(mark) % options.length] ?? '';
  }
}

const marks: string[] = [];

/** How many other marks came before: the first ones get choices of their own, which some sections demand. */
function turnOf(mark: string): number {
  const known = marks.indexOf(mark);
  return known >= 0 ? known : marks.push(mark) - 1;
}
