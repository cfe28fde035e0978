/** In the order of the form; a name may occur twice. */
export type Pairs = [name: string, value: string][];

export type NotificationCharset = 'windows-1252' | 'utf-8';

/**
 * Without `stream: true`, Node 20 decodes windows-1252 as Latin-1 (0x80 becomes a control character instead of €).
 *
 * @throws RangeError when there is no such encoding
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const decoder = new TextDecoder(charset);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

const windows1252 = new Map(
  Array.from({ length: 128 }, (_, index) => {
    const byte = 128 + index;
    return [decodeText(Uint8Array.of(byte), 'windows-1252'), byte] as const;
  }),
);

function bytesOf(text: string, charset: NotificationCharset): Buffer {
  if (charset === 'utf-8') return Buffer.from(text, 'utf8');
  // Characters that windows-1252 does not have become question marks.
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.codePointAt(0)!;
      return code < 128 ? code : (windows1252.get(character) ?? 0x3f);
    }),
  );
}

/** Like PayPal: `+` for a space; letters, digits, `-`, `_` and `.` unchanged; everything else as `%XX`. */
export function encodeForm(pairs: Pairs, charset: NotificationCharset): string {
  const encode = (text: string) =>
    Array.from(bytesOf(text, charset), (byte) => {
      const character = String.fromCharCode(byte);
      if (/[\w.-]/.test(character)) return character;
      return byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    }).join('');
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Uses `charset`, or else the form's own `charset` field, by default windows-1252. Undefined for an unknown encoding. */
export function decodeForm(body: Buffer, charset?: string): Pairs | undefined {
  const raw = body
    .toString('latin1')
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0
        ? [percentDecode(part), '']
        : [percentDecode(part.slice(0, at)), percentDecode(part.slice(at + 1))];
    });
  const label = charset ?? raw.find(([name]) => name === 'charset')?.[1] ?? 'windows-1252';
  if (!isEncoding(label.trim())) return undefined;
  const decode = (latin1: string) => decodeText(Buffer.from(latin1, 'latin1'), label.trim());
  return raw.map(([name, value]) => [decode(name!), decode(value!)]);
}

function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** Returns one character for each byte. */
function percentDecode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
