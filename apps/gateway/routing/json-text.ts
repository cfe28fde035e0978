/** Protects everything that walks a body recursively. No documented body is nearly as deep. */
const maxDepth = 32;

/**
 * Checks the text before it is parsed: for nesting that is too deep, and for duplicate keys, which parsers read differently (RFC 8259, section 4).
 * Undefined if it has neither; the parser decides whether it is JSON.
 */
export function findFault(text: string): string | undefined {
  /** For each open bracket: the keys so far if it began an object; undefined if it began an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (character === quote) {
      const end = endOfString(text, i);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        const key = unescaped(text.slice(i, end));
        if (keys.has(key)) return 'The body contains an object with a duplicate key.';
        keys.add(key);
      }
      i = end - 1;
    } else if (character === openBracket || character === openBrace) {
      open.push(character === openBrace ? new Set() : undefined);
      if (open.length > maxDepth) return 'The body is nested too deeply.';
    } else if (character === closeBracket || character === closeBrace) open.pop();
  }
  return undefined;
}

/** Returns the index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (character === backslash) i += 1;
    else if (character === quote) return i + 1;
  }
  return text.length;
}

/** A string is a key when a colon follows. */
function isKey(text: string, end: number): boolean {
  let i = end;
  while (whiteSpace.has(text.charCodeAt(i))) i += 1;
  return text.charCodeAt(i) === colon;
}

/** Keys are compared without escapes, because any character of a key may be written as one. */
function unescaped(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

const codeOf = (character: string) => character.charCodeAt(0);
const quote = codeOf('"');
const backslash = codeOf('\\');
const colon = codeOf(':');
const openBracket = codeOf('[');
const closeBracket = codeOf(']');
const openBrace = codeOf('{');
const closeBrace = codeOf('}');
const whiteSpace = new Set([...' \t\n\r'].map(codeOf));
