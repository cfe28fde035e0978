import { describe, expect, test } from '@jest/globals';
import type { Block } from './email-content.js';
import { renderHtml } from './render-html.js';
import { renderText } from './render-text.js';
import type { Brand } from '../site/brand.js';
import { campaignEmail } from '../campaign/campaign-email.js';
import { parseMarkdown } from './markdown-blocks.js';

const site = 'https://northrank.example';
const brand: Brand = { name: 'Northrank', siteUrl: site, postalAddress: '1 Main Street' };
const read = (body: string) => parseMarkdown(body, site);
const richText = (...runs: object[]): Block => ({ kind: 'richText', runs: runs as { text: string }[] });

describe('the parser of a campaign’s Markdown reads', () => {
  test.each<[string, string, Block[]]>([
    ['paragraphs', 'One\n\nTwo', [richText({ text: 'One' }), richText({ text: 'Two' })]],
    ['a line break', 'One\nTwo', [richText({ text: 'One' }, { text: '\n' }, { text: 'Two' })]],
    [
      'emphasis',
      'a **b *c*** d',
      [
        richText(
          { text: 'a ' },
          { text: 'b ', strong: true },
          { text: 'c', strong: true, emphasis: true },
          { text: ' d' },
        ),
      ],
    ],
    [
      'a heading',
      '## What *is* new',
      [{ kind: 'heading', runs: [{ text: 'What ' }, { text: 'is', emphasis: true }, { text: ' new' }] }],
    ],
    [
      'a list',
      '- one\n- [two](https://a.example/)',
      [
        {
          kind: 'list',
          ordered: false,
          items: [[{ text: 'one' }], [{ text: 'two', url: 'https://a.example/' }]],
        },
      ],
    ],
    ['nothing, if a heading, a quote and a list are empty', '#\n\n>\n\n-', []],
    [
      'nothing, if a quote has only pictures without a description',
      '> ![](https://a.example/1.png)\n> ![](https://a.example/2.png)',
      [],
    ],
    [
      'a list inside a numbered list, as further items of the numbered list',
      '1. one\n   - two',
      [{ kind: 'list', ordered: true, items: [[{ text: 'one' }], [{ text: 'two' }]] }],
    ],
    [
      'a numbered list that does not begin with 1, such as one after a picture',
      '1. one\n\n![x](https://a.example/c.png)\n\n2. two',
      [
        { kind: 'list', ordered: true, items: [[{ text: 'one' }]] },
        { kind: 'image', url: 'https://a.example/c.png', alt: 'x' },
        { kind: 'list', ordered: true, start: 2, items: [[{ text: 'two' }]] },
      ],
    ],
    [
      'a quote',
      '> one\n> two\n>\n> three',
      [{ kind: 'quote', runs: ['one', '\n', 'two', '\n', 'three'].map((text) => ({ text })) }],
    ],
    [
      'a picture',
      'a ![A chart](https://a.example/c.png) b',
      [
        richText({ text: 'a' }),
        { kind: 'image', url: 'https://a.example/c.png', alt: 'A chart' },
        richText({ text: 'b' }),
      ],
    ],
    [
      'a linked picture',
      '[![A chart](https://a.example/c.png)](https://a.example/sale)',
      [
        {
          kind: 'image',
          url: 'https://a.example/c.png',
          alt: 'A chart',
          linkUrl: 'https://a.example/sale',
        },
      ],
    ],
    ['a picture on the site', `![x](${site}/i.png)`, [{ kind: 'image', url: `${site}/i.png`, alt: 'x' }]],
    [
      'a bare URL',
      'see https://a.example/b',
      [richText({ text: 'see ' }, { text: 'https://a.example/b', url: 'https://a.example/b' })],
    ],
    ['a picture without an address, as its alt text', '![a ladder]()', [richText({ text: 'a ladder' })]],
  ])('%s', (_, body, blocks) => expect(read(body)).toEqual(blocks));
});

test('on a site without HTTPS, a campaign may contain the site’s own pictures over HTTP, but pictures from elsewhere only over HTTPS', () => {
  const pictures = (url: string) =>
    parseMarkdown(`![x](${url})`, 'http://localhost:3000/').filter(({ kind }) => kind === 'image');
  expect(pictures('http://localhost:3000/i.png')).toHaveLength(1);
  expect(pictures('https://a.example/i.png')).toHaveLength(1);
  expect(pictures('http://localhost:3001/i.png')).toEqual([]);
});

test('in plain text, the footer follows the last block, and a line `-- ` of the author stays as it is', () => {
  const written = { kind: 'text', text: 'One\n\n-- \n\nTwo' } as const;
  const email = campaignEmail({ subject: 'S', preheader: '', body: '' }, brand);
  const text = renderText({ ...email, blocks: [written] }, brand);
  expect(text).toContain(`${written.text}\n\n-- \n${email.footerReason}\n`);
});

