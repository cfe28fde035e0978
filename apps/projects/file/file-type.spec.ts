import { describe, expect, test } from '@jest/globals';
import { fileTypeOf } from './file-type.js';

const unknown = 'application/octet-stream';
const zip = (...names: string[]) =>
  Buffer.from(names.map((name) => `PK\x03\x04${'\0'.repeat(26)}${name}`).join(''), 'latin1');

describe('the type of a file by its bytes', () => {
  test.each([
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBP', 'image/webp'],
    ['RIFX\0\0\0\0WEBP', unknown],
    ['RIFF\0\0\0\0WAVE', 'audio/wav'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['\0\0\0\x20ftypheic', 'image/heic'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['\0\0\0\x14ftypqt  ', 'video/quicktime'],
    ['\0\0\0\x14ftyp<htm', unknown],
    ['%PDF-1.7', 'application/pdf'],
    [' %PDF-1.7', unknown],
    ['\x1a\x45\xdf\xa3\x01\x42\x82\x84webm', 'video/webm'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', unknown],
    ['<!DOCTYPE html><script>alert(1)</script>', unknown],
    ['#!/bin/sh\nrm -rf /', unknown],
    ['MZ\x90\0', unknown],
    ['GIF89', unknown],
    ['plain text', unknown],
    ['', unknown],
  ])('%j is %s', (bytes, type) => {
    expect(fileTypeOf(Buffer.from(bytes, 'latin1'))).toBe(type);
  });

  test('the files inside distinguish an Office document from a plain ZIP archive', () => {
    expect(fileTypeOf(zip('a.txt'))).toBe('application/zip');
    expect(fileTypeOf(zip('[Content_Types].xml', 'word/document.xml'))).toMatch(
      /wordprocessingml\.document$/,
    );
    expect(fileTypeOf(zip('[Content_Types].xml', 'xl/workbook.xml'))).toMatch(/spreadsheetml\.sheet$/);
    // In an OpenDocument archive, the first file is called `mimetype`, and its content directly follows its name.
    expect(fileTypeOf(zip('mimetypeapplication/vnd.oasis.opendocument.text'))).toBe(
      'application/vnd.oasis.opendocument.text',
    );
    expect(fileTypeOf(zip('mimetypetext/html'))).toBe('application/zip');
  });
});
