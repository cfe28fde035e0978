import { describe, expect, test } from '@jest/globals';
import { imageKindOf } from './image-kind.js';

const kindOf = (text: string) => imageKindOf(Buffer.from(text));

describe('an SVG is recognized', () => {
  test.each([
    ['alone', '<svg>', 'svg'],
    ['with attributes', '<svg xmlns="http://www.w3.org/2000/svg">', 'svg'],
    ['in capital letters', '<SVG>', 'svg'],
    ['after a byte order mark and space', '\ufeff \r\n\t<svg>', 'svg'],
    ['after an XML declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<svg>', 'svg'],
    ['after comments', '<!-- a > b --><!----> <!-- <svg> -->\n<svg>', 'svg'],
    ['after a document type', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg>', 'svg'],
    ['after a document type with entities', '<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg>', 'svg'],
    ['after all of them', '<?xml version="1.0"?><!-- a --><!DOCTYPE svg><!-- b --><svg>', 'svg'],
    ['but not inside another element', '<html><svg></svg></html>', undefined],
    ['but not by an element whose name only begins with svg', '<svgs>', undefined],
    ['but not after a document type of another language', '<!DOCTYPE html><svg>', undefined],
    ['but not inside a comment that never ends', '<!-- <svg>', undefined],
    ['but not inside a declaration that never ends', '<?xml <svg', undefined],
    ['but not inside a document type that never ends', '<!DOCTYPE svg [<svg>', undefined],
    ['but not after 4096 bytes', `${' '.repeat(4096)}<svg>`, undefined],
    ['but not in an empty file', '', undefined],
  ])('%s', (_where, text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});

// A pattern that backtracks would take very long for some of these.
test.each([
  ['comments', '<!---->', ''],
  ['comments that are opened inside a comment', '<!--', '-->'],
  ['XML declarations', '<?xml?>', ''],
  ['document types', '<!DOCTYPE svg>', ''],
  ['document types that never end', '<!DOCTYPE svg ', ''],
  ['spaces', ' ', ''],
])('4 kB of %s are not recognized as an image', (_what, text, end) => {
  expect(kindOf(text.repeat(4096 / text.length - 1) + end)).toBeUndefined();
});
