import { describe, expect, test } from '@jest/globals';
import type { Brand, Part } from '../mail/letters/letter.js';
import { renderHtml } from '../mail/letters/render-html.js';
import { renderText } from '../mail/letters/render-text.js';
import { campaignLetter } from './campaign-letter.js';
import { readLetterBody } from './letter-body.js';

const site = 'https://northrank.example';
const brand: Brand = { name: 'Northrank', siteUrl: site, address: '1 Main Street' };
const read = (body: string) => readLetterBody(body, site);
const rich = (...runs: object[]): Part => ({ kind: 'rich', runs: runs as { text: string }[] });

describe('what is written', () => {
  test.each<[string, string, Part[]]>([
    ['paragraphs', 'One\n\nTwo', [rich({ text: 'One' }), rich({ text: 'Two' })]],
    ['a line break', 'One\nTwo', [rich({ text: 'One' }, { text: '\n' }, { text: 'Two' })]],
    [
      'emphasis',
      'a **b *c*** d',
      [
        rich(
          { text: 'a ' },
          { text: 'b ', strong: true },
          { text: 'c', strong: true, emphasis: true },
          { text: ' d' },
        ),
      ],
    ],
    ['a heading', '## What *is* new', [{ kind: 'heading', text: 'What is new' }]],
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
    [
      'a numbered list in a list',
      '1. one\n   - two',
      [{ kind: 'list', ordered: true, items: [[{ text: 'one' }], [{ text: 'two' }]] }],
    ],
    ['a quote', '> one\n> two', [{ kind: 'quote', text: 'one\ntwo' }]],
    [
      'a picture',
      'a ![A chart](https://a.example/c.png) b',
      [
        rich({ text: 'a' }),
        { kind: 'image', url: 'https://a.example/c.png', alt: 'A chart' },
        rich({ text: 'b' }),
      ],
    ],
    ['a picture of the site', `![x](${site}/i.png)`, [{ kind: 'image', url: `${site}/i.png`, alt: 'x' }]],
    [
      'an address',
      'see https://a.example/b',
      [rich({ text: 'see ' }, { text: 'https://a.example/b', url: 'https://a.example/b' })],
    ],
  ])('%s', (_, body, parts) => expect(read(body)).toEqual(parts));
});

test('a heading at the beginning is the heading of the letter', () => {
  const content = { subject: 'November', preheader: '', body: '# News\n\nHello' };
  expect(campaignLetter(content, brand)).toMatchObject({ heading: 'News', parts: [{ kind: 'rich' }] });
  expect(campaignLetter({ ...content, body: 'Hello' }, brand)).toMatchObject({ heading: 'November' });
});

describe('no body makes', () => {
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
  test.each(hostile)('markup or another protocol: %s', (body) => {
    const letter = campaignLetter({ subject: '<i>"S"</i>', preheader: '</div><b>', body }, brand);
    const html = renderHtml(letter, brand);
    const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name);
    const known =
      'html head meta title style body div table tr td a h1 h2 p blockquote ul ol li img br strong em'.split(
        ' ',
      );
    expect(tags.filter((tag) => !known.includes(tag!))).toEqual([]);
    expect(html).not.toMatch(/<[^>]* on\w+=/i);
    for (const [, address] of html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(address).toMatch(/^(https:\/\/|mailto:)/);
    // What a person typed is still there to be read.
    expect(renderText(letter, brand).length).toBeGreaterThan(60);
  });
});

test.each(['[', '*a_ ', '![](', '[a](', '> ', '- ', '<', 'http://a.b ', '**a ', '[a](<b', '1. '])(
  'ten thousand characters of %s are read at once, not for ever',
  (piece) => {
    const body = piece.repeat(10_000 / piece.length);
    const letter = campaignLetter({ subject: 'S', preheader: '', body }, brand);
    expect(renderHtml(letter, brand).length).toBeLessThan(2_000_000);
  },
);
