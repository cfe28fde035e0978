/** RFC 8187 allows these in `filename*` as they are. */
const plain = /[A-Za-z0-9!#$&+.^_`|~-]/;
/** File systems or old browsers misread these in a name. */
const troublesome = /[<>:"/\\|?*%\u0000-\u001f\u007f]/g;

/** The name in ASCII, and in Unicode for browsers that support RFC 8187 (all current ones). */
export function attachmentNamed(name: string): string {
  const safe = name.toWellFormed().replace(troublesome, '_');
  const ascii = safe
    .normalize('NFKD')
    // The normal form of a full-width quotation mark is a quotation mark.
    .replace(troublesome, '_')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded(safe)}`;
}

function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return byte < 128 && plain.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
