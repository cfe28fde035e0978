import { z } from 'zod';
import {
  allSections,
  createSchema,
  pictureFields,
  recordSchema,
  updateSchema,
  type Section,
} from '#libs/content-model';
import { contentRecord, historyEntry, siteContent } from '#libs/contracts';
import { adminsOnce, adminsOnly, openToAll } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedDelete, acknowledgedUpdate } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';

/** The documented calls of one section, and its deletion. */
export interface SectionEndpoints {
  list: Endpoint;
  item: Endpoint;
  create: Endpoint;
  update: Endpoint;
  /** Singletons are never deleted. */
  remove?: Endpoint;
}

/** Everything about a section's calls derives from its declaration; nothing here knows any section by name. */
function endpointsOf(section: Section): SectionEndpoints {
  const { routes, labels } = section;
  const Name = section.name.charAt(0).toUpperCase() + section.name.slice(1);
  const unnamed = recordSchema(section);
  const record = unnamed.meta({ id: Name });
  const group = `Content: ${labels.many}`;
  const reads = section.shownOn ? { policy: openToAll, revalidates: true } : { policy: adminsOnly };
  const pictures = pictureFields(section);
  const full = section.kind === 'singleton' ? 'SINGLETON_EXISTS' : 'COLLECTION_FULL';
  return {
    list: {
      method: 'GET',
      path: routes.list,
      ...reads,
      operationId: `list${Name}`,
      summary:
        section.kind === 'singleton' ? `The ${labels.one}, as a list of at most one` : `All ${labels.many}`,
      group,
      status: 200,
      answer: z.array(record),
      pictures,
      failures: [],
    },
    item: {
      method: 'GET',
      path: routes.item,
      ...reads,
      operationId: `get${Name}`,
      summary: `One ${labels.one}`,
      group,
      status: 200,
      answer: record,
      pictures,
      failures: ['NOT_FOUND'],
    },
    create: {
      method: 'POST',
      path: routes.create,
      policy: adminsOnce,
      operationId: `create${Name}`,
      summary: `Add a ${labels.one}`,
      group,
      body: createSchema(section).meta({ id: `${Name}Create` }),
      status: 201,
      answer: acknowledgedCreate(unnamed),
      pictures,
      failures: ['INVALID_INPUT', full, 'DUPLICATE', 'IDEMPOTENCY_KEY_REUSED'],
    },
    update: {
      method: 'PUT',
      path: routes.update,
      policy: adminsOnly,
      operationId: `update${Name}`,
      summary: `Change a ${labels.one}`,
      group,
      body: updateSchema(section).meta({ id: `${Name}Update` }),
      status: 200,
      answer: acknowledgedUpdate(unnamed),
      pictures,
      failures: ['INVALID_INPUT', 'NOT_FOUND', 'DUPLICATE', 'VERSION_MISMATCH'],
      versioned: true,
    },
    ...(section.kind === 'collection' ? { remove: removeEndpoint(section, Name, group) } : {}),
  };
}

function removeEndpoint({ routes, labels }: Section, Name: string, group: string): Endpoint {
  return {
    method: 'DELETE',
    path: routes.item,
    policy: adminsOnly,
    operationId: `delete${Name}`,
    summary: `Delete a ${labels.one}`,
    group,
    status: 200,
    answer: acknowledgedDelete,
    failures: ['NOT_FOUND', 'VERSION_MISMATCH'],
    versioned: true,
  };
}

/** Every section with its calls, built once: a zod schema costs more to build than to use. */
export const sectionEndpoints: readonly { section: Section; endpoints: SectionEndpoints }[] = allSections.map(
  (section) => ({ section, endpoints: endpointsOf(section) }),
);

/** Of any section: no name of a picture's field means something else in another section. */
const anyPicture: ReadonlySet<string> = new Set(
  allSections.flatMap((section) => [...pictureFields(section)]),
);

export const siteContentEndpoint: Endpoint = {
  method: 'GET',
  path: '/site-content',
  policy: openToAll,
  operationId: 'getSiteContent',
  summary: 'Everything the public site shows, in one answer',
  group: 'Content: the whole site',
  status: 200,
  answer: siteContent.meta({ id: 'SiteContent' }),
  pictures: anyPicture,
  failures: [],
  revalidates: true,
};

export const historyEndpoint: Endpoint = {
  method: 'GET',
  path: '/history/:section/:id',
  policy: adminsOnly,
  operationId: 'listHistory',
  summary: 'What a content record was before, newest first, at most 100 entries',
  group: 'Content: the whole site',
  status: 200,
  answer: z.array(historyEntry.meta({ id: 'HistoryEntry' })),
  pictures: anyPicture,
  failures: ['NOT_FOUND'],
};

const anyRecord = contentRecord.meta({ id: 'ContentRecord' });

export const restoreEndpoint: Endpoint = {
  method: 'POST',
  path: '/restore/:section/:id',
  policy: adminsOnly,
  operationId: 'restoreRecord',
  summary: 'Bring back a record that was deleted within the last hour, under its id and in its place',
  group: 'Content: the whole site',
  status: 200,
  answer: anyRecord,
  pictures: anyPicture,
  failures: ['NOT_FOUND', 'COLLECTION_FULL', 'DUPLICATE', 'INVALID_INPUT'],
};

export const moveEndpoint: Endpoint = {
  method: 'PUT',
  path: '/record-place/:section/:id',
  policy: adminsOnly,
  operationId: 'moveRecord',
  summary: 'Put a record before another one of its section, or at the end; answers all in their order',
  group: 'Content: the whole site',
  body: z
    .strictObject({
      before: z
        .string()
        .regex(/^([\da-f-]{36}|end)$/i, 'must be the id of a record, or `end`')
        .describe('Id of the other record, or `end`.'),
    })
    .meta({ id: 'RecordPlace' }),
  status: 200,
  answer: z.array(anyRecord),
  pictures: anyPicture,
  failures: ['INVALID_INPUT', 'NOT_FOUND'],
};

export const contentEndpoints: readonly Endpoint[] = [
  ...sectionEndpoints.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]),
  siteContentEndpoint,
  historyEndpoint,
  restoreEndpoint,
  moveEndpoint,
];
