import type { PublicPageName } from '#libs/contracts';
import type { Field, Fields } from './field.js';

/** The paths of a section; those that the specification prescribes follow no rule. `:id` stands for the record's id. */
interface SectionRoutes {
  readonly list: `/${string}`;
  readonly item: `/${string}/:id`;
  readonly create: `/${string}`;
  readonly update: `/${string}/:id`;
}

/** The toasts after a successful save; where the specification has one, with its exact text. */
interface SectionToasts {
  readonly created: string;
  readonly updated: string;
}

interface SectionBase<N extends string, F extends Fields> {
  /** The unique name of the section, and its key in the site content. */
  readonly name: N;
  readonly labels: { readonly one: string; readonly many: string };
  readonly fields: F;
  /**
   * The public pages that show the section, in the body or to search engines. A section with such a list, even an empty one, is public: anyone
   * may read it. Without a list only admins may, and no public answer contains it. `web/src/app/shown-on.spec.ts` compares the list with the pages.
   */
  readonly shownOn?: readonly PublicPageName[];
  /** The field with the text of the footer's link to the section's page. It is the section's only field that every page needs. */
  readonly linkText?: Extract<keyof F, string>;
  readonly routes: SectionRoutes;
  readonly toasts: SectionToasts;
}

/** A section with at most one record. The record is never deleted, except while it is still demo content. */
export interface Singleton<N extends string = string, F extends Fields = Fields> extends SectionBase<N, F> {
  readonly kind: 'singleton';
}

/** A section with up to `limit` records, oldest first unless an admin has moved them; each can be deleted at its item path. */
export interface Collection<N extends string = string, F extends Fields = Fields> extends SectionBase<N, F> {
  readonly kind: 'collection';
  readonly limit: number;
  /** A `choice` field: there is at most one record for each of its options. The admin screens neither move nor delete these records. */
  readonly onePer?: Extract<keyof F, string>;
}

export type Section = Singleton | Collection;

/** The default limit of a collection, which an agency's site stays far below. */
const defaultLimit = 500;

export function defineSingleton<const N extends string, const F extends Fields>(
  declaration: Omit<Singleton<N, F>, 'kind'>,
): Singleton<N, F> {
  return { kind: 'singleton', ...declaration };
}

export function defineCollection<const N extends string, const F extends Fields>(
  declaration: Omit<Collection<N, F>, 'kind' | 'limit'> & { limit?: number },
): Collection<N, F> {
  return { kind: 'collection', limit: defaultLimit, ...declaration };
}

/** The fields of a section that hold the address of a picture. */
export function pictureFields({ fields }: Section): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => fields[name]!.kind === 'image'));
}

/** The fields that can name a record: its single-line texts and its choices. */
export function nameFields({ fields }: Section): string[] {
  return Object.keys(fields).filter((name) => /^(text|choice)$/.test(fields[name]!.kind));
}

/** The fields that the server adds to every record. An update may contain them, and they are ignored. */
export interface RecordMeta {
  _id: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}

type ValueOf<F> = F extends Field<boolean, infer V> ? V : never;
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Field<true> ? K : never }[keyof F];

/** The fields of a section's record, typed from its declaration. */
export type BodyOf<S extends Section> = {
  [K in RequiredKeys<S['fields']>]: ValueOf<S['fields'][K]>;
} & {
  [K in Exclude<keyof S['fields'], RequiredKeys<S['fields']>>]?: ValueOf<S['fields'][K]>;
};
