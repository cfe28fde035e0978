import type { Field, Section } from '#libs/content-model';

/** A valid body with every field of the section; `mark` makes bodies differ from each other. */
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

/** Numbers the marks in the order of their first use, so that records with different marks differ in their choices: some sections require that. */
function indexOfMark(mark: string): number {
  const known = marks.indexOf(mark);
  return known >= 0 ? known : marks.push(mark) - 1;
}
