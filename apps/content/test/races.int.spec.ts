import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  broadcasts,
  contentContract,
  type DomainError,
  imageContract,
  system,
  visitor,
} from '#libs/contracts';
import { type SectionName, sections } from '#libs/content-model';
import { uuidv7 } from '#libs/database';
import { actors, eventually, sampleBody } from '#libs/testing';
import { Broadcaster } from '#libs/transport';
import { type ContentUnderTest, startContent } from './content.harness.js';

const { admin } = actors;

let content: ContentUnderTest;
beforeAll(async () => {
  content = await startContent({ replicaCount: 2 });
});
afterAll(() => content.stop());

const create = (section: SectionName, body: Record<string, unknown>, requestId = uuidv7()) =>
  content.client.call(contentContract.create, { section, body }, { actor: admin, requestId });
const update = (section: SectionName, id: string, body: Record<string, unknown>, ifVersion?: number) =>
  content.client.call(contentContract.update, { section, id, body, ifVersion }, { actor: admin });
const remove = (section: SectionName, id: string) =>
  content.client.call(contentContract.remove, { section, id }, { actor: admin });
const list = (section: SectionName) =>
  content.client.call(contentContract.list, { section }, { actor: visitor });
const snapshot = () => content.client.call(contentContract.snapshot, {}, { actor: system });

interface Outcomes<T> {
  done: T[];
  codes: string[];
}

async function race<T>(...calls: Promise<T>[]): Promise<Outcomes<T>> {
  const settled = await Promise.allSettled(calls);
  return {
    done: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    codes: settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as DomainError).code] : [])),
  };
}

/** Deletes a section's records in the database, because the service deletes a singleton only if it is demo content. */
const empty = (section: SectionName) =>
  content.sql.query('DELETE FROM entries WHERE section = $1', [section]);

const rounds = Array.from({ length: 20 }, (_, round) => round + 1);

test('the database itself refuses a singleton’s second record', async () => {
  await create('banner', sampleBody(sections.banner));
  const second = content.sql.query(
    `INSERT INTO entries (id, section, singleton, body, version) VALUES (gen_random_uuid(), 'banner', true, '{}', 1)`,
  );
  await expect(second).rejects.toMatchObject({ constraint: 'entries_one_per_singleton' });
  await empty('banner');
});

describe('concurrent admins', () => {
  test('create a singleton: one record is created, and the other admin is refused', async () => {
    for (const round of rounds) {
      const { done, codes } = await race(
        create('banner', sampleBody(sections.banner, `${round} a`)),
        create('banner', sampleBody(sections.banner, `${round} b`)),
      );
      expect(codes).toEqual(['SINGLETON_EXISTS']);
      expect(await list('banner')).toEqual(done);
      await empty('banner');
    }
  });

  test('create packages whose names differ only in letter case and surrounding blanks: one is created, and the other is refused', async () => {
    for (const round of rounds) {
      const { done, codes } = await race(
        create('pricingPackage', { ...sampleBody(sections.pricingPackage), packageName: `Größe ${round}` }),
        create('pricingPackage', { ...sampleBody(sections.pricingPackage), packageName: ` GRÖßE ${round} ` }),
      );
      expect(done).toHaveLength(1);
      expect(codes).toEqual(['DUPLICATE']);
    }
    expect(await list('pricingPackage')).toHaveLength(rounds.length);
    await empty('pricingPackage');
  });

  test('change the same version of a record: the second change is refused', async () => {
    const { _id, version } = await create('logo', sampleBody(sections.logo));
    for (const round of rounds) {
      const seenVersion = version + round - 1;
      const { done, codes } = await race(
        update('logo', _id, { logo: `/${round}-a` }, seenVersion),
        update('logo', _id, { logo: `/${round}-b` }, seenVersion),
      );
      expect(codes).toEqual(['VERSION_MISMATCH']);
      expect(done).toMatchObject([{ modified: true, record: { version: seenVersion + 1 } }]);
    }
  });

  test('add the last record that fits into a collection: one is added, and the others are refused', async () => {
    const { limit } = sections.faqItem;
    await content.sql.query(
      `INSERT INTO entries (id, section, singleton, body, version)
       SELECT gen_random_uuid(), 'faqItem', false, '{}', 1 FROM generate_series(1, $1)`,
      [limit - 1],
    );
    const calls = Array.from({ length: 20 }, (_, call) =>
      create('faqItem', sampleBody(sections.faqItem, call)),
    );
    const { done, codes } = await race(...calls);
    expect(done).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['COLLECTION_FULL']));
    expect(await list('faqItem')).toHaveLength(limit);
    await empty('faqItem');
  });

  test('delete the same record: the second call gets NOT_FOUND', async () => {
    const { _id } = await create('step', sampleBody(sections.step));
    const { done, codes } = await race(remove('step', _id), remove('step', _id));
    expect(done).toEqual([{ _id }]);
    expect(codes).toEqual(['NOT_FOUND']);
  });
});

