import { z } from 'zod';
import {
  allSections,
  bodySchemaForCreate,
  pictureFieldNames,
  recordSchema,
  type Section,
  bodySchemaForUpdate,
} from '#libs/content-model';
import {
  createdAnswerSchema,
  deletedAnswerSchema,
  updatedAnswerSchema,
  adminsIdempotent,
  adminsOnly,
  contentOperations,
  grouped,
  operation,
  type Operation,
  openToAll,
} from '#libs/contracts';
import { contentGroup } from './groups.js';

export type SectionOperations = {
  readonly list: Operation;
  readonly get: Operation;
  readonly create: Operation;
  readonly update: Operation;
  readonly remove?: Operation;
};

function operationsOf(section: Section): SectionOperations {
  const { routes, labels, name } = section;
  const Name = name.charAt(0).toUpperCase() + name.slice(1);
  const schema = recordSchema(section);
  const record = schema.meta({ id: Name });
  const isSingleton = section.kind === 'singleton';
  const oneRecord = isSingleton ? `the ${labels.one}` : withArticle(labels.one);
  const pictureFields = pictureFieldNames(section);
  const reads = section.shownOn
    ? ({ pictureFields, policy: openToAll, revalidates: true, writesReply: true } as const)
    : { pictureFields, policy: adminsOnly };
  const writes = { pictureFields, policy: adminsOnly, invalidates: 'cachedContent' } as const;
  return grouped(contentGroup(section), {
    list: operation({
      at: `GET ${routes.list}`,
      id: `list${Name}`,
      summary: isSingleton ? `The ${labels.one}, as a list of at most one` : `All ${labels.many}`,
      ...reads,
      answer: z.array(record),
    }),
    get: operation({
      at: `GET ${routes.one}`,
      id: `get${Name}`,
      summary: isSingleton ? `The ${labels.one}` : `One ${labels.one}`,
      ...reads,
      answer: record,
    }),
    create: operation({
      at: `POST ${routes.create}`,
      id: `create${Name}`,
      summary: `Add ${oneRecord}`,
      ...writes,
      policy: adminsIdempotent,
      body: bodySchemaForCreate(section).meta({ id: `${Name}Create` }),
      status: 201,
      answer: createdAnswerSchema(schema),
      failures: [isSingleton ? 'SINGLETON_EXISTS' : 'COLLECTION_FULL', 'DUPLICATE'],
    }),
    update: operation({
      at: `PUT ${routes.update}`,
      id: `update${Name}`,
      summary: `Change ${oneRecord}`,
      ...writes,
      body: bodySchemaForUpdate(section).meta({ id: `${Name}Update` }),
      versioned: true,
      answer: updatedAnswerSchema(schema),
      failures: ['DUPLICATE'],
    }),
    ...(!isSingleton && {
      remove: operation({
        at: `DELETE ${routes.one}`,
        id: `delete${Name}`,
        summary: `Delete ${oneRecord}`,
        ...writes,
        versioned: true,
        answer: deletedAnswerSchema,
      }),
    }),
  });
}

const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Built once: a zod schema costs more to build than to use. */
export const sectionOperations: readonly { section: Section; operations: SectionOperations }[] =
  allSections.map((section) => ({ section, operations: operationsOf(section) }));

/** If a field holds a picture in one section, so do the fields of the same name in all other sections. */
const allPictureFields: ReadonlySet<string> = new Set(
  allSections.flatMap((section) => [...pictureFieldNames(section)]),
);

/** Operations on the whole site, or on any section (`:section` in the path). */
export const siteOperations = Object.fromEntries(
  Object.entries(contentOperations).map(([name, call]) => [
    name,
    { ...call, pictureFields: allPictureFields },
  ]),
) as typeof contentOperations;
