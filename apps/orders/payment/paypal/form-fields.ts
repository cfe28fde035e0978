/** The decoded fields of a form. Their names are case-sensitive, as PayPal's are. */
export interface FormFields {
  /** The first value of the name. */
  get(name: string): string | undefined;
  /** Names that occur more than once: it is unclear which of their values is meant. */
  readonly repeatedNames: readonly string[];
}

/** PayPal's encoding unless the account has chosen another. */
const defaultCharset = 'windows-1252';
const keepByteOrderMark = { ignoreBOM: true };

/**
 * Reads `application/x-www-form-urlencoded` in the charset that the message names
 * (https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/). Never throws: bad escapes stay, and an unknown charset counts as PayPal's
 * default.
 */
export function readForm(body: Buffer): FormFields {
  const pairs = body
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [Buffer, Buffer] => {
      const end = pair.indexOf('=');
      return end < 0
        ? [unescaped(pair), Buffer.alloc(0)]
        : [unescaped(pair.slice(0, end)), unescaped(pair.slice(end + 1))];
    });
  const charset = pairs.find(([name]) => name.toString('latin1') === 'charset')?.[1].toString('latin1');
  const decode = decoderFor(charset ?? defaultCharset);
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [nameBytes, value] of pairs) {
    const name = decode(nameBytes);
    if (values.has(name)) repeated.add(name);
    else values.set(name, decode(value));
  }
  return { get: (name) => values.get(name), repeatedNames: [...repeated] };
}

function decoderFor(charset: string): (bytes: Buffer) => string {
  const decoder = knownDecoder(charset) ?? new TextDecoder(defaultCharset, keepByteOrderMark);
  if (decoder.encoding !== 'windows-1252') return (bytes) => decoder.decode(bytes);
  return (bytes) =>
    bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (byte) => charsFrom0x80[byte.charCodeAt(0) - 0x80]!);
}

function knownDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, keepByteOrderMark);
  } catch {
    return undefined;
  }
}

/**
 * The characters of windows-1252 from 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt). Node 20 decodes those bytes as ISO
 * 8859-1 does (https://github.com/nodejs/node/issues/56542).
 */
const charsFrom0x80 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'];

/** `text` has one character for each byte. */
function unescaped(text: string): Buffer {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
