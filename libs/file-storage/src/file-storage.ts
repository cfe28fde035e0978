/** One file of an entry. Of a picture: `640.webp`, or the full size, such as `1600x900.jpg`. */
export interface StoredFile {
  name: string;
  body: Buffer;
}

/**
 * Stores files for all processes, in entries: those of uploaded pictures, or those of invoices. An entry's files are never changed. Ids are UUIDs
 * and file names are generated: nothing that a user chose reaches the storage. Every method rejects if the storage is not available.
 */
export interface FileStorage {
  /** A folder on this machine with room for incoming uploads. */
  readonly spoolFolder: string;
  /** Stores all files of an entry. The first file can only be read once all others are stored. */
  put(id: string, files: readonly StoredFile[]): Promise<void>;
  /** The content of a file; undefined if it does not exist. */
  get(id: string, name: string): Promise<Buffer | undefined>;
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

/** The name of the PDF of an invoice in its entry. */
export const invoiceFileName = 'invoice.pdf';

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
};

/** Media types by file extension. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.lastIndexOf('.') + 1)]!;
}
