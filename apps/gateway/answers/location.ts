/**
 * A path as a `Location` header may hold it: what is not visible ASCII is percent-encoded as UTF-8 (RFC 3986, section 2.5). Node
 * refuses to write letters outside Latin-1, and others would not be read as they were meant.
 */
export function locationOf(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, (characters) =>
    Buffer.from(characters)
      .toString('hex')
      .replace(/../g, (byte) => `%${byte.toUpperCase()}`),
  );
}