test('a heading at the beginning becomes the heading of the e-mail', () => {
  const content = { subject: 'November', preheader: '', body: '# News\n\nHello' };
  expect(campaignEmail(content, brand)).toMatchObject({ heading: 'News', blocks: [{ kind: 'richText' }] });
  expect(campaignEmail({ ...content, body: 'Hello' }, brand)).toMatchObject({ heading: 'November' });
});

test('a link in a quote or a heading keeps its address, in HTML and in plain text', () => {
  const body =
    '# [Offer](https://a.example/Offer)\n\n## See [more](https://a.example/More) https://a.example/Bare\n\n> or [this](https://a.example/This)';
  const email = campaignEmail({ subject: 'November', preheader: '', body }, brand);
  const html = renderHtml(email, brand);
  for (const name of ['Offer', 'More', 'This']) expect(html).toContain(`href="https://a.example/${name}"`);
  const text = renderText(email, brand);
  expect(text).toContain(
    'OFFER (https://a.example/Offer)\n\nSEE MORE (https://a.example/More) https://a.example/Bare',
  );
  expect(text).toContain('> or this (https://a.example/This)');
});

test('in plain text, a link with formatting and a line break in it has its address once', () => {
  const body = '[Read **more**\nhere](https://a.example/p) and [more](https://a.example/q)';
  const text = renderText(campaignEmail({ subject: 'November', preheader: '', body }, brand), brand);
  expect(text).toContain('Read more\nhere (https://a.example/p) and more (https://a.example/q)');
});

test('a linked picture keeps its link, in HTML and in plain text', () => {
  const linked = (alt: string) => {
    const body = `[![${alt}](https://a.example/c.png)](https://a.example/sale?a=1&b=2)`;
    return campaignEmail({ subject: 'November', preheader: '', body }, brand);
  };
  expect(renderHtml(linked('Sale'), brand)).toMatch(
    /<a [^>]*href="https:\/\/a\.example\/sale\?a=1&#38;b=2"[^>]*><img [^>]*src="https:\/\/a\.example\/c\.png"[^>]*><\/a>/,
  );
  expect(renderText(linked('Sale'), brand)).toContain('\n\nSale (https://a.example/sale?a=1&b=2)\n\n');
  expect(renderText(linked(''), brand)).toContain('\n\nhttps://a.example/sale?a=1&b=2\n\n');
});

test('a numbered list begins with its first number, in HTML and in plain text', () => {
  const email = campaignEmail({ subject: 'November', preheader: '', body: '3. three\n4. four' }, brand);
  expect(renderHtml(email, brand)).toContain('<ol start="3" ');
  expect(renderText(email, brand)).toContain('3. three\n4. four');
});

describe('hostile text adds no markup and no unsafe address to an e-mail', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '[a](//evil.example/x)',
    '[a](/relative)',
    '<javascript:alert(1)>',
    '[a](https://a.example/" onclick="alert(1))',
    '![a](javascript:alert(1))',
    '![a](data:image/svg+xml,x)',
    '![x](http://evil.example/pixel.gif)',
    '[a](java&#115;cript:alert(1))',
    '[a]( \u0001javascript:alert(1))',
    '**<b onmouseover=alert(1)>**',
    '# </h1><script>alert(1)</script>',
    '> </blockquote><style>*{display:none}</style>',
    '- <iframe src="https://evil.example">',
  ];
  test.each(hostile)('%s', (body) => {
    const content = { subject: '<i>"S"</i>', preheader: '</div><b>', body };
    const email = campaignEmail(content, brand);
    const html = renderHtml(email, brand);
    const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name);
    const known =
      'html head meta title style body div table tr td a h1 h2 p blockquote ul ol li img br strong em'.split(
        ' ',
      );
    expect(tags.filter((tag) => !known.includes(tag!))).toEqual([]);
    expect(tags.filter((tag) => tag === 'style')).toHaveLength(1);
    expect(html).not.toMatch(/<[^>]* on\w+=/i);
    for (const [, address] of html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(address).toMatch(/^(https:\/\/|mailto:)/);
    const withoutBody = campaignEmail({ ...content, body: '' }, brand);
    expect(renderText(email, brand).length).toBeGreaterThan(renderText(withoutBody, brand).length);
  });
});

test.each(['[', '*a_ ', '![](', '[a](', '> ', '- ', '<', 'http://a.b ', '**a ', '[a](<b', '1. '])(
  'ten thousand characters of `%s` become less than 2 MB of HTML',
  (piece) => {
    const body = piece.repeat(10_000 / piece.length);
    const email = campaignEmail({ subject: 'S', preheader: '', body }, brand);
    expect(renderHtml(email, brand).length).toBeLessThan(2_000_000);
  },
);