describe('a package name', () => {
  const named = (packageName: string) => ({ ...sampleBody(sections.pricingPackage), packageName });

  test('that is taken is refused on create and on update, and the error names the field', async () => {
    const basic = await create('pricingPackage', named('Basic'));
    const premium = await create('pricingPackage', named('Premium'));
    const refusal = {
      code: 'DUPLICATE',
      details: { fields: [{ field: 'packageName', message: expect.any(String) }] },
    };
    await expect(create('pricingPackage', named('basic'))).rejects.toMatchObject(refusal);
    await expect(update('pricingPackage', premium._id, named('BASIC '))).rejects.toMatchObject(refusal);
    expect(await list('pricingPackage')).toEqual([basic, premium]);
  });

  test('may change its letter case, and is free again once it is changed or its package is deleted', async () => {
    // The previous test created these two.
    const [basic, premium] = await list('pricingPackage');
    await update('pricingPackage', basic!._id, named('BASIC'));
    await update('pricingPackage', basic!._id, named('Starter'));
    await update('pricingPackage', premium!._id, named('Basic'));
    await remove('pricingPackage', premium!._id);
    await create('pricingPackage', named('basic'));
  });

  test('may be longer than an entry of a database index', async () => {
    // Varied, because Postgres would compress a repetitive text until it fits.
    const long = Array.from({ length: 5_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
    ).join('');
    await create('pricingPackage', named(long));
    await expect(create('pricingPackage', named(long))).rejects.toMatchObject({ code: 'DUPLICATE' });
  });
});

describe('a library of pictures that is full', () => {
  const add = (digest: string) => {
    const picture = {
      name: 'a.png',
      alt: '',
      width: 40,
      height: 20,
      files: [{ name: '40x20.jpg', bytes: 1 }],
    };
    const input = { ...picture, id: uuidv7(), digest: digest.padEnd(64, '0') };
    return content.client.call(imageContract.add, input, { actor: admin });
  };

  test('takes no more pictures, but finds one that is uploaded again', async () => {
    const first = await add('a');
    await content.sql.query(
      `INSERT INTO images (id, name, alt, width, height, files, version, created_at, updated_at, digest)
       SELECT gen_random_uuid(), 'x', '', 1, 1, '[]', 1, now(), now(), lpad(n::text, 64, '0') FROM generate_series(1, 19998) AS n`,
    );
    const last = await add('b');
    expect(last._id).not.toBe(first._id);
    await expect(add('c')).rejects.toMatchObject({ code: 'COLLECTION_FULL' });
    expect((await add('a'))._id).toBe(first._id);
    const { rows } = await content.sql.query('SELECT count(*)::int AS images FROM images');
    expect(rows).toEqual([{ images: 20_000 }]);
    await content.sql.query('TRUNCATE images');
  });
});

describe('a repeated command', () => {
  test('with the same request id creates one record and gets the same reply', async () => {
    for (const round of rounds) {
      const requestId = uuidv7();
      const body = sampleBody(sections.contactDetail, round);
      const [first, second] = await Promise.all([
        create('contactDetail', body, requestId),
        create('contactDetail', body, requestId),
      ]);
      expect(second).toEqual(first);
      expect(await create('contactDetail', body, requestId)).toEqual(first);
    }
    expect(await list('contactDetail')).toHaveLength(rounds.length);
    const { rows } = await content.sql.query(
      `SELECT count(*)::int AS events FROM outbox_messages WHERE payload->>'section' = 'contactDetail'`,
    );
    expect(rows).toEqual([{ events: rounds.length }]);
  });

  test('with the same request id and another body is refused', async () => {
    const requestId = uuidv7();
    await create('designItem', sampleBody(sections.designItem, 'a'), requestId);
    await expect(create('designItem', sampleBody(sections.designItem, 'b'), requestId)).rejects.toMatchObject(
      {
        code: 'IDEMPOTENCY_KEY_REUSED',
      },
    );
  });

  test('that was refused succeeds with the same request id, once the reason for the refusal is gone', async () => {
    const requestId = uuidv7();
    const body = sampleBody(sections.terms);
    await content.sql.query(
      `INSERT INTO entries (id, section, singleton, body, version) VALUES (gen_random_uuid(), 'terms', true, '{}', 1)`,
    );
    await expect(create('terms', body, requestId)).rejects.toMatchObject({ code: 'SINGLETON_EXISTS' });
    await empty('terms');
    expect(await create('terms', body, requestId)).toMatchObject(body);
  });
});

describe('the site’s version', () => {
  test('grows in the order of commits, so that a reader of the newest version misses nothing', async () => {
    const { version: before } = await snapshot();
    const seen = new Map<number, string[]>();
    let writing = true;
    const reader = async () => {
      while (writing) {
        const { version, sections } = await snapshot();
        seen.set(
          version,
          sections.testimonial!.map(({ _id }) => _id),
        );
      }
    };
    const readers = [reader(), reader()];
    const written = await Promise.all(
      rounds.map((round) => create('testimonial', sampleBody(sections.testimonial, round))),
    );
    writing = false;
    await Promise.all(readers);
    const last = await snapshot();
    expect(last.version).toBe(before + written.length);
    // The readers must have seen a version from the middle of the changes, or this test proves nothing.
    const between = [...seen.keys()].filter((version) => version > before && version < last.version);
    expect(between).not.toEqual([]);
    seen.set(
      last.version,
      last.sections.testimonial!.map(({ _id }) => _id),
    );
    const inOrder = last.sections.testimonial!.map(({ _id }) => _id);
    // Each snapshot has exactly the records that were created up to its version.
    for (const [version, ids] of seen) expect(ids).toEqual(inOrder.slice(0, version - before));
    const changes = await eventually(() => {
      const events = content.events.filter(({ section }) => section === 'testimonial');
      expect(new Set(events.map(({ id }) => id)).size).toBe(written.length);
      return events;
    });
    for (const { id, siteVersion } of changes) expect(inOrder[siteVersion - before - 1]).toBe(id);
  });

  test('is broadcast after each change, and after no other call', async () => {
    const listener = new Broadcaster({ redisUrl: content.redisUrl, name: 'test' });
    await listener.connect();
    const heard: unknown[] = [];
    await listener.subscribe(broadcasts.contentVersion, (payload) => heard.push(payload));
    const requestId = uuidv7();
    const body = sampleBody(sections.privacy);
    const { _id } = await create('privacy', body, requestId);
    const created = await snapshot();
    await create('privacy', body, requestId);
    await update('privacy', _id, body);
    await update('privacy', _id, sampleBody(sections.privacy, 'changed'));
    const updated = await snapshot();
    await eventually(() =>
      expect(heard).toEqual([{ version: created.version }, { version: updated.version }]),
    );
    expect(updated.version).toBe(created.version + 1);
    await listener.close();
  });
});

test('the history names no account for changes by our own processes', async () => {
  const { _id } = await content.client.call(
    contentContract.create,
    { section: 'copyright', body: sampleBody(sections.copyright) },
    { actor: system },
  );
  const [entry] = await content.client.call(
    contentContract.listHistory,
    { section: 'copyright', id: _id },
    { actor: admin },
  );
  expect(entry).toMatchObject({ change: 'created', changedBy: null, changedByEmail: null });
});
