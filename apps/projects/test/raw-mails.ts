/** A message as a mail program writes it, and what a thread should show of it. */
export interface RawMail {
  raw: Buffer;
  text: string;
  /** A part of `WrittenReply.folded`; absent if nothing is collapsed. */
  folded?: string;
  attachmentNames?: string[];
}

export interface RawMailOptions {
  /** The reply address with its token. */
  to?: string;
  from?: string;
  messageId?: string;
}

const replyLine = 'Please write your reply above this line';
const site = 'Northrank <hello@northrank.example>';

const latin1 = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
const utf8 = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8');
const base64 = (content: Buffer) => content.toString('base64').replace(/.{76}/g, '$&\r\n').trim();

/** Encodes the text as UTF-8, with soft line breaks. */
function quotedPrintable(text: string): string {
  const lines = text.split('\n').map((line) => {
    const encoded = [...Buffer.from(line)].map((byte) =>
      (byte >= 33 && byte <= 126 && byte !== 61) || byte === 32
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    );
    const rows: string[] = [''];
    for (const piece of encoded) {
      if (rows.at(-1)!.length + piece.length > 75) rows.push('');
      rows[rows.length - 1] += piece;
    }
    return rows.join('=\r\n').replace(/ $/, '=20');
  });
  return lines.join('\r\n');
}

/** A PNG of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);
/** The same pixel, with as many bytes as a screenshot: small pictures in the text are taken for logos. */
const screenshot = Buffer.concat([dot, Buffer.alloc(20_000, 7)]);

