import { escapeMarkup } from '#libs/contracts';

/** An element that holds a text has no children. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  text: string;
}

/** Null leaves the child out. */
type Child = XmlElement | null;

export function group(name: string, ...children: Child[]): XmlElement {
  return { name, attributes: {}, children: children.filter((child) => child !== null), text: '' };
}

export function leaf(
  name: string,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  return { name, attributes, children: [], text };
}

/** Null if the text is empty, because UN/CEFACT does not allow an empty element where a text belongs. */
export function optionalLeaf(
  name: string,
  text: string | null,
  attributes?: Readonly<Record<string, string>>,
) {
  return text === null || text.trim() === '' ? null : leaf(name, text, attributes);
}

/** Leaves out characters that XML cannot hold. */
export function serialize(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markupOf(root, '')}`;
}

function markupOf({ name, attributes, children, text }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${markupText(value)}"`);
  const start = `${indent}<${name}${pairs.join('')}`;
  if (children.length > 0) {
    const inner = children.map((child) => markupOf(child, `${indent}  `)).join('');
    return `${start}>\n${inner}${indent}</${name}>\n`;
  }
  return text === '' ? `${start}/>\n` : `${start}>${markupText(text)}</${name}>\n`;
}

/** What XML 1.0 does not allow. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function markupText(text: string): string {
  return escapeMarkup(text.replace(forbidden, ''));
}

/** `path` has names without prefixes, e.g. `ExchangedDocument/ID`. */
export function elementsAt(element: XmlElement, path: string): XmlElement[] {
  return path
    .split('/')
    .reduce(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => localName(child) === name)),
      [element],
    );
}

export function textAt(element: XmlElement, path: string): string {
  return elementsAt(element, path)[0]?.text ?? '';
}

function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}
