import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contentContract, type ContentRecord, type DomainError, system, visitor } from '#libs/contracts';
import { allSections, type Section, sections } from '#libs/content-model';
import { actors, eventually, sampleBody } from '#libs/testing';
import { type ContentUnderTest, startContent } from './content.harness.js';

const { admin, customer } = actors;

let content: ContentUnderTest;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());

const asAdmin = { actor: admin };
const asVisitor = { actor: visitor };
const asSystem = { actor: system };
/** The caller with the fewest rights who may read the section. */
const asReader = ({ shownOn }: Section) => (shownOn ? asVisitor : asAdmin);

const create = (section: Section, body: unknown, options = asAdmin) =>
  content.client.call(
    contentContract.create,
    { section: section.name, body: body as Record<string, unknown> },
    options,
  );

const update = (section: Section, id: string, body: unknown, ifVersion?: number) =>
  content.client.call(
    contentContract.update,
    { section: section.name, id, body: body as Record<string, unknown>, ...(ifVersion && { ifVersion }) },
    asAdmin,
  );

const list = (section: Section) =>
  content.client.call(contentContract.list, { section: section.name }, asReader(section));
const get = (section: Section, id: string) =>
  content.client.call(contentContract.get, { section: section.name, id }, asReader(section));
const history = (section: Section, id: string) =>
  content.client.call(contentContract.listHistory, { section: section.name, id }, asAdmin);

async function refusalOf(call: Promise<unknown>): Promise<DomainError> {
  return call.then(
    () => {
      throw new Error('the call was expected to be refused');
    },
    (error: DomainError) => error,
  );
}

const unknownId = '019a0000-0000-7000-8000-00000000dead';
const idsOfNoRecord = [
  unknownId,
  'x',
  '',
  "'; DROP TABLE entries; --",
  '__proto__',
  `${unknownId} `,
  '0'.repeat(10_000),
];

