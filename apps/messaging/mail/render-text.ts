import type { Brand } from '../site/brand.js';
import type { Block, EmailContent, TextRun } from './email-content.js';

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
      return renderRuns(block.runs.map(inCapitals));
    case 'richText':
      return renderRuns(block.runs);
    case 'image':
      return block.linkUrl === undefined
        ? block.alt
        : renderRuns([{ text: block.alt || block.linkUrl, url: block.linkUrl }]);
    case 'list':
      return block.items
        .map((item, index) => `${block.ordered ? `${(block.start ?? 1) + index}.` : '-'} ${renderRuns(item)}`)
        .join('\n');
    case 'button':
      return `${block.text}:\n${block.url}`;
    case 'details':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'quote':
      return renderRuns(block.runs)
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
  }
}

/** A URL stays as it is, because the letter case of its path can matter. */
const inCapitals = (run: TextRun): TextRun =>
  run.text === run.url ? run : { ...run, text: run.text.toUpperCase() };

function renderRuns(runs: readonly TextRun[]): string {
  return runs
    .map(({ text, url }, at) => {
      // A link with formatting in it has several runs.
      const isWithinLink = url !== undefined && runs[at + 1]?.url === url;
      return url === undefined || url === text || isWithinLink ? text : `${text} (${url})`;
    })
    .join('');
}

function footer(
  { footerReason, unsubscribeUrl }: EmailContent,
  { name, siteUrl, postalAddress }: Brand,
): string {
  return [footerReason, name, postalAddress, siteUrl, unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`]
    .filter((line): line is string => Boolean(line))
    .join('\n');
}
