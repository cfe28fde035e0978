import type { Field, Section } from '#libs/content-model';

/** A valid body with every field; `mark` makes bodies differ. */
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
      return options[indexOfMark(mark) % options.length] ?? '';
  }
}

const marks: string[] = [];

/** Numbers marks in the order of their first use, so that bodies with different marks differ in a choice that must be unique. */
function indexOfMark(mark: string): number {
  const index = marks.indexOf(mark);
  return index >= 0 ? index : marks.push(mark) - 1;
}
