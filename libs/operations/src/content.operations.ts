import { z } from 'zod';
import {
  allSections,
  createSchema,
  pictureFields,
  recordSchema,
  type Section,
  updateSchema,
} from '#libs/content-model';
import { contentContract as contract, contentRecord, historyEntry, siteContent } from '#libs/contracts';
import { acknowledgedCreate, acknowledgedDelete, acknowledgedUpdate } from './acknowledged.js';
import { contentGroup } from './groups.js';
import { grouped, operation, type Operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly, openToAll } from './policy.js';

/** The documented calls of one section, and its deletion. */
export type SectionOperations = {
  readonly list: Operation;
  readonly item: Operation;
  readonly create: Operation;
  readonly update: Operation;
  /** Absent for singletons, which are never deleted. */
  readonly remove?: Operation;
};

/** Derives the calls of a section from its declaration. Nothing here knows a section by name. */
function operationsOf(section: Section): SectionOperations {
  const { routes, labels } = section;
  const Name = section.name.charAt(0).toUpperCase() + section.name.slice(1);
  const unnamed = recordSchema(section);
  const record = unnamed.meta({ id: Name });
  const isSingleton = section.kind === 'singleton';
  const pictures = pictureFields(section);
  const reads = {
    ...(section.shownOn
      ? ({ policy: openToAll, revalidates: true, writesReply: true } as const)
      : { policy: adminsOnly }),
    pictures,
  };
  const writes = { invalidates: 'siteContent', pictures } as const;
  return grouped(contentGroup(section), {
    list: operation({
      at: `GET ${routes.list}`,
      id: `list${Name}`,
      summary: isSingleton ? `The ${labels.one}, as a list of at most one` : `All ${labels.many}`,
      ...reads,
      answer: z.array(record),
    }),
    item: operation({
      at: `GET ${routes.item}`,
      id: `get${Name}`,
      summary: `One ${labels.one}`,
      ...reads,
      answer: record,
      failures: ['NOT_FOUND'],
    }),
    create: operation({
      at: `POST ${routes.create}`,
      id: `create${Name}`,
      summary: `Add a ${labels.one}`,
      policy: adminsOnce,
      ...writes,
      body: createSchema(section).meta({ id: `${Name}Create` }),
      status: 201,
      answer: acknowledgedCreate(unnamed),
      failures: [isSingleton ? 'SINGLETON_EXISTS' : 'COLLECTION_FULL', 'DUPLICATE'],
    }),
    update: operation({
      at: `PUT ${routes.update}`,
      id: `update${Name}`,
      summary: `Change a ${labels.one}`,
      policy: adminsOnly,
      ...writes,
      body: updateSchema(section).meta({ id: `${Name}Update` }),
      versioned: true,
      answer: acknowledgedUpdate(unnamed),
      failures: ['NOT_FOUND', 'DUPLICATE'],
    }),
    ...(!isSingleton && {
      remove: operation({
        at: `DELETE ${routes.item}`,
        id: `delete${Name}`,
        summary: `Delete a ${labels.one}`,
        policy: adminsOnly,
        ...writes,
        versioned: true,
        answer: acknowledgedDelete,
        failures: ['NOT_FOUND'],
      }),
    }),
  });
}

/** Every section with its calls. Built once, because a zod schema costs more to build than to use. */
export const sectionOperations: readonly { section: Section; operations: SectionOperations }[] =
  allSections.map((section) => ({ section, operations: operationsOf(section) }));

/** Of all sections: a picture field's name means a picture in every section. */
const pictures: ReadonlySet<string> = new Set(allSections.flatMap((section) => [...pictureFields(section)]));
const anyRecord = contentRecord.meta({ id: 'ContentRecord' });
const writes = { policy: adminsOnly, invalidates: 'siteContent', pictures } as const;

export const siteOperations = grouped('Content: the whole site', {
  siteContent: operation({
    at: 'GET /site-content',
    id: 'getSiteContent',
    summary: 'Everything that the public site shows, in one answer',
    policy: openToAll,
    revalidates: true,
    writesReply: true,
    answer: siteContent.meta({ id: 'SiteContent' }),
    pictures,
  }),
  history: relay({
    at: 'GET /history/:section/:id',
    id: 'listHistory',
    summary: 'Earlier versions of a content record, newest first, at most 100',
    policy: adminsOnly,
    pictures,
    failures: ['NOT_FOUND'],
    to: output(contract.history, z.array(historyEntry.meta({ id: 'HistoryEntry' }))),
  }),
  restore: relay({
    at: 'POST /restore/:section/:id',
    id: 'restoreRecord',
    summary: 'Bring back a record that was deleted within the last hour, under its id and in its place',
    ...writes,
    failures: ['INVALID_INPUT', 'NOT_FOUND', 'COLLECTION_FULL', 'DUPLICATE'],
    to: output(contract.restore, anyRecord),
  }),
  move: relay({
    at: 'PUT /record-place/:section/:id',
    id: 'moveRecord',
    summary: 'Move a record before another one of its section, or to the end; answers all in their order',
    ...writes,
    body: z
      .strictObject({
        before: z
          .string()
          .regex(/^([\da-f-]{36}|end)$/i, 'must be the id of a record, or `end`')
          .describe('Id of the other record, or `end`.'),
      })
      .meta({ id: 'RecordPlace' }),
    failures: ['NOT_FOUND'],
    to: output(contract.move, z.array(anyRecord)),
  }),
});
