import { fileURLToPath } from 'node:url';
import type { InvoiceDocument } from '#libs/contracts';
import { utcDayInWords } from '#libs/runtime';
import { addressLines, moneyText, notesOf, statusText, taxLabelOf, titleOf } from './invoice-wording.js';

const fontFile = (name: string) => fileURLToPath(new URL(`./fonts/${name}.ttf`, import.meta.url));

/** The fonts for text have Latin, Greek and Cyrillic letters; the one for headings has only Latin ones. */
export const fontFiles = {
  text: fontFile('invoice-sans-regular'),
  strong: fontFile('invoice-sans-semibold'),
  display: fontFile('bricolage-grotesque-bold'),
};
type Font = keyof typeof fontFiles;

/** Based on the light colours of web/src/styles/tokens.css. */
const colours = {
  ink: '#12161f',
  quiet: '#4a5160',
  rule: '#dcdcdd',
  /** For the lower lines of `drawLadder`. */
  resting: '#d8d4c8',
  signal: '#c8361b',
  signalSoft: '#f7e3dc',
  /** For the lower lines of `drawLadder` on a credit note. */
  restingSignal: '#eec4b8',
  good: '#0b6b53',
};
type Colour = keyof typeof colours;

interface TextStyle {
  font?: Font;
  size?: number;
  colour?: Colour;
  align?: 'left' | 'right';
  /** The rest is cut off with an ellipsis. */
  maxLines?: number;
}

/** In points. */
const margin = 54;
const gap = 20;

interface PageOptions {
  /** Scales the text below the header. */
  bodyScale: number;
  /** PNG or JPEG. */
  logo: Buffer | undefined;
}

