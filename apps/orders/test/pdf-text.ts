import { type PdfObject, pdfObjects } from '../../../dev/commands/invoices/pdf-file.js';

/** The texts on the page of a PDF file that pdfkit wrote, one for each drawing instruction. */
export function pdfTexts(pdf: Buffer): string[] {
  const objects = pdfObjects(pdf);
  const byId = new Map(objects.map((object) => [object.id, object]));
  const page = objects.find(({ dictionary }) => /\/Type \/Page\b/.test(dictionary))!;
  const content = byId.get(referenceTo('Contents', page))!.stream.toString('latin1');
  const resources = byId.get(referenceTo('Resources', page))!.dictionary;
  const fonts = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
      name,
      charactersOf(byId.get(referenceTo('ToUnicode', byId.get(id!)!))!.stream.toString('latin1')),
    ]),
  );
  const texts: string[] = [];
  for (const [, name, codes = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf[^[]*\[([^\]]*)\] TJ/g)) {
    const glyphs = [...codes.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    texts.push(glyphs.map((glyph) => fonts.get(name)?.get(parseInt(glyph, 16)) ?? '\uFFFD').join(''));
  }
  return texts;
}

function referenceTo(key: string, { dictionary }: PdfObject): string {
  return new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1] ?? '';
}

/** A font's characters by glyph number, from the font's ToUnicode map, which programs use to copy text. */
function charactersOf(toUnicodeMap: string): Map<number, string> {
  const characters = new Map<number, string>();
  for (const [, first = '', list = ''] of toUnicodeMap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/gs))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f]*)>/g)].entries())
      characters.set(parseInt(first, 16) + index, Buffer.from(hex, 'hex').swap16().toString('utf16le'));
  return characters;
}
