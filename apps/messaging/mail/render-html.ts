import { escapeMarkup } from '#libs/contracts';
import type { Brand } from '../site/brand.js';
import type { Block, EmailContent, TextRun } from './email-content.js';

/**
 * Based on the site's colours (web/src/styles/tokens.css). The light ones are inline, for mail programs that drop style sheets; the dark ones are in
 * a style sheet.
 */
const light = { ground: '#fbfaf6', sheet: '#ffffff', ink: '#12161f', quiet: '#4a5160', rule: '#dedcd5' };
const dark = { ground: '#12161f', sheet: '#1a202c', ink: '#f4f1ea', quiet: '#a7afbd', rule: '#39414f' };
const signal = { light: '#c8361b', onLight: '#ffffff', dark: '#ff7a5c', onDark: '#12161f' };

const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif";

/** Tables and inline styles, which all mail programs understand, and nothing that tracks whether the mail was opened. */
export function renderHtml(content: EmailContent, brand: Brand): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(content.subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background-color: ${dark.ground} !important; }
  .sheet { background-color: ${dark.sheet} !important; border-color: ${dark.rule} !important; }
  .ink { color: ${dark.ink} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .rule { border-color: ${dark.rule} !important; }
  .link { color: ${signal.dark} !important; }
  .button { background-color: ${signal.dark} !important; }
  .button a { color: ${signal.onDark} !important; }
}
@media (max-width: 480px) {
  .sheet { padding: 24px 20px !important; }
  .button, .button a { display: block !important; }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:${light.ground}">
<div style="display:none;max-height:0;overflow:hidden">${escapeMarkup(content.preheader)}</div>
${
  content.replyLine === undefined
    ? ''
    : `<p class="quiet" style="${font};font-size:13px;line-height:1.4;color:${light.quiet};text-align:center;margin:0;padding:16px 12px 0">${escapeMarkup(content.replyLine)}</p>
`
}<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background-color:${light.ground}">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px">
<tr><td style="padding:0 4px 20px">${masthead(brand)}</td></tr>
<tr><td class="sheet" style="background-color:${light.sheet};border:1px solid ${light.rule};border-radius:14px;padding:36px 40px;overflow-wrap:anywhere;word-break:break-word">
<h1 class="ink" style="${font};font-size:26px;line-height:1.2;letter-spacing:-0.01em;font-weight:700;color:${light.ink};margin:0 0 20px">${escapeMarkup(content.heading)}</h1>
${content.blocks.map(renderBlock).join('\n')}
</td></tr>
<tr><td class="quiet" style="${font};font-size:14px;line-height:1.6;color:${light.quiet};padding:24px 4px 0">${footer(content, brand)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** If the logo is missing or blocked, the name takes its place. */
function masthead({ name, logoUrl, siteUrl }: Brand): string {
  const style = `${font};font-size:22px;line-height:40px;font-weight:700;color:${light.ink};text-decoration:none`;
  const shown = logoUrl
    ? `<img src="${escapeMarkup(logoUrl)}" alt="${escapeMarkup(name)}" height="36" border="0" style="display:block;height:36px;max-width:260px;${style}">`
    : escapeMarkup(name);
  return `<a class="ink" href="${escapeMarkup(siteUrl)}" style="${style}">${shown}</a>`;
}

const paragraph = (inner: string) =>
  `<p class="ink" style="${font};font-size:17px;line-height:1.6;color:${light.ink};margin:0 0 20px">${inner}</p>`;

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
        .split(/\n{2,}/)
        .map((one) => paragraph(escapeLines(one)))
        .join('\n');
    case 'heading':
      return `<h2 class="ink" style="${font};font-size:20px;line-height:1.3;font-weight:700;color:${light.ink};margin:28px 0 12px">${renderRuns(block.runs)}</h2>`;
    case 'richText':
      return paragraph(renderRuns(block.runs));
    case 'image': {
      // `width="518"` is for mail programs that ignore `max-width`: the 600 px of the sheet without its padding and border.
      const picture = `<img class="ink" src="${escapeMarkup(block.url)}" alt="${escapeMarkup(block.alt)}" width="518" border="0" style="display:block;width:auto;max-width:100%;height:auto;border-radius:6px;${font};font-size:17px;color:${light.ink}">`;
      return `<p style="margin:0 0 20px">${block.linkUrl === undefined ? picture : linkTo(block.linkUrl, picture)}</p>`;
    }
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul';
      const start = block.start === undefined ? '' : ` start="${block.start}"`;
      const items = block.items.map((item) => `<li style="margin:0 0 8px">${renderRuns(item)}</li>`).join('');
      return `<${tag}${start} class="ink" style="${font};font-size:17px;line-height:1.6;color:${light.ink};margin:0 0 20px;padding-left:24px">${items}</${tag}>`;
    }
    case 'button':
      return renderButton(block.text, block.url);
    case 'details':
      return renderDetails(block.rows);
    case 'quote':
      return `<blockquote class="ink rule" style="${font};font-size:17px;line-height:1.6;color:${light.ink};margin:0 0 20px;padding:0 0 0 16px;border-left:3px solid ${light.rule};overflow-wrap:anywhere">${renderRuns(block.runs)}</blockquote>`;
  }
}