export class InvoicePage {
  private readonly right: number;
  private readonly width: number;
  /** Where the next block begins. */
  private y = 0;
  private scale = 1;

  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    private readonly document: InvoiceDocument,
    private readonly options: PageOptions,
  ) {
    for (const [name, file] of Object.entries(fontFiles)) pdf.registerFont(name, file);
    this.right = pdf.page.width - margin;
    this.width = this.right - margin;
  }

  /** Returns whether everything fits on the page. */
  draw(): boolean {
    this.drawHeader();
    this.scale = this.options.bodyScale;
    this.drawParties();
    this.drawItem();
    const top = this.y + 14;
    const notesEnd = this.drawNotes(top);
    this.drawTotals(top);
    return Math.max(this.y, notesEnd) + gap <= this.drawFooter();
  }

  private drawHeader(): void {
    const { pdf, document } = this;
    const isCredit = document.kind === 'credit_note';
    const band = 196;
    if (isCredit) pdf.rect(0, 0, pdf.page.width, band).fill(colours.signalSoft);
    this.drawLadder(isCredit ? 'restingSignal' : 'resting');
    if (!this.drawLogo()) {
      this.drawMark(margin, 46, 26);
      this.drawText(document.site, margin + 37, 50.5, this.width - 190, {
        font: 'display',
        size: 15,
        maxLines: 1,
      });
    }
    this.drawText(titleOf(document), margin, 98, this.width, {
      font: 'display',
      size: 34,
      colour: isCredit ? 'signal' : 'ink',
    });
    this.drawStatus(148);
    if (!isCredit) this.drawRule(band - 10);
    this.y = band + 20;
  }

  /** The site's motif: lines that run off the right edge, the top one highlighted. */
  private drawLadder(resting: Colour): void {
    const { pdf } = this;
    const edge = pdf.page.width;
    const lengths = [92, 66, 80, 50, 62];
    for (const [rank, length] of lengths.entries()) {
      const colour = colours[rank === 0 ? 'signal' : resting];
      pdf.roundedRect(edge - length, 46 + rank * 15, length + 10, 5.5, 2.75).fill(colour);
    }
  }

  /** Returns whether there is a logo, and it can be read. */
  private drawLogo(): boolean {
    const { logo } = this.options;
    if (!logo) return false;
    try {
      this.pdf.image(logo, margin, 40, { fit: [200, 38], valign: 'center' });
      return true;
    } catch {
      return false;
    }
  }

  /** The site's icon (web/public/favicon.svg). */
  private drawMark(x: number, y: number, size: number): void {
    const { pdf } = this;
    const unit = size / 32;
    pdf.roundedRect(x, y, size, size, 7 * unit).fill(colours.ink);
    const bars = [
      [7, 20, '#ff7a5c'],
      [14, 15, '#8e9097'],
      [21, 11, '#8e9097'],
    ] as const;
    for (const [top, length, colour] of bars)
      pdf.roundedRect(x + 6 * unit, y + top * unit, length * unit, 4 * unit, 2 * unit).fill(colour);
  }

  private drawStatus(y: number): void {
    const { pdf, document } = this;
    const colour = document.kind === 'invoice' ? 'good' : 'signal';
    pdf.circle(margin + 8, y + 9, 8).fill(colours[colour]);
    pdf.lineWidth(1.6).lineCap('round').lineJoin('round').strokeColor('#ffffff');
    if (document.kind === 'invoice')
      pdf
        .moveTo(margin + 4.6, y + 9.2)
        .lineTo(margin + 7.2, y + 11.8)
        .lineTo(margin + 11.6, y + 6.6)
        .stroke();
    else
      pdf
        .moveTo(margin + 11.8, y + 9)
        .lineTo(margin + 4.4, y + 9)
        .moveTo(margin + 7.2, y + 6.2)
        .lineTo(margin + 4.4, y + 9)
        .lineTo(margin + 7.2, y + 11.8)
        .stroke();
    const amount = this.money(document.grossCents);
    const start = margin + 25;
    this.drawText(amount, start, y, this.width, { font: 'strong', size: 13.5 });
    const after = start + pdf.widthOfString(amount) + 7;
    this.drawText(statusText(document), after, y, this.right - after, { size: 13.5, colour, maxLines: 1 });
  }

  private drawParties(): void {
    const { seller, buyer } = this.document;
    const column = (this.width - 2 * gap) / 3;
    const top = this.y;
    const sellerEnd = this.drawParty('From', margin, top, column, seller.name, [
      ...addressLines(seller),
      seller.email,
    ]);
    const buyerEnd = this.drawParty(
      'Billed to',
      margin + column + gap,
      top,
      column,
      buyer.company || buyer.name,
      [
        ...(buyer.company === '' ? [] : [buyer.name]),
        ...addressLines(buyer),
        ...(buyer.vatId === '' ? [] : [`VAT ID ${buyer.vatId}`]),
        buyer.email,
      ],
    );
    const factsEnd = this.drawFacts(margin + 2 * (column + gap), top, column);
    this.y = Math.max(sellerEnd, buyerEnd, factsEnd) + 30;
  }

  private drawParty(
    label: string,
    x: number,
    y: number,
    width: number,
    name: string,
    lines: string[],
  ): number {
    let end = this.drawLabel(label, x, y, width);
    end = this.drawText(name, x, end, width, { font: 'strong', size: 10, maxLines: 5 });
    for (const line of lines)
      if (line !== '')
        end = this.drawText(line, x, end + 1, width, { size: 9.5, colour: 'quiet', maxLines: 4 });
    return end;
  }

  private drawFacts(x: number, y: number, width: number): number {
    const { number, issuedOn, order, payment, cites, kind } = this.document;
    const facts: [string, string][] = [
      ['Number', number],
      ['Issued', utcDayInWords(issuedOn)],
      ...(cites && kind === 'credit_note' ? ([['For invoice', cites.number]] as [string, string][]) : []),
      ['Order', `#${order.number}`],
      ['Ordered', utcDayInWords(order.placedOn)],
      ...(payment?.reference ? ([['Payment', payment.reference]] as [string, string][]) : []),
    ];
    const labelWidth = 54 * this.scale;
    let end = this.drawLabel('Details', x, y, width);
    for (const [label, value] of facts) {
      this.drawText(label, x, end, labelWidth, { size: 9.5, colour: 'quiet' });
      end = this.drawText(value, x + labelWidth, end, width - labelWidth, { size: 9.5 }) + 1;
    }
    return end;
  }

  private drawLabel(label: string, x: number, y: number, width: number): number {
    return this.drawText(label, x, y, width, { font: 'display', size: 8.5, colour: 'quiet' }) + 5;
  }

  private drawItem(): void {
    const { item, netCents } = this.document;
    const amountWidth = 92;
    const quantityWidth = 56;
    const nameWidth = this.width - amountWidth - quantityWidth;
    const amountX = this.right - amountWidth;
    const header = { font: 'display', size: 8.5, colour: 'quiet' } as const;
    this.drawText('Description', margin, this.y, nameWidth, header);
    this.drawText('Quantity', amountX - quantityWidth, this.y, quantityWidth, { ...header, align: 'right' });
    const headerEnd = this.drawText('Net', amountX, this.y, amountWidth, { ...header, align: 'right' });
    this.drawRule(headerEnd + 6, 'ink');
    const top = headerEnd + 17;
    let end = this.drawText(item.name, margin, top, nameWidth - gap, {
      font: 'strong',
      size: 11,
      maxLines: 8,
    });
    if (item.period) {
      const period = `${utcDayInWords(item.period.from)} – ${utcDayInWords(item.period.to)}`;
      end = this.drawText(period, margin, end + 2, nameWidth - gap, { size: 9.5, colour: 'quiet' });
    }
    this.drawText('1', amountX - quantityWidth, top, quantityWidth, { size: 11, align: 'right' });
    this.drawText(this.money(netCents), amountX, top, amountWidth, { size: 11, align: 'right' });
    this.y = end + 12;
    this.drawRule(this.y);
  }

  /** Returns where the notes end. */
  private drawNotes(top: number): number {
    let end = top;
    for (const note of notesOf(this.document))
      end =
        this.drawText(note, margin, end, this.width * 0.46, { size: 9.5, colour: 'quiet', maxLines: 14 }) + 6;
    return end;
  }

  private drawTotals(top: number): void {
    const { document } = this;
    const { netCents, taxCents, grossCents, kind, currency } = document;
    const x = margin + this.width * 0.54;
    const width = this.right - x;
    const row = (label: string, amount: string, y: number, style: TextStyle) => {
      this.drawText(label, x, y, width, style);
      return this.drawText(amount, x, y, width, { ...style, align: 'right' });
    };
    const plain: TextStyle = { size: 10.5, colour: 'quiet' };
    let end = row('Net', this.money(netCents), top, plain) + 5;
    end = row(taxLabelOf(document), this.money(taxCents), end, plain) + 9;
    this.drawRule(end, 'ink', x);
    const total = kind === 'invoice' ? 'Total' : 'Total credited';
    end = row(`${total} (${currency})`, this.money(grossCents), end + 9, { font: 'display', size: 13.5 }) + 9;
    this.drawRule(end, 'rule', x);
    end = row(kind === 'invoice' ? 'Paid' : 'Settled', this.money(grossCents), end + 8, plain) + 5;
    // Nothing is due: an invoice is issued only once its order counts as paid, and a credit note takes back an invoice or a part of it.
    end = row('Amount due', this.money(0), end, { ...plain, font: 'strong', colour: 'ink' });
    this.y = end;
  }

  /** Returns where the footer begins. */
  private drawFooter(): number {
    const { pdf, document } = this;
    const { seller } = document;
    const taxIds = [
      ...(seller.vatId === '' ? [] : [`VAT ID ${seller.vatId}`]),
      ...(seller.taxNumber === '' ? [] : [`Tax number ${seller.taxNumber}`]),
    ];
    const columns = [
      taxIds,
      seller.register === '' ? [] : ['Register', seller.register],
      seller.bankAccount === '' ? [] : ['Bank account', seller.bankAccount],
    ].filter((lines) => lines.length > 0);
    const style: TextStyle = { size: 8, colour: 'quiet', maxLines: 4 };
    const width = (this.width - 2 * gap) / 3;
    const heights = columns.map((lines) =>
      lines.reduce((sum, line) => sum + this.heightOf(line, width, style), 0),
    );
    const about = 'This file also contains the document as an e-invoice (Factur-X, EN 16931).';
    const aboutHeight = this.heightOf(about, this.width, style);
    const bottom = pdf.page.height - 36;
    const top = bottom - aboutHeight - (columns.length > 0 ? Math.max(...heights) + 10 : 0);
    this.drawRule(top - 12);
    for (const [index, lines] of columns.entries()) {
      let y = top;
      for (const line of lines) y = this.drawText(line, margin + index * (width + gap), y, width, style);
    }
    this.drawText(about, margin, bottom - aboutHeight, this.width, style);
    return top - 12;
  }

  private drawRule(y: number, colour: Colour = 'rule', x = margin): void {
    this.pdf
      .lineWidth(0.75)
      .lineCap('butt')
      .strokeColor(colours[colour])
      .moveTo(x, y)
      .lineTo(this.right, y)
      .stroke();
  }

  private money(cents: number): string {
    return moneyText(cents, this.document.currency);
  }

  /** Returns the bottom of the text. */
  private drawText(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    const { printable, options } = this.prepare(text, width, style);
    this.pdf.fillColor(colours[style.colour ?? 'ink']).text(printable, x, y, options);
    return y + this.printableHeight(printable, options);
  }

  private heightOf(text: string, width: number, style: TextStyle): number {
    const { printable, options } = this.prepare(text, width, style);
    return this.printableHeight(printable, options);
  }

  private printableHeight(printable: string, options: PDFKit.Mixins.TextOptions): number {
    return Math.min(
      this.pdf.heightOfString(printable, { ...options, height: undefined }),
      options.height ?? Infinity,
    );
  }

  private prepare(text: string, width: number, { font = 'text', size = 10, align, maxLines }: TextStyle) {
    const { pdf, scale } = this;
    pdf.font(font).fontSize(size * scale);
    let printable = this.printable(text);
    // More question marks than before: the font for headings lacks a character of this text.
    if (font === 'display' && questionMarksIn(printable) > questionMarksIn(text)) {
      pdf.font('strong');
      printable = this.printable(text);
    }
    const lineGap = 1.5 * scale;
    const options: PDFKit.Mixins.TextOptions = { width, lineGap, ...(align && { align }) };
    if (maxLines !== undefined) {
      options.height = maxLines * (pdf.currentLineHeight(true) + lineGap);
      options.ellipsis = true;
    }
    return { printable, options };
  }

  /** Replaces characters that the font lacks, because PDF/A requires a glyph for each character. Leaves invisible characters out. */
  private printable(text: string): string {
    const { font } = (this.pdf as unknown as CurrentFont)._font;
    return [
      ...text
        .normalize('NFC')
        .replace(/\s+/g, ' ')
        .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ''),
    ]
      .map((character) => (font.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : replacement))
      .join('');
  }
}

const replacement = '?';
const questionMarksIn = (text: string) => text.split(replacement).length - 1;

/** The types of the library hide the font. */
interface CurrentFont {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}