describe.each(allSections.map((section) => [section.name, section] as const))('%s', (_name, section) => {
  const fields = Object.entries(section.fields);
  let record: ContentRecord;

  test('is empty at first', async () => {
    expect(await list(section)).toEqual([]);
  });

  test.each(fields.filter(([, field]) => field.required).map(([name]) => name))('needs %s', async (field) => {
    const { [field]: _omitted, ...body } = sampleBody(section);
    for (const incomplete of [body, { ...body, [field]: ' ' }]) {
      expect(await refusalOf(create(section, incomplete))).toMatchObject({
        code: 'INVALID_INPUT',
        details: { fields: [{ field, message: 'is required' }] },
      });
    }
  });

  test('refuses unknown fields, and names each of them', async () => {
    const error = await refusalOf(
      create(section, { ...sampleBody(section), extra: 'x', constructor: 'y', _id: 'z' }),
    );
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.details.fields?.map(({ field }) => field)).toEqual(['extra', 'constructor', '_id']);
  });

  const addresses = fields
    .filter(([, { kind }]) => kind === 'link' || kind === 'image')
    .map(([name]) => name);
  if (addresses.length > 0) {
    test('refuses addresses that run code, or that look like paths but lead to another site', async () => {
      for (const hostile of ['java\tscript:alert(1)', '//evil.example', 'data:text/html,x']) {
        const body = {
          ...sampleBody(section),
          ...Object.fromEntries(addresses.map((name) => [name, hostile])),
        };
        const error = await refusalOf(create(section, body));
        expect(error.details.fields?.map(({ field }) => field).sort()).toEqual([...addresses].sort());
      }
    });
  }

  test('is still empty after the refusals', async () => {
    expect(await list(section)).toEqual([]);
  });

  test('is written by admins only, and only they read its history', async () => {
    const calls = (actor: typeof visitor) => [
      create(section, sampleBody(section), { actor } as never),
      content.client.call(
        contentContract.update,
        { section: section.name, id: unknownId, body: {} },
        { actor },
      ),
      content.client.call(contentContract.remove, { section: section.name, id: unknownId }, { actor }),
      content.client.call(contentContract.listHistory, { section: section.name, id: unknownId }, { actor }),
    ];
    for (const call of calls(visitor))
      expect(await refusalOf(call)).toMatchObject({ code: 'UNAUTHENTICATED' });
    for (const call of calls(customer)) expect(await refusalOf(call)).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('stores a record', async () => {
    record = await create(section, sampleBody(section));
    expect(record).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ...sampleBody(section),
      createdAt: expect.any(String),
      updatedAt: record.createdAt,
      version: 1,
    });
    expect(Object.keys(record)).toEqual([
      '_id',
      ...Object.keys(section.fields),
      'createdAt',
      'updatedAt',
      'version',
    ]);
    expect(await list(section)).toEqual([record]);
    expect(await get(section, record._id)).toEqual(record);
    expect(await get(section, record._id.toUpperCase())).toEqual(record);
  });

  test('publishes an event', async () => {
    const event = await eventually(() => {
      const found = content.events.find(({ id }) => id === record._id);
      if (!found) throw new Error('no event yet');
      return found;
    });
    expect(event).toMatchObject({ section: section.name, change: 'created', recordVersion: 1, record });
  });

  test.each(idsOfNoRecord)('has no record %j', async (id) => {
    expect(await refusalOf(get(section, id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusalOf(update(section, id, sampleBody(section)))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusalOf(history(section, id))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('has a record that another section neither returns nor updates', async () => {
    const otherSection = allSections.find(({ name }) => name !== section.name)!;
    expect(await refusalOf(get(otherSection, record._id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusalOf(update(otherSection, record._id, sampleBody(otherSection)))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await refusalOf(history(otherSection, record._id))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('accepts an update with the record as it was read, and counts no change', async () => {
    const before = await content.client.call(contentContract.version, {}, asVisitor);
    expect(await update(section, record._id, record)).toEqual({ record, modified: false });
    expect(await content.client.call(contentContract.version, {}, asVisitor)).toEqual(before);
    expect(await history(section, record._id)).toHaveLength(1);
  });

  test('updates a record', async () => {
    const body = { ...sampleBody(section, 'b') };
    const answer = await update(section, record._id, body, 1);
    expect(answer).toMatchObject({ modified: true, record: { ...body, _id: record._id, version: 2 } });
    expect(answer.record.createdAt).toBe(record.createdAt);
    expect(Date.parse(answer.record.updatedAt)).toBeGreaterThanOrEqual(Date.parse(record.updatedAt));
    expect(await get(section, record._id)).toEqual(answer.record);
    record = answer.record;
  });

  test('refuses an update that is based on another version than the current one', async () => {
    for (const otherVersion of [1, 3, 99]) {
      expect(
        await refusalOf(update(section, record._id, sampleBody(section, 'c'), otherVersion)),
      ).toMatchObject({
        code: 'VERSION_MISMATCH',
        details: { current: record },
      });
    }
    expect(await get(section, record._id)).toEqual(record);
  });

  test('still requires required fields on a change', async () => {
    for (const [field] of fields.filter(([, { required }]) => required)) {
      const { [field]: _omitted, ...body } = sampleBody(section, 'c');
      expect(await refusalOf(update(section, record._id, body))).toMatchObject({
        code: 'INVALID_INPUT',
        details: { fields: [{ field }] },
      });
    }
  });

  test('keeps an omitted optional field, and clears an empty one', async () => {
    const optional = fields.filter(([, { required }]) => !required).map(([name]) => name);
    const required = Object.fromEntries(
      Object.entries(sampleBody(section, 'b')).filter(([name]) => !optional.includes(name)),
    );
    expect(await update(section, record._id, required)).toEqual({ record, modified: false });
    if (optional.length === 0) return;
    const cleared = await update(section, record._id, {
      ...required,
      ...Object.fromEntries(optional.map((name) => [name, ''])),
    });
    expect(cleared.modified).toBe(true);
    for (const name of optional) expect(cleared.record).not.toHaveProperty(name);
    expect(cleared.record).toMatchObject(required);
    record = cleared.record;
  });

  test('stores each change in the history, with its author', async () => {
    const entries = await history(section, record._id);
    expect(entries.map(({ version }) => version)).toEqual(
      Array.from({ length: record.version }, (_, index) => record.version - index),
    );
    expect(entries.at(-1)).toEqual({
      version: 1,
      change: 'created',
      changedAt: expect.any(String),
      changedBy: 'accountId' in admin ? admin.accountId : null,
      changedByEmail: admin.email,
      body: sampleBody(section),
    });
    expect(entries[0]).toMatchObject({ version: record.version, change: 'updated' });
    const { _id, createdAt, updatedAt, version, ...body } = record;
    expect(entries[0]?.body).toEqual(body);
  });

  if (section.kind === 'singleton') {
    test('refuses a second record', async () => {
      expect(await refusalOf(create(section, sampleBody(section, 'c')))).toMatchObject({
        code: 'SINGLETON_EXISTS',
      });
      expect(await list(section)).toEqual([record]);
    });

    test('refuses to delete its only record', async () => {
      const remove = content.client.call(
        contentContract.remove,
        { section: section.name, id: record._id },
        asAdmin,
      );
      expect(await refusalOf(remove)).toMatchObject({ code: 'INVALID_TRANSITION' });
      expect(await list(section)).toEqual([record]);
    });
  } else {
    test('lists its records oldest first', async () => {
      const second = await create(section, sampleBody(section, 'second'));
      const third = await create(section, sampleBody(section, 'third'));
      expect(await list(section)).toEqual([record, second, third]);
    });

    test('deletes a record once, and keeps it in the history', async () => {
      const remove = (ifVersion?: number) =>
        content.client.call(
          contentContract.remove,
          { section: section.name, id: record._id, ifVersion },
          asAdmin,
        );
      expect(await refusalOf(remove(record.version + 1))).toMatchObject({
        code: 'VERSION_MISMATCH',
        details: { current: record },
      });
      expect(await remove(record.version)).toEqual({ _id: record._id });
      expect(await refusalOf(remove())).toMatchObject({ code: 'NOT_FOUND' });
      expect(await refusalOf(get(section, record._id))).toMatchObject({ code: 'NOT_FOUND' });
      expect(await list(section)).toHaveLength(2);
      const [last] = await history(section, record._id);
      const { _id, createdAt, updatedAt, version, ...body } = record;
      expect(last).toMatchObject({ version: version + 1, change: 'deleted', body });
      const { removedAt } = await content.client.call(contentContract.snapshot, {}, asSystem);
      expect(removedAt[section.name]).toBe(last?.changedAt);
      await eventually(() => {
        expect(content.events.find((event) => event.id === _id && event.change === 'deleted')).toMatchObject({
          recordVersion: version + 1,
          record: null,
        });
      });
    });

    test('restores a deleted record with its id and position', async () => {
      const [first] = await list(section);
      const restore = () =>
        content.client.call(
          contentContract.restoreRecord,
          { section: section.name, id: record._id },
          asAdmin,
        );
      const back = await restore();
      expect(back).toEqual({ ...record, version: record.version + 2, updatedAt: back.updatedAt });
      expect(await restore()).toEqual(back);
      expect(await get(section, record._id)).toEqual(back);
      expect((await list(section)).map(({ _id }) => _id).slice(0, 2)).toEqual([record._id, first!._id]);
      expect((await history(section, record._id))[0]).toMatchObject({
        change: 'restored',
        changedByEmail: admin.email,
      });
      const otherSection = allSections.find(({ name }) => name !== section.name)!.name;
      const foreign = content.client.call(
        contentContract.restoreRecord,
        { section: otherSection, id: record._id },
        asAdmin,
      );
      expect(await refusalOf(foreign)).toMatchObject({ code: 'NOT_FOUND' });
    });
  }
});

test.each(['nothing', '', '__proto__', 'constructor', 'Banner'])(
  'there is no section %j',
  async (section) => {
    expect(await refusalOf(content.client.call(contentContract.list, { section }, asVisitor))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(
      await refusalOf(content.client.call(contentContract.create, { section, body: {} }, asAdmin)),
    ).toMatchObject({
      code: 'NOT_FOUND',
    });
  },
);

test.each([
  ['visitors', visitor, 'UNAUTHENTICATED'],
  ['customers', customer, 'FORBIDDEN'],
])('%s cannot read admin-only sections or the snapshot', async (_who, actor, code) => {
  const { mailText } = sections;
  const [mail] = await list(mailText);
  for (const call of [
    content.client.call(contentContract.list, { section: mailText.name }, { actor }),
    content.client.call(contentContract.get, { section: mailText.name, id: mail!._id }, { actor }),
    content.client.call(contentContract.snapshot, {}, { actor }),
  ])
    expect(await refusalOf(call)).toMatchObject({ code });
});

test('the snapshot equals the lists of all sections, and each site version so far has an event', async () => {
  const snapshot = await content.client.call(contentContract.snapshot, {}, asSystem);
  expect(Object.keys(snapshot.sections)).toEqual(allSections.map(({ name }) => name));
  for (const section of allSections) expect(snapshot.sections[section.name]).toEqual(await list(section));
  // The tests above move no record: a move makes a site version without an event.
  await eventually(() => {
    const versions = new Set(content.events.map(({ siteVersion }) => siteVersion));
    expect([...versions].sort((a, b) => a - b)).toEqual(
      Array.from({ length: snapshot.version }, (_, i) => i + 1),
    );
  });
});

test('a record of an older declaration stays readable, and keeps fields that are no longer declared', async () => {
  const section = allSections.find(({ name }) => name === 'banner')!;
  const [banner] = await list(section);
  await content.sql.query(
    `UPDATE entries SET body = body - 'bannerHeading' || '{"formerField": "kept"}' WHERE id = $1`,
    [banner!._id],
  );
  const read = await get(section, banner!._id);
  expect(read).not.toHaveProperty('bannerHeading');
  expect(read).not.toHaveProperty('formerField');
  const { record } = await update(section, banner!._id, { ...read, bannerHeading: 'Again' });
  expect(record).toMatchObject({ bannerHeading: 'Again' });
  const { rows } = await content.sql.query(
    `SELECT body->>'formerField' AS former FROM entries WHERE id = $1`,
    [banner!._id],
  );
  expect(rows).toEqual([{ former: 'kept' }]);
});

test('records that were deleted too long ago, or never existed, cannot be restored', async () => {
  const step = allSections.find(({ name }) => name === 'step')!;
  const { _id } = await create(step, sampleBody(step, 'old'));
  await content.client.call(contentContract.remove, { section: 'step', id: _id }, asAdmin);
  await content.sql.query(
    `UPDATE entry_history SET changed_at = now() - interval '61 minutes' WHERE entry_id = $1`,
    [_id],
  );
  for (const id of [_id, unknownId, 'x']) {
    const call = content.client.call(contentContract.restoreRecord, { section: 'step', id }, asAdmin);
    expect(await refusalOf(call)).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('records can be reordered, also in the snapshot; new ones come last', async () => {
  const step = allSections.find(({ name }) => name === 'step')!;
  const ids = async () => (await list(step)).map(({ _id }) => _id);
  const move = (id: string, before: string) =>
    content.client.call(contentContract.moveRecord, { section: 'step', id, before }, asAdmin);
  const siteVersion = async () => (await content.client.call(contentContract.version, {}, asVisitor)).version;
  const [first, second, third] = (await ids()) as [string, string, string];
  const rest = (await ids()).slice(3);
  expect((await move(third, first)).map(({ _id }) => _id)).toEqual([third, first, second, ...rest]);
  await move(first, 'end');
  expect(await ids()).toEqual([third, second, ...rest, first]);
  const { sections } = await content.client.call(contentContract.snapshot, {}, asSystem);
  expect(sections.step!.map(({ _id }) => _id)).toEqual(await ids());
  const before = await siteVersion();
  await move(first, 'end');
  expect(await siteVersion()).toBe(before);
  const { _id } = await create(step, sampleBody(step, 'newest'));
  expect((await ids()).at(-1)).toBe(_id);
  expect(await refusalOf(move(first, first))).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await refusalOf(move(first, unknownId))).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await refusalOf(move(unknownId, first))).toMatchObject({ code: 'NOT_FOUND' });
  const moved = await move(third.toUpperCase(), first.toUpperCase());
  expect(moved.map(({ _id }) => _id).slice(-3)).toEqual([third, first, _id]);
  await Promise.all([move(first, 'end'), move(second, 'end'), move(third, 'end')]);
  expect((await ids()).sort()).toEqual([first, second, third, ...rest, _id].sort());
});