function renderButton(label: string, url: string): string {
  const style = `${font};display:inline-block;padding:14px 24px;font-size:17px;line-height:1.2;font-weight:600;color:${signal.onLight};text-decoration:none;text-align:center`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr><td class="button" style="background-color:${signal.light};border-radius:6px"><a href="${escapeMarkup(url)}" style="${style}">${escapeMarkup(label)}</a></td></tr></table>
<p class="quiet" style="${font};font-size:14px;line-height:1.6;color:${light.quiet};margin:0 0 20px;overflow-wrap:anywhere;word-break:break-word">Or copy this link into your browser: <a class="link" href="${escapeMarkup(url)}" style="color:${signal.light}">${escapeMarkup(url)}</a></p>`;
}

function renderDetails(rows: readonly (readonly [string, string])[]): string {
  const cell = `${font};font-size:16px;line-height:1.5;padding:10px 0;border-top:1px solid ${light.rule};vertical-align:top;text-align:left`;
  const body = rows
    .map(
      ([name, value]) =>
        `<tr><th scope="row" class="quiet rule" style="${cell};font-weight:400;color:${light.quiet};width:38%;padding-right:12px">${escapeMarkup(name)}</th><td class="ink rule" style="${cell};color:${light.ink};overflow-wrap:anywhere;word-break:break-word">${escapeLines(value)}</td></tr>`,
    )
    .join('');
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border-collapse:collapse">${body}</table>`;
}

function renderRuns(runs: readonly TextRun[]): string {
  return runs
    .map(({ text, strong, emphasis, url }) => {
      let shown = escapeLines(text);
      if (strong) shown = `<strong>${shown}</strong>`;
      if (emphasis) shown = `<em>${shown}</em>`;
      return url === undefined ? shown : linkTo(url, shown);
    })
    .join('');
}

const linkTo = (url: string, inner: string) =>
  `<a class="link" href="${escapeMarkup(url)}" style="color:${signal.light}">${inner}</a>`;

function footer(
  { footerReason, unsubscribeUrl }: EmailContent,
  { name, siteUrl, postalAddress }: Brand,
): string {
  const link = (url: string, label: string) =>
    `<a class="quiet" href="${escapeMarkup(url)}" style="color:${light.quiet}">${escapeMarkup(label)}</a>`;
  return [
    escapeMarkup(footerReason),
    link(siteUrl, name),
    postalAddress && escapeLines(postalAddress),
    unsubscribeUrl && link(unsubscribeUrl, 'Unsubscribe'),
  ]
    .filter(Boolean)
    .join('<br>');
}

const escapeLines = (value: string) => escapeMarkup(value).replace(/\r\n|\r|\n/g, '<br>');