/** Replies as common mail programs write them, and some special cases. */
export function replies({
  to = 'reply+abcdefghijklmnop@northrank.example',
  from = 'ada@example.com',
  messageId = '<1@mail.example>',
}: RawMailOptions = {}): Record<string, RawMail> {
  const head = (...more: string[]) => [
    'MIME-Version: 1.0',
    'Date: Mon, 23 Nov 2026 10:05:00 +0000',
    `Message-ID: ${messageId}`,
    'In-Reply-To: <m@northrank.example>',
    'Subject: Re: New message: SEO audit (#1042)',
    `From: Ada Lovelace <${from}>`,
    `To: Northrank <${to}>`,
    ...more,
  ];
  return {
    'Gmail on the web, in English': {
      raw: utf8(
        ...head('Content-Type: multipart/alternative; boundary="000000000000a1b2c3"'),
        '',
        '--000000000000a1b2c3',
        'Content-Type: text/plain; charset="UTF-8"',
        '',
        'Looks good. Could we also cover the blog?',
        '',
        'Two questions:',
        '1. When do you start?',
        '2. Who writes the texts?',
        '',
        'On Mon, Nov 23, 2026 at 10:00 AM Northrank <hello@northrank.example> wrote:',
        '',
        `> ${replyLine}`,
        '>',
        '> New message',
        '>',
        '--000000000000a1b2c3',
        'Content-Type: text/html; charset="UTF-8"',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '<div dir=3D"ltr">Looks good. Could we also cover the blog?</div>',
        '--000000000000a1b2c3--',
      ),
      text: 'Looks good. Could we also cover the blog?\n\nTwo questions:\n1. When do you start?\n2. Who writes the texts?',
      folded: '> New message',
    },
    'Gmail on Android, in German, base64': {
      raw: utf8(
        ...head('Content-Type: multipart/alternative; boundary="0000aa"'),
        '',
        '--0000aa',
        'Content-Type: text/plain; charset="UTF-8"',
        'Content-Transfer-Encoding: base64',
        '',
        base64(
          Buffer.from(
            `Klingt gut, bitte anfangen. Größe: 10 €.\r\n\r\nNorthrank <hello@northrank.example> schrieb am Mo., 23. Nov. 2026, 10:00:\r\n\r\n> ${replyLine}\r\n> Hallo\r\n`,
          ),
        ),
        '--0000aa',
        'Content-Type: text/html; charset="UTF-8"',
        '',
        '<div dir="auto">Klingt gut</div>',
        '--0000aa--',
      ),
      text: 'Klingt gut, bitte anfangen. Größe: 10 €.',
      folded: 'Hallo',
    },
    'Outlook on the desktop, HTML only, with the logo of a signature': {
      raw: latin1(
        ...head('Content-Type: multipart/related; boundary="_004_"; type="text/html"'),
        'Thread-Topic: New message',
        '',
        '--_004_',
        'Content-Type: text/html; charset="windows-1252"',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '<html><body><div class=3D"WordSection1"><p class=3D"MsoNormal">Please use =93organic traffic=94 in the report =96 thanks.</p>',
        '<p class=3D"MsoNormal"><img src=3D"cid:image001.png@01DC"></p>',
        '<div><div style=3D"border:none;border-top:solid #E1E1E1 1.0pt"><p class=3D"MsoNormal"><b>From:</b> Northrank &lt;hello@northrank.example&gt;<br>',
        '<b>Sent:</b> Monday, November 23, 2026 10:00 AM<br><b>To:</b> Ada Lovelace &lt;ada@example.com&gt;<br><b>Subject:</b> New message</p></div></div>',
        `<div style=3D"display:none">Ben: When do we start?</div><p>${replyLine}</p><h1>New message</h1></body></html>`,
        '--_004_',
        'Content-Type: image/png; name="image001.png"',
        'Content-Disposition: inline; filename="image001.png"; size=70',
        'Content-ID: <image001.png@01DC>',
        'Content-Transfer-Encoding: base64',
        '',
        base64(dot),
        '--_004_--',
      ),
      text: 'Please use “organic traffic” in the report – thanks.',
      folded: 'New message',
      attachmentNames: [],
    },
    'Outlook on the web, in German, iso-8859-1': {
      raw: latin1(
        ...head('Content-Type: multipart/alternative; boundary="_000_"'),
        '',
        '--_000_',
        'Content-Type: text/plain; charset="iso-8859-1"',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Sch=F6n, so machen wir es.',
        '',
        'Gr=FC=DFe',
        'Bernd',
        '________________________________',
        'Von: Northrank <hello@northrank.example>',
        'Gesendet: Montag, 23. November 2026 10:00',
        'An: Bernd <bernd@example.com>',
        'Betreff: New message',
        '',
        replyLine,
        'New message',
        '--_000_',
        'Content-Type: text/html; charset="iso-8859-1"',
        '',
        '<p>Sch\u00f6n</p>',
        '--_000_--',
      ),
      text: 'Schön, so machen wir es.\n\nGrüße\nBernd',
      folded: 'Gesendet: Montag',
    },
    'Apple Mail, in French, format=flowed': {
      raw: utf8(
        ...head(
          'Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes',
          'Content-Transfer-Encoding: quoted-printable',
          'X-Mailer: Apple Mail (2.3774.600.62)',
        ),
        '',
        quotedPrintable(
          [
            'D’accord, commencez par la page d’accueil et ',
            'continuez avec le blog.',
            '',
            '> Le 23 nov. 2026 à 10:00, Northrank <hello@northrank.example> a écrit :',
            '> ',
            `> ${replyLine}`,
            '> Bonjour',
          ].join('\n'),
        ),
      ),
      // With `delsp=yes`, the space before a line break does not belong to the text.
      text: 'D’accord, commencez par la page d’accueil etcontinuez avec le blog.',
      folded: 'Bonjour',
    },
    'iPhone, in English, with a photo': {
      raw: utf8(
        ...head('Content-Type: multipart/mixed; boundary=Apple-Mail-1', 'X-Mailer: iPhone Mail (23A341)'),
        '',
        '--Apple-Mail-1',
        'Content-Type: text/plain; charset=us-ascii',
        'Content-Transfer-Encoding: 7bit',
        '',
        'This is the old sign.',
        '',
        '--Apple-Mail-1',
        'Content-Type: image/png; name="IMG_0001.png"; x-apple-part-url=1',
        'Content-Disposition: inline; filename="IMG_0001.png"',
        'Content-Transfer-Encoding: base64',
        '',
        base64(screenshot),
        '--Apple-Mail-1',
        'Content-Type: text/plain; charset=us-ascii',
        'Content-Transfer-Encoding: 7bit',
        '',
        '',
        'Sent from my iPhone',
        '',
        '> On 23 Nov 2026, at 10:00, Northrank <hello@northrank.example> wrote:',
        '> ',
        `> ${replyLine}`,
        '> Hello',
        '--Apple-Mail-1--',
      ),
      text: 'This is the old sign.',
      folded: 'Sent from my iPhone',
      attachmentNames: ['IMG_0001.png'],
    },
    'iPhone, in Japanese, iso-2022-jp': {
      raw: latin1(
        ...head('Content-Type: text/plain; charset=iso-2022-jp', 'Content-Transfer-Encoding: base64'),
        '',
        'GyRCTjsyciQ3JF4kNyQ/ISMbKEINChskQiRoJG0kNyQvJCo0aiQkJDckXiQ5ISMbKEINCg0KMjAyNhskQkcvGyhCMTEbJEI3bhsoQjIzGyRCRnwbKEIoGyRCN24bKEIpIDE5OjAwIE5vcnRocmFuayA8aGVsbG9Abm9ydGhyYW5rLmV4YW1wbGU+Og0KDQo+IFBsZWFzZSB3cml0ZSB5b3VyIHJlcGx5IGFib3ZlIHRoaXMgbGluZQ0KPiAbJEIkMyRzJEskQSRPGyhCDQo=',
      ),
      text: '了解しました。\nよろしくお願いします。',
      folded: 'こんにちは',
    },
    'Thunderbird, reply below the quotation': {
      raw: utf8(
        ...head(
          'Content-Type: text/plain; charset=UTF-8; format=flowed',
          'Content-Transfer-Encoding: 8bit',
          'User-Agent: Mozilla Thunderbird',
        ),
        '',
        'On 23.11.2026 10:00, Northrank wrote:',
        `> ${replyLine}`,
        '>',
        '> When do we start?',
        '',
        'Tomorrow – perfect.',
        '',
        '-- ',
        'Ada Lovelace',
        'Analytical Engines',
      ),
      text: 'Tomorrow – perfect.',
      folded: 'Analytical Engines',
    },
    'Yahoo, in Spanish': {
      raw: utf8(
        ...head(
          'Content-Type: multipart/alternative; boundary="----=_Part_1"',
          'X-Mailer: WebService/1.1 YMailNorrin',
        ),
        '',
        '------=_Part_1',
        'Content-Type: text/plain; charset=UTF-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        quotedPrintable(
          ` ¿Pueden empezar el lunes? Mañana no estoy.\n    El lunes, 23 de noviembre de 2026, 11:00:00 CET, ${site} escribió:  \n \n ${replyLine}\nHola`,
        ),
        '------=_Part_1',
        'Content-Type: text/html; charset=UTF-8',
        '',
        '<p>¿Pueden empezar el lunes?</p>',
        '------=_Part_1--',
      ),
      text: '¿Pueden empezar el lunes? Mañana no estoy.',
      folded: 'Hola',
    },
    'Mail.ru, in Russian, koi8-r': {
      raw: latin1(
        ...head('Content-Type: text/plain; charset=koi8-r', 'Content-Transfer-Encoding: base64'),
        '',
        '6M/Sz9vPLCDOwd7JzsHK1MUuDQoNCtDOLCAyMyDOz9HCLiAyMDI2IMcuINcgMTM6MDAsIE5vcnRocmFuayA8aGVsbG9Abm9ydGhyYW5rLmV4YW1wbGU+Og0KDQo+IFBsZWFzZSB3cml0ZSB5b3VyIHJlcGx5IGFib3ZlIHRoaXMgbGluZQ0KPiD6xNLB19PU19XK1MUNCg==',
      ),
      text: 'Хорошо, начинайте.',
      folded: 'Здравствуйте',
    },
    'a mail without a quotation': {
      raw: utf8(...head('Content-Type: text/plain; charset=utf-8'), '', 'Yes, please.'),
      text: 'Yes, please.',
    },
    'a quotation without `replyLine`': {
      raw: utf8(
        ...head('Content-Type: text/plain; charset=utf-8'),
        '',
        'Yes, please.',
        '',
        `On Mon, Nov 23, 2026 at 10:00 AM ${site} wrote:`,
        '',
        '> New message',
      ),
      text: 'Yes, please.',
      folded: '> New message',
    },
    'only an attachment': {
      raw: utf8(
        ...head('Content-Type: multipart/mixed; boundary="b"'),
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        '',
        `On Mon, Nov 23, 2026 at 10:00 AM ${site} wrote:`,
        `> ${replyLine}`,
        '--b',
        "Content-Type: application/pdf; name*=UTF-8''Br%C3%BCcke.pdf",
        "Content-Disposition: attachment; filename*=UTF-8''Br%C3%BCcke.pdf",
        'Content-Transfer-Encoding: base64',
        '',
        base64(Buffer.from('%PDF-1.7')),
        '--b--',
      ),
      text: '',
      folded: replyLine,
      attachmentNames: ['Brücke.pdf'],
    },
    'a screenshot that was pasted into the text': {
      raw: utf8(
        ...head('Content-Type: multipart/related; boundary="r"'),
        '',
        '--r',
        'Content-Type: multipart/alternative; boundary="a"',
        '',
        '--a',
        'Content-Type: text/plain; charset="UTF-8"',
        '',
        'It looks like this:',
        '[image: screenshot.png]',
        '--a',
        'Content-Type: text/html; charset="UTF-8"',
        '',
        '<div>It looks like this:<br><img src="cid:ii_1" alt="screenshot.png"></div><div class="gmail_signature"><img src="cid:ii_2"></div>',
        '--a--',
        '--r',
        'Content-Type: image/png; name="screenshot.png"',
        'Content-Disposition: inline; filename="screenshot.png"',
        'Content-Transfer-Encoding: base64',
        'Content-ID: <ii_1>',
        '',
        base64(screenshot),
        '--r',
        'Content-Type: image/png; name="logo.png"',
        'Content-Disposition: inline; filename="logo.png"',
        'Content-Transfer-Encoding: base64',
        'Content-ID: <ii_2>',
        '',
        base64(screenshot),
        '--r--',
      ),
      text: 'It looks like this:\n[image: screenshot.png]',
      attachmentNames: ['screenshot.png'],
    },
    ...Object.fromEntries(
      Object.entries({
        Thunderbird: `<div class="moz-cite-prefix">On 23.11.26, Northrank wrote:</div><blockquote>${replyLine}<img src="cid:of_ours"></blockquote>`,
        Gmail: `<div class="gmail_quote"><div class="gmail_attr">On Mon, Nov 23, 2026, Northrank wrote:</div><blockquote class="gmail_quote">${replyLine}<img src="cid:of_ours"></blockquote></div>`,
      }).map(([program, quotation]) => [
        `${program}, a screenshot that was pasted below the quotation`,
        {
          raw: utf8(
            ...head('Content-Type: multipart/related; boundary="r"'),
            '',
            '--r',
            'Content-Type: multipart/alternative; boundary="a"',
            '',
            '--a',
            'Content-Type: text/plain; charset="UTF-8"',
            '',
            `> ${replyLine}`,
            '> Which page?',
            'This one.',
            '--a',
            'Content-Type: text/html; charset="UTF-8"',
            '',
            `${quotation}<p>This one.<img src="cid:part1"></p><div class="moz-signature"><img src="cid:logo"></div>`,
            '--a--',
            ...['of_ours', 'part1', 'logo'].flatMap((id) => [
              '--r',
              `Content-Type: image/png; name="${id}.png"`,
              `Content-Disposition: inline; filename="${id}.png"`,
              'Content-Transfer-Encoding: base64',
              `Content-ID: <${id}>`,
              '',
              base64(screenshot),
            ]),
            '--r--',
          ),
          text: 'This one.',
          folded: `> ${replyLine}\n> Which page?\nThis one.`,
          attachmentNames: ['part1.png'],
        },
      ]),
    ),
    'a reply with an attached mail, which has another mail attached': {
      raw: utf8(
        ...head('Content-Type: multipart/mixed; boundary="b"'),
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'See what they wrote.',
        '--b',
        'Content-Type: message/rfc822',
        'Content-Disposition: attachment',
        '',
        'From: other@example.com',
        'To: ada@example.com',
        'Subject: Fwd',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="inner"',
        '',
        '--inner',
        'Content-Type: text/plain',
        '',
        'Inner text',
        '--inner',
        'Content-Type: message/rfc822',
        '',
        'From: third@example.com',
        'Subject: deep',
        '',
        'Deep text',
        '--inner--',
        '--b--',
      ),
      text: 'See what they wrote.',
      attachmentNames: ['message-1.eml'],
    },
  };
}

