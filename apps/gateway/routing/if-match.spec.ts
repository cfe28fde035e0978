import { describe, expect, test } from '@jest/globals';
import { readIfMatch } from './if-match.js';

describe('If-Match', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    ['"3"', 3],
    [' "12" ', 12],
  ])('%s is read as %s', (header, version) => {
    expect(readIfMatch(header)).toBe(version);
  });

  test.each(['W/"3"', '3', '"3', '"three"', '"1", "2"', '""', '"-1"', '"9999999999"'])(
    '%s is refused',
    (header) => {
      expect(() => readIfMatch(header)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    },
  );
});
