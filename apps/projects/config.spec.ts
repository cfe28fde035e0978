import { expect, test } from '@jest/globals';
import { readConfig } from '#libs/platform';
import { projectsSettings } from './config.js';

const needed = {
  DATABASE_URL: 'postgres://projects@localhost/projects',
  REDIS_URL: 'redis://localhost',
  PUBLIC_URL: 'https://site.example/',
};

test('only two connections and the public address are required; by default, files are stored in `.data/images`', () => {
  expect(readConfig(projectsSettings, needed)).toMatchObject({
    ok: true,
    config: { PUBLIC_URL: 'https://site.example', IMAGES_DIR: '.data/images' },
  });
});

test('every setting with an invalid value is named', () => {
  expect(readConfig(projectsSettings, { ...needed, PUBLIC_URL: 'site.example', REDIS_URL: '' })).toEqual({
    ok: false,
    faults: [expect.stringMatching(/^REDIS_URL: /), 'PUBLIC_URL: must be an address like http://host'],
  });
});

test.each(['tcp://clamd', 'tcp://clamd:0', 'http://clamd:3310', 'clamd:3310'])(
  'the address of the virus scanner cannot be %s',
  (CLAMD_URL) => {
    expect(readConfig(projectsSettings, { ...needed, CLAMD_URL })).toEqual({
      ok: false,
      faults: [expect.stringMatching(/^CLAMD_URL: must be an address /)],
    });
  },
);

test.each(['tcp://clamd.clamav:3310', 'tcp://[::1]:3310'])(
  'the address of the virus scanner can be %s',
  (CLAMD_URL) => {
    expect(readConfig(projectsSettings, { ...needed, CLAMD_URL })).toMatchObject({ config: { CLAMD_URL } });
  },
);

test('a bucket needs its keys', () => {
  expect(readConfig(projectsSettings, { ...needed, IMAGES_S3_URL: 'https://s3.example/bucket' })).toEqual({
    ok: false,
    faults: [
      'IMAGES_S3_ACCESS_KEY_ID: is required with IMAGES_S3_URL',
      'IMAGES_S3_SECRET_ACCESS_KEY: is required with IMAGES_S3_URL',
    ],
  });
});