/** `messageId: ''` leaves out the header. */
export function plainReply(
  { to, from = 'ada@example.com', messageId = '<1@mail.example>' }: RawMailOptions,
  text: string,
  headers: readonly string[] = [],
): Buffer {
  return utf8(
    `From: ${from}`,
    `To: ${to}`,
    ...(messageId === '' ? [] : [`Message-ID: ${messageId}`]),
    'Subject: Re: SEO audit',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    ...headers,
    '',
    text,
  );
}

export function replyWithFiles(
  { to, from = 'ada@example.com', messageId = '<1@mail.example>' }: RawMailOptions,
  text: string,
  files: readonly { name: string; content: Buffer }[],
): Buffer {
  return utf8(
    `From: ${from}`,
    `To: ${to}`,
    `Message-ID: ${messageId}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="frontier"',
    '',
    '--frontier',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    ...files.flatMap(({ name, content }) => [
      '--frontier',
      'Content-Type: application/octet-stream',
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      base64(content),
    ]),
    '--frontier--',
  );
}

export const automaticHeaders: Record<string, string[]> = {
  'an out-of-office reply (RFC 3834)': ['Auto-Submitted: auto-replied'],
  'an out-of-office reply of Exchange': ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'],
  'an out-of-office reply of an old server': ['X-Autoreply: yes'],
  'a vacation reply with a precedence': ['Precedence: auto_reply'],
  'a bulk mail': ['Precedence: bulk'],
  'a mail of a mailing list': ['List-Id: <team.lists.example>'],
  'a mail with an empty return path': ['Return-Path: <>'],
  'an automatic reply of a help desk': ['X-Autorespond: Ticket received'],
};
