import type { Readable } from 'node:stream';
import type { Server } from '@tus/server';

/** One file of an entry. Of a picture: `640.webp`, or the full size, such as `1600x900.jpg`. */
export interface StoredFile {
  name: string;
  body: Buffer;
}

/** Bytes of a file: from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores files for all processes, in entries: those of uploaded pictures, invoices, files of projects, or received mails. An entry's files
 * are never changed. Ids are UUIDs and file names are generated: nothing that a user chose reaches the storage. Every method rejects if
 * the storage is not available.
 */
export interface FileStorage {
  /** A folder on this machine with room for incoming uploads. */
  readonly spoolFolder: string;
  /** Stores all files of an entry. The first file can only be read once all others are stored. */
  put(id: string, files: readonly StoredFile[]): Promise<void>;
  /** The content of a file; undefined if it does not exist. */
  get(id: string, name: string): Promise<Buffer | undefined>;
  /** A file or a part of it, as it is read; undefined if it does not exist. The caller reads the stream or destroys it. */
  read(id: string, name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes an entry. Does nothing if it does not exist. */
  remove(id: string): Promise<void>;
  /** All entries with the names of their files, in the order of their ids. */
  entries(): AsyncIterable<{ id: string; names: string[] }>;
  /** The ids of entries that were stored before this moment, to find those that unfinished uploads left behind. */
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
 * Receives uploads in parts, which may arrive at different processes. The tus server writes them; nothing else reads them until they are
 * complete.
 */
export interface UploadStorage {
  /** What the tus server writes to. */
  tusStore(): Promise<TusStore>;
  /** The name of an upload in that store. */
  keyOf(id: string): string;
  /** The number of bytes of an upload. Of one that is not complete, it is undefined or the number of bytes so far. */
  size(id: string): Promise<number | undefined>;
  /**
   * Makes a complete upload the file `fileName` of an entry with the same id, if there is no such entry. The bytes are copied: a request that has
   * not ended may still write to the upload, but never to the file.
   */
  finish(id: string, fileName: string): Promise<void>;
  /** Removes everything of an upload. Does nothing if it does not exist. */
  remove(id: string): Promise<void>;
  /** The ids of uploads of which something was stored before this moment, to find those that belong to nothing; may yield an id more than once. */
  storedBefore(moment: Date): AsyncIterable<string>;
  /** Removes everything of an upload, including parts that a process that was killed could not record. */
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

/** The name of the PDF of an invoice in its entry. */
export const invoiceFileName = 'invoice.pdf';

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  eml: 'message/rfc822',
};

/** Media types by file extension. A file of a project has none: its type is known to the service. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
