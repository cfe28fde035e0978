import { expect, test } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.js';

const overloaded = expect.objectContaining({ code: 'OVERLOADED', details: { retryAfterSeconds: 5 } });

test('the limit holds for each key, and for all keys together', () => {
  const limit = new ConcurrencyLimit({ perKey: 2, inTotal: 3, retryAfterSeconds: 5 });
  const releaseOne = limit.reserve('one');
  limit.reserve('one');
  expect(() => limit.reserve('one')).toThrow(overloaded);
  limit.reserve('two');
  expect(() => limit.reserve('three')).toThrow(overloaded);
  releaseOne();
  limit.reserve('three');
  expect(() => limit.reserve('one')).toThrow(overloaded);
});

test('a place that is released twice makes room once', () => {
  const limit = new ConcurrencyLimit({ perKey: 2, inTotal: 2, retryAfterSeconds: 5 });
  const release = limit.reserve('one');
  limit.reserve('one');
  release();
  release();
  limit.reserve('one');
  expect(() => limit.reserve('one')).toThrow(overloaded);
});
