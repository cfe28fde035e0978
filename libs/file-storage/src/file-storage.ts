import type { Readable } from 'node:stream';
import type { Server } from '@tus/server';

/** One file of an entry. */
export interface StoredFile {
  /** For a picture, its width (`640.webp`) or, for the full size, its dimensions (`1600x900.jpg`). */
  name: string;
  body: Buffer;
}

/** Bytes of a file: from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores files of one kind for all processes: uploaded pictures, invoices, files of projects, their previews, or received mails. The files with
 * the same id are an entry, and are never changed. Ids are UUIDs and file names are generated: a name that a user chose never reaches the
 * storage. Every method rejects if the storage is not available.
 */
export interface FileStorage {
  /** A folder on this machine with room for incoming uploads. */
  readonly spoolFolder: string;
  /** Stores all files of an entry. The first file can only be read once all others are stored. */
  put(id: string, files: readonly StoredFile[]): Promise<void>;
  /** The content of a file; undefined if it does not exist. */
  get(id: string, name: string): Promise<Buffer | undefined>;
  /** A stream of a file or a part of it; undefined if the file does not exist. The caller reads the stream to its end or destroys it. */
  read(id: string, name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes an entry. Does nothing if it does not exist. */
  remove(id: string): Promise<void>;
  /** All entries with the names of their files, in the order of their ids. */
  entries(): AsyncIterable<{ id: string; names: string[] }>;
  /** The ids of entries that were stored before this moment. Used to find entries that no record refers to. */
  storedBefore(moment: Date): AsyncIterable<string>;
}

/** Nest's injection token for the storage of uploaded pictures. */
export const IMAGE_STORAGE = Symbol('image storage');

/** Nest's injection token for the storage of invoices. */
export const INVOICE_STORAGE = Symbol('invoice storage');

/** Nest's injection token for the storage of received mails that are not handled yet. */
export const INBOUND_MAIL_STORAGE = Symbol('inbound mail storage');

/** The name of the raw message in the entry of a received mail. */
export const inboundMailFileName = 'message.eml';

/**
 * Receives uploads, each in several requests that may arrive at different processes. The tus server writes an upload; nothing else reads it
 * until it is complete.
 */
export interface UploadStorage {
  /** What the tus server writes to. */
  tusStore(): Promise<TusStore>;
  /** The name of an upload in that store. */
  keyOf(id: string): string;
  /** The number of bytes of a complete upload. For an incomplete one, undefined or the number of bytes so far. */
  size(id: string): Promise<number | undefined>;
  /**
   * Stores a copy of a complete upload as the file `fileName` of an entry with the same id, unless the entry exists. It is a copy because a
   * request that has not ended may still write to the upload, but must not write to the file.
   */
  finish(id: string, fileName: string): Promise<void>;
  /** Removes an upload. Does nothing if it does not exist. */
  remove(id: string): Promise<void>;
  /** The ids of uploads of which something was stored before this moment, to find those without a record. May yield an id more than once. */
  storedBefore(moment: Date): AsyncIterable<string>;
  /** Removes an upload, and parts of it that `remove` does not find, because the process that stored them was killed. */
  removeOrphan(id: string): Promise<void>;
}

/** A data store of `@tus/server`. */
export type TusStore = NonNullable<ConstructorParameters<typeof Server>[0]>['datastore'];

/** Where the files of projects are. */
export interface ProjectFileStorage {
  /** Complete files: each entry has the file `projectFileName`. */
  readonly files: FileStorage;
  /** Small pictures of files, as `projectPreviewName`, under the ids of the files. */
  readonly previews: FileStorage;
  /** Uploads of files. */
  readonly uploads: UploadStorage;
}

/** Nest's injection token for the storage of the files of projects. */
export const PROJECT_FILE_STORAGE = Symbol('project file storage');

export const projectFileName = 'file';
export const projectPreviewName = 'preview.webp';

/** The name of the PDF of an invoice or a credit note in its entry. */
export const invoiceFileName = 'invoice.pdf';

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  eml: 'message/rfc822',
};

/** The media type by the file extension. A file of a project has no extension: the projects service knows its type. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
