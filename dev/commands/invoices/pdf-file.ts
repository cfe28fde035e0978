import { inflateSync } from 'node:zlib';

export interface PdfObject {
  id: string;
  dictionary: string;
  /** Decompressed; empty if the object has none. */
  stream: Buffer;
}

/** Reads only PDF files that the site wrote. */
export function pdfObjects(pdf: Buffer): PdfObject[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj$/gms)].map(([, id = '', body = '']) => {
    const start = body.indexOf('\nstream\n');
    if (start < 0) return { id, dictionary: body, stream: Buffer.alloc(0) };
    const dictionary = body.slice(0, start);
    const raw = Buffer.from(
      body.slice(start + '\nstream\n'.length, body.lastIndexOf('\nendstream')),
      'latin1',
    );
    return { id, dictionary, stream: dictionary.includes('/FlateDecode') ? inflateSync(raw) : raw };
  });
}

/** The XML of an e-invoice; undefined if there is none. */
export function attachedXml(pdf: Buffer): string | undefined {
  return pdfObjects(pdf)
    .find(({ dictionary }) => dictionary.includes('/Type /EmbeddedFile'))
    ?.stream.toString();
}
