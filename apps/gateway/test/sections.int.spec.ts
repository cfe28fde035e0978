import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allSections, publicSections, type Section } from '#libs/content-model';
import { type Answer, sampleBody, type Session, sampleEvery } from '#libs/testing';
import { operations } from '#libs/operations';
import { openApiDocument } from '../openapi/document.js';
import type { Problem } from '../problem/problem.js';
import { unknownId } from './sample-requests.js';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

type StoredRecord = Record<string, unknown> & { _id: string; version: number };

let site: SiteUnderTest;
let admin: Session;
let customer: Session;
beforeAll(async () => {
  site = await startSite({ without: ['messaging', 'orders', 'projects'] });
  [admin, customer] = await Promise.all([site.admin(), site.customer()]);
});
afterAll(() => site?.stop());

const document = openApiDocument(operations, publicUrl);

const at = (path: string, id: string) => path.replace(':id', id);
const errorFields = (answer: Answer<Problem>) => answer.json.errors?.map(({ field }) => field);

const requiredFieldsOf = ({ fields }: Section) =>
  Object.keys(fields).filter((name) => fields[name]!.required);
const addressFieldsOf = ({ fields }: Section) =>
  Object.keys(fields).filter((name) => ['link', 'image'].includes(fields[name]!.kind));

describe.each(sampleEvery(4, allSections).map((section) => [section.name, section] as const))(
  '%s',
  (_name, section) => {
    const { routes, kind } = section;
    const body = sampleBody(section);
    let record: StoredRecord;
    let reader: Session;
    beforeAll(() => {
      reader = section.shownOn ? site.visitor : admin;
    });

    test('starts as an empty list', async () => {
      const answer = await reader.get(routes.list);
      expect([answer.status, answer.json]).toEqual([200, []]);
    });

    test('cannot be changed by visitors and customers', async () => {
      for (const [session, status, code] of [
        [site.visitor, 401, 'UNAUTHENTICATED'],
        [customer, 403, 'FORBIDDEN'],
      ] as const) {
        const answers = [
          await session.post<Problem>(routes.create, body),
          await session.put<Problem>(at(routes.update, unknownId), body),
          ...(kind === 'collection' ? [await session.delete<Problem>(at(routes.one, unknownId))] : []),
        ];
        expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
          answers.map(() => [status, code]),
        );
      }
      expect((await reader.get(routes.list)).json).toEqual([]);
    });

    test.each(requiredFieldsOf(section))('is not created without %s', async (field) => {
      const { [field]: _, ...rest } = body;
      for (const incomplete of [
        rest,
        { ...rest, [field]: '' },
        { ...rest, [field]: '  ' },
        { ...rest, [field]: null },
      ]) {
        const answer = await admin.post<Problem>(routes.create, incomplete);
        expect([answer.status, answer.json.code, errorFields(answer)]).toEqual([
          400,
          'INVALID_INPUT',
          [field],
        ]);
      }
    });

    test('reports all errors in one answer, including unknown fields', async () => {
      const answer = await admin.post<Problem>(routes.create, { surprise: 'x' });
      expect(answer.status).toBe(400);
      expect(errorFields(answer)!.sort()).toEqual([...requiredFieldsOf(section), 'surprise'].sort());
    });

    for (const field of addressFieldsOf(section))
      test(`refuses unsafe and malformed addresses in ${field}`, async () => {
        for (const address of [
          'javascript:alert(1)',
          'data:text/html,x',
          '//elsewhere.example',
          'not an address',
        ]) {
          const answer = await admin.post<Problem>(routes.create, { ...body, [field]: address });
          expect([answer.status, errorFields(answer)]).toEqual([400, [field]]);
        }
      });

    test('stores a record, which is visible immediately', async () => {
      const answer = await admin.post<StoredRecord>(routes.create, body);
      expect(answer.status).toBe(201);
      const { acknowledged, insertedId, ...stored } = answer.json;
      expect(stored).toMatchObject({ ...body, version: 1 });
      expect([acknowledged, insertedId]).toEqual([true, stored._id]);
      record = stored;
      expect((await reader.get(routes.list)).json).toEqual([record]);
      expect((await reader.get(at(routes.one, record._id))).json).toEqual(record);
    });

    test('has the record at its documented path, also in upper case, with a query or with a trailing slash', async () => {
      for (const path of [routes.list.toUpperCase(), `${routes.list}?page=1`, `${routes.list}/`]) {
        expect([path, (await reader.get(path)).json]).toEqual([path, [record]]);
      }
      for (const path of [at(routes.one, record._id.toUpperCase()), `${at(routes.one, record._id)}/`]) {
        expect([path, (await reader.get(path)).json]).toEqual([path, record]);
      }
    });

    test('has no record under any other id', async () => {
      for (const id of [unknownId, 'x', '%00', '..%2f', '__proto__', 'a'.repeat(300)]) {
        const answer = await reader.get<Problem>(at(routes.one, id));
        expect([id, answer.status, answer.json.code]).toEqual([id, 404, 'NOT_FOUND']);
        const put = await admin.put<Problem>(at(routes.update, id), body);
        expect([id, put.status]).toEqual([id, 404]);
      }
    });

    test('updates the record from a body that also contains the `_id` and `version` that were read', async () => {
      const changed = sampleBody(section, 'b');
      const answer = await admin.put<StoredRecord>(at(routes.update, record._id), { ...record, ...changed });
      expect(answer.status).toBe(200);
      const { acknowledged, matchedCount, modifiedCount, ...stored } = answer.json;
      expect(stored).toMatchObject({ ...changed, _id: record._id, version: 2 });
      expect([acknowledged, matchedCount, modifiedCount]).toEqual([true, 1, 1]);
      record = stored;
      expect((await reader.get(at(routes.one, record._id))).json).toEqual(record);
    });

    test('an update that changes nothing says so', async () => {
      const answer = await admin.put<StoredRecord>(at(routes.update, record._id), record);
      expect(answer.json).toMatchObject({ version: record.version, matchedCount: 1, modifiedCount: 0 });
    });

    test('accepts an update that names the current version, and refuses any other version and a malformed one', async () => {
      const path = at(routes.update, record._id);
      const mismatched = { headers: { 'If-Match': `"${record.version + 7}"` } };
      const refused = await admin.put<Problem>(path, body, mismatched);
      expect([refused.status, refused.json.code, refused.json.current]).toEqual([
        412,
        'VERSION_MISMATCH',
        record,
      ]);
      for (const header of ['W/"1"', '1', '"x"', '"1", "2"', '']) {
        const malformed = await admin.put<Problem>(path, body, { headers: { 'If-Match': header } });
        expect([header, malformed.status, errorFields(malformed)]).toEqual([header, 400, ['If-Match']]);
      }
      const fresh = await admin.put<StoredRecord>(path, record, {
        headers: { 'If-Match': `"${record.version}"` },
      });
      expect(fresh.status).toBe(200);
    });

    test('keeps the history of its record, which only admins can read', async () => {
      const path = `/history/${section.name}/${record._id}`;
      expect((await site.visitor.get(path)).status).toBe(401);
      expect((await customer.get(path)).status).toBe(403);
      const { json } = await admin.get<{ change: string }[]>(path);
      expect(json.at(-1)).toMatchObject({ version: 1, change: 'created', body });
    });

    if (kind === 'singleton') {
      test('has only one record, which cannot be deleted', async () => {
        const second = await admin.post<Problem>(routes.create, body);
        expect([second.status, second.json.code]).toEqual([409, 'SINGLETON_EXISTS']);
        const deletion = await admin.delete<Problem>(at(routes.one, record._id));
        expect([deletion.status, deletion.json.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      });
    } else {
      test('deletes the record at its path', async () => {
        const refused = await admin.delete(at(routes.one, record._id), { headers: { 'If-Match': '"99"' } });
        expect(refused.status).toBe(412);
        const deletion = await admin.delete(at(routes.one, record._id));
        const answer = { acknowledged: true, deletedCount: 1, _id: record._id };
        expect([deletion.status, deletion.json]).toEqual([200, answer]);
        expect((await reader.get(routes.list)).json).toEqual([]);
        expect((await reader.get(at(routes.one, record._id))).status).toBe(404);
        expect((await admin.delete(at(routes.one, record._id))).status).toBe(404);
      });

      test('a repeated create with the same key takes effect once', async () => {
        const once = { headers: { 'Idempotency-Key': `key-of-${section.name}` } };
        const first = await admin.post<StoredRecord>(routes.create, body, once);
        const again = await admin.post<StoredRecord>(routes.create, body, once);
        expect([again.status, again.json]).toEqual([201, first.json]);
        const conflicting = await admin.post<Problem>(routes.create, sampleBody(section, 'other'), once);
        expect(conflicting.status).toBe(422);
        expect((await reader.get<unknown[]>(routes.list)).json).toHaveLength(1);
      });
    }

    test('is in the OpenAPI document with every field', () => {
      const path = (route: string) => document.paths[route.replace(':id', '{id}')]!;
      const calls = [
        path(routes.list).get,
        path(routes.one).get,
        path(routes.create).post,
        path(routes.update).put,
        ...(kind === 'collection' ? [path(routes.one).delete] : []),
      ];
      const success = calls.map((call) => Object.keys(call?.responses ?? {})[0]);
      expect(success).toEqual(['200', '200', '201', '200', ...(kind === 'collection' ? ['200'] : [])]);
      const fieldsOf = (reference: string) =>
        Object.keys(document.components.schemas[reference.split('/').at(-1)!]!.properties as object);
      const references = calls.slice(0, 4).map((call) => {
        // The schema of the body, or else of the answer.
        const used = JSON.stringify(call?.requestBody ?? call?.responses['200']);
        return /#\/components\/schemas\/\w+/.exec(used)![0];
      });
      for (const reference of references)
        expect(fieldsOf(reference)).toEqual(expect.arrayContaining(Object.keys(section.fields)));
    });
  },
);

describe('a section that only admins may read', () => {
  const adminSections = allSections.filter(({ shownOn }) => shownOn === undefined);

  test('is the one with the texts of mails', () => {
    expect(adminSections.map(({ name }) => name)).toEqual(['mailText']);
  });

  test.each(adminSections)(
    '$name is refused to everybody else, and is not part of the public content',
    async (section) => {
      const secret = `only for admins ${section.name}`;
      const { json: list } = await admin.get<StoredRecord[]>(section.routes.list);
      await Promise.all(list.map(({ _id }) => admin.delete(at(section.routes.one, _id))));
      const { json: record } = await admin.post<StoredRecord>(
        section.routes.create,
        sampleBody(section, secret),
      );
      for (const path of [section.routes.list, at(section.routes.one, record._id)]) {
        expect((await admin.get(path)).status).toBe(200);
        expect((await site.visitor.get<Problem>(path)).json.code).toBe('UNAUTHENTICATED');
        expect((await customer.get<Problem>(path)).json.code).toBe('FORBIDDEN');
      }
      for (const path of ['/site-content', ...publicSections.map(({ routes }) => routes.list)]) {
        const answer = await site.visitor.get(path);
        expect([answer.status, JSON.stringify(answer.json).includes(secret)]).toEqual([200, false]);
      }
    },
  );
});

test('all public content can be read with one call', async () => {
  const { json } = await site.visitor.get<{ version: number; sections: Record<string, unknown[]> }>(
    '/site-content',
  );
  expect(Object.keys(json.sections).sort()).toEqual(publicSections.map(({ name }) => name).sort());
  for (const { name, routes } of publicSections) {
    expect(json.sections[name]).toEqual((await site.visitor.get(routes.list)).json);
  }
});
