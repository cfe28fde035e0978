/** Makes a path fit for a `Location` header, percent-encoded as UTF-8 (RFC 3986, section 2.5). Node refuses to write characters outside Latin-1. */
export function encodeLocation(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, (characters) =>
    Buffer.from(characters)
      .toString('hex')
      .replace(/../g, (byte) => `%${byte.toUpperCase()}`),
  );
}
