import type { PublicPageName } from '#libs/contracts';
import type { Field, Fields } from './field.js';

/** Most addresses come from the site's written specification (README.md), so they follow no rule. */
interface SectionRoutes {
  readonly list: `/${string}`;
  readonly one: `/${string}/:id`;
  readonly create: `/${string}`;
  readonly update: `/${string}/:id`;
}

/** The specification's exact text, where it has one. */
interface SectionToasts {
  readonly created: string;
  readonly updated: string;
}

interface SectionBase<N extends string, F extends Fields> {
  /** Unique; the key in the site content. */
  readonly name: N;
  readonly labels: { readonly one: string; readonly many: string };
  readonly fields: F;
  /**
   * The public pages that show the section, in the body or to search engines. With a list, even an empty one, anyone may read the section. Without
   * a list, only admins may. `web/src/app/shown-on.spec.ts` compares it with the pages.
   */
  readonly shownOn?: readonly PublicPageName[];
  /** The field with the text of the footer's link to the section's page. Every page gets this text, because every page has the footer. */
  readonly linkText?: Extract<keyof F, string>;
  readonly routes: SectionRoutes;
  readonly toasts: SectionToasts;
}

/** At most one record. Only the removal of demo content deletes it. */
export interface Singleton<N extends string = string, F extends Fields = Fields> extends SectionBase<N, F> {
  readonly kind: 'singleton';
}

/** Oldest first, unless an admin has moved records. */
export interface Collection<N extends string = string, F extends Fields = Fields> extends SectionBase<N, F> {
  readonly kind: 'collection';
  readonly limit: number;
  /** A `choice` field with at most one record for each option. Admin screens neither move nor delete these records. */
  readonly onePer?: Extract<keyof F, string>;
}

export type Section = Singleton | Collection;

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

export function pictureFieldNames({ fields }: Section): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => fields[name]!.kind === 'image'));
}

/** The fields whose values can name a record: single-line texts and choices. */
export function nameFields({ fields }: Section): string[] {
  return Object.keys(fields).filter((name) => /^(text|choice)$/.test(fields[name]!.kind));
}

/** The fields that the server adds to a record. In the body of an update, they are allowed and ignored. */
export interface RecordMeta {
  _id: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}

type ValueOf<F> = F extends Field<boolean, infer V> ? V : never;
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Field<true> ? K : never }[keyof F];

export type BodyOf<S extends Section> = {
  [K in RequiredKeys<S['fields']>]: ValueOf<S['fields'][K]>;
} & {
  [K in Exclude<keyof S['fields'], RequiredKeys<S['fields']>>]?: ValueOf<S['fields'][K]>;
};
