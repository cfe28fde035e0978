import type { RecordMeta, Section } from '#libs/content-model';
import { type Answer, callPath, fillPath } from '../lib/api.js';
import type { ShownRecord } from '../lib/site.js';
import { type Query, useRead } from './query.js';

/* Records of content sections, and others that are edited like content. `callApi` cannot type these calls, so their types are written by hand. */

export type Values = Record<string, string>;
export type StoredRecord = RecordMeta & Partial<Values>;
type SaveAnswer = Answer<StoredRecord, StoredRecord>;

export function useRecords({ routes }: Section): Query<StoredRecord[]> {
  return useRead(routes.list) as Query<StoredRecord[]>;
}

export function useRecord({ routes }: Section, id: string): Query<StoredRecord> {
  return useRead(fillPath(routes.one, { id })) as Query<StoredRecord>;
}

/** Reads nothing if the id is null. */
export function usePackage(id: string | null): Query<ShownRecord<'pricingPackage'>> {
  return useRead(id === null ? null : fillPath('/pricing/:id', { id })) as Query<
    ShownRecord<'pricingPackage'>
  >;
}

export function createRecord({ routes }: Section, body: Values, idempotencyKey: string): Promise<SaveAnswer> {
  return callPath('POST', routes.create, { body, idempotencyKey }) as Promise<SaveAnswer>;
}

interface RecordVersion {
  _id: string;
  /** The change is refused (412) if there is a newer version. Undefined permits any version. */
  version: number | undefined;
}

export function updateRecord(
  { routes }: Section,
  { _id, version }: RecordVersion,
  body: Values,
): Promise<SaveAnswer> {
  return callPath('PUT', fillPath(routes.update, { id: _id }), {
    body,
    ifVersion: version,
  }) as Promise<SaveAnswer>;
}

export function deleteRecord({ routes }: Section, { _id, version }: RecordVersion): Promise<Answer<unknown>> {
  return callPath('DELETE', fillPath(routes.one, { id: _id }), { ifVersion: version });
}
