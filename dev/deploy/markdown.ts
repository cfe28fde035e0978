/** In code blocks, `#` starts a comment and brackets are no links. */
const withoutCodeBlocks = (text: string) => text.replace(/^ *```[^]*?^ *``` *$/gm, '');

/** As GitHub forms them from headings. */
export function anchorsOf(text: string): string[] {
  const uses = new Map<string, number>();
  return [...withoutCodeBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const anchor = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = uses.get(anchor) ?? 0;
    uses.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

export const linksOf = (text: string) =>
  [
    ...withoutCodeBlocks(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^()\s]+)\)/g),
  ].map(([, target]) => target!);
