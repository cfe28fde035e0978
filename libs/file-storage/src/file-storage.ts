/** One file of a picture, such as `640.webp`, or the full size, such as `1600x900.jpg`. */
export interface StoredFile {
  name: string;
  body: Buffer;
}

/**
 * Stores the files of uploaded pictures, for all gateways. A picture's files are never changed. Ids are UUIDs and file names are
 * generated: nothing that a user chose reaches the storage. Every method rejects if the storage is not available.
 */
export interface FileStorage {
  /** A folder on this machine with room for incoming uploads. */
  readonly spoolFolder: string;
  /** Stores all files of a picture. The full-size file can only be read once all others are stored. */
  put(id: string, files: readonly StoredFile[]): Promise<void>;
  /** The content of a file; undefined if it does not exist. */
  get(id: string, name: string): Promise<Buffer | undefined>;
  /** Removes a picture. Does nothing if it does not exist. */
  remove(id: string): Promise<void>;
  /** All pictures with the names of their files, in the order of their ids. */
  entries(): AsyncIterable<{ id: string; names: string[] }>;
  /** The ids of pictures that were stored before this moment, to find those that unfinished uploads left behind. */
  storedBefore(moment: Date): AsyncIterable<string>;
}

/** Nest's injection token for the storage. */
export const IMAGE_STORAGE = Symbol('image storage');

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** Media types by file extension. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.lastIndexOf('.') + 1)]!;
}
