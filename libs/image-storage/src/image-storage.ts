/** One file of a picture: `640.webp`, or the full size `1600x900.jpg`. */
export interface StoredFile {
  name: string;
  body: Buffer;
}

/**
 * Where the bytes of uploaded pictures lie, shared by every gateway. A picture's files are written once and never changed. Ids are UUIDs and names
 * our own: nothing that a person chose reaches a storage.
 */
export interface ImageStorage {
  /** Of this machine: where there is room for uploads that are on their way. */
  readonly spoolFolder: string;
  /** All files of a picture. Readers find it whole, or not at all under its full size. */
  put(id: string, files: readonly StoredFile[]): Promise<void>;
  /** Undefined when there is no such file; rejects when it cannot be told. */
  get(id: string, name: string): Promise<Buffer | undefined>;
  /** A picture that is not there is as good as removed. */
  remove(id: string): Promise<void>;
  /** Each picture with the names of its files, in the order of their ids: for copies of the whole. */
  pictures(): AsyncIterable<{ id: string; names: string[] }>;
  /** Ids of pictures that were stored before this moment; for looking after what uploads left behind. */
  storedBefore(moment: Date): AsyncIterable<string>;
}

/** Nest's token for the storage. */
export const IMAGE_STORAGE = Symbol('image storage');

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** By the ending of a file's name. */
export function contentTypeOf(name: string): string {
  return contentTypes[name.slice(name.lastIndexOf('.') + 1)]!;
}
