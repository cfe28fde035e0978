import type { Brand } from '../site/brand.js';
import type { Block, EmailContent, TextRun } from './email-content.js';

/** The plain-text part: the same text in the same order, with the links written out. */
export function renderText(content: EmailContent, brand: Brand): string {
  const blocks = [
    ...(content.replyLine === undefined ? [] : [content.replyLine]),
    content.heading,
    ...content.blocks.map(renderBlock).filter(Boolean),
    // The line `-- ` marks the rest as a signature (RFC 3676). No empty line follows it.
    `-- \n${footer(content, brand)}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'heading':
      return block.text.toUpperCase();
    case 'richText':
      return renderRuns(block.runs);
    case 'image':
      return block.alt;
    case 'list':
      return block.items
        .map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${renderRuns(item)}`)
        .join('\n');
    case 'button':
      return `${block.text}:\n${block.url}`;
    case 'details':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'quote':
      return block.text
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
  }
}

function renderRuns(runs: readonly TextRun[]): string {
  return runs
    .map(({ text, url }) => (url === undefined || url === text ? text : `${text} (${url})`))
    .join('');
}

function footer({ reason, unsubscribeUrl }: EmailContent, { name, siteUrl, address }: Brand): string {
  return [reason, name, address, siteUrl, unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`]
    .filter((line): line is string => Boolean(line))
    .join('\n');
}
