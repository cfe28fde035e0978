import type { Readable } from 'node:stream';
import type { Server } from '@tus/server';

export interface StoredFile {
  /** For a picture, its width (`640.webp`) or, in full size, its dimensions (`1600x900.jpg`). */
  name: string;
  body: Buffer;
}

/** From `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores files of one kind, such as pictures or previews. The files with the same id are an entry, and never change. Ids are UUIDs. File names are
 * generated, because a name that a user chose must never reach the storage. Every method rejects if the storage is not available.
 */
export interface FileStorage {
  /** A folder on this machine with room for the bodies of requests. */
  readonly spoolFolder: string;
  /** Stores all files of an entry. The first file can be read only once all others are stored. */
  put(id: string, files: readonly StoredFile[]): Promise<void>;
  /** Undefined if the file does not exist. */
  findBytes(id: string, name: string): Promise<Buffer | undefined>;
  /** Undefined if the file does not exist. The caller reads the stream to its end or destroys it. */
  findStream(id: string, name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Does nothing if the entry does not exist. */
  remove(id: string): Promise<void>;
  /** In the order of the ids. */
  listEntries(): AsyncIterable<{ id: string; names: string[] }>;
  /** The ids of entries that were stored before this moment. May also delete what killed processes left incomplete. */
  idsStoredBefore(moment: Date): AsyncIterable<string>;
}

export const IMAGE_STORAGE = Symbol('image storage');

export const INVOICE_STORAGE = Symbol('invoice storage');

/** For received mails that are not handled yet. */
export const INBOUND_MAIL_STORAGE = Symbol('inbound mail storage');

export const inboundMailFileName = 'message.eml';

/** Receives uploads, each in several requests that may arrive at different processes. */
export interface UploadStorage {
  tusStore(): Promise<TusStore>;
  /** The name of an upload in the tus store. */
  keyOf(id: string): string;
  /** The number of bytes of a complete upload. For an incomplete one, undefined or the number of bytes so far. */
  findSize(id: string): Promise<number | undefined>;
  /**
   * Stores a complete upload as the file `fileName` of an entry with the same id, unless the entry exists. The file is a copy, because a request that
   * has not ended may still write to the upload.
   */
  finish(id: string, fileName: string): Promise<void>;
  /** Does nothing if the upload does not exist. */
  remove(id: string): Promise<void>;
  /** The ids of uploads of which something was stored before this moment. May yield an id more than once. */
  idsStoredBefore(moment: Date): AsyncIterable<string>;
  /** Removes an upload, and also the parts that a killed process left where `remove` does not find them. */
  removeOrphan(id: string): Promise<void>;
}

export type TusStore = NonNullable<ConstructorParameters<typeof Server>[0]>['datastore'];

export interface ProjectFileStorage {
  /** Complete files. Each entry has one file, `projectFileName`. */
  readonly files: FileStorage;
  /** Pictures of files. Each entry has one file, `projectPreviewName`, and the id of the entry in `files` that it shows. */
  readonly previews: FileStorage;
  readonly uploads: UploadStorage;
}

export const PROJECT_FILE_STORAGE = Symbol('project file storage');

export const projectFileName = 'file';
export const projectPreviewName = 'preview.webp';

/** The PDF of an invoice or a credit note. */
export const invoiceFileName = 'invoice.pdf';

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  eml: 'message/rfc822',
};

/** Files of projects have no extension: the projects service knows their types. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
