import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentContract, type ContentRecord } from '#libs/contracts';
import { Handles, StreamsServer } from '#libs/transport';
import { IdentityHarness } from './identity.harness.js';

const siteName: ContentRecord = {
  _id: '0198c000-0000-7000-8000-000000000001',
  siteName: 'Summit Peak',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  version: 1,
};

/** Takes the place of the content service, with only the call that identity needs. */
@Controller()
class Content {
  @Handles(contentContract.list)
  list({ section }: { section: string }): ContentRecord[] {
    return section === 'siteName' ? [siteName] : [];
  }
}
@Module({ controllers: [Content] })
class ContentModule {}

let identity: IdentityHarness;
let content: INestMicroservice;
beforeAll(async () => {
  identity = await IdentityHarness.start({ PUBLIC_URL: 'https://www.mountain-seo.example' });
  const strategy = new StreamsServer({ service: 'content', redisUrl: identity.redisUrl });
  content = await NestFactory.createMicroservice(ContentModule, { strategy, logger: false });
  // The password is accepted, because content is not up yet. Identity must ask content again later.
  await identity.register('early@example.com', 'Summit-Peak1');
  await content.listen();
});
afterAll(async () => {
  await content?.close();
  await identity?.stop();
});

test.each(['Summit-Peak1', 'mountain-seo!'])(
  'a password must not be the site’s name or part of its address, even with separators, digits or symbols: %s',
  async (password) => {
    await expect(identity.register('somebody@example.com', password)).rejects.toMatchObject({
      code: 'WEAK_PASSWORD',
      details: {
        fields: [
          {
            field: 'password',
            message: 'This password is this site’s name, or part of its address. Choose a different one.',
          },
        ],
      },
    });
  },
);
