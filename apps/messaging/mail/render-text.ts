import type { Brand, Letter, Part, Run } from './letter.js';

/** The plain-text part: the same words in the same order, addresses written out. */
export function renderText(letter: Letter, brand: Brand): string {
  const blocks = [letter.heading, ...letter.parts.map(block).filter(Boolean), '-- ', footer(letter, brand)];
  return `${blocks.join('\n\n').replace('-- \n\n', '-- \n')}\n`;
}

function block(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'heading':
      return part.text.toUpperCase();
    case 'rich':
      return runs(part.runs);
    case 'image':
      return part.alt;
    case 'list':
      return part.items
        .map((item, index) => `${part.ordered ? `${index + 1}.` : '-'} ${runs(item)}`)
        .join('\n');
    case 'button':
      return `${part.text}:\n${part.url}`;
    case 'facts':
      return part.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'quote':
      return part.text
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
  }
}

function runs(parts: readonly Run[]): string {
  return parts
    .map(({ text, url }) => (url === undefined || url === text ? text : `${text} (${url})`))
    .join('');
}

function footer({ reason, unsubscribeUrl }: Letter, { name, siteUrl, address }: Brand): string {
  return [reason, name, address, siteUrl, unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`]
    .filter((line): line is string => Boolean(line))
    .join('\n');
}
