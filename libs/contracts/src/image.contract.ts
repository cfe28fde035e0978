import { z } from 'zod';
import { command, query } from './contract.js';
import { pageOf, pageRequest, searchText } from './paging.js';
import { isSingleLine, isStorable, writtenLine } from './text.js';

/** Where a picture is shown: a field of a content record that holds its address. */
export const imageUse = z.object({ section: z.string(), id: z.string(), field: z.string() });
export type ImageUse = z.infer<typeof imageUse>;

/** One of the files that a picture is stored as: `640.webp`. */
export const imageFile = z.object({ name: z.string(), bytes: z.int() });

/** An uploaded picture. Its bytes lie in the gateways' storage; this is what is known of it. */
export const image = z.object({
  _id: z.string(),
  /** For the fields of content: its full size, which the address names (`image-address.ts`). */
  address: z.string(),
  /** What its file was called by whoever uploaded it. */
  name: z.string(),
  /** What it shows, for those who cannot see it; empty for decoration. Pages take it from here. */
  alt: z.string(),
  /** In pixels. */
  width: z.int(),
  height: z.int(),
  /** Every file it is stored as, the full size first. */
  files: z.array(imageFile),
  /** Account id. */
  uploadedBy: z.string().nullable(),
  uses: z.array(imageUse),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** 1 at creation, one more at each change. */
  version: z.int(),
});
export type Image = z.infer<typeof image>;

/** Longer is no description any more: screen readers read it out without a pause. */
const alt = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') })
  .trim()
  .max(500, 'must have at most 500 characters')
  .refine(isStorable, 'contains characters that cannot be stored')
  .refine(isSingleLine, 'must be one line of text');

/** What an admin may say of a picture. */
export const imageInput = z.strictObject({ name: writtenLine(255), alt });
export type ImageInput = z.output<typeof imageInput>;

const digest = z.string().regex(/^[\da-f]{64}$/);
const pixels = z.int().min(1).max(20_000);

export const imageContract = {
  /**
   * The picture that was made from these bytes before, or null. A command because the id of its request stands for the upload:
   * IDEMPOTENCY_KEY_REUSED when it came before with other bytes.
   */
  find: command({
    pattern: 'content.findImage',
    access: 'admin',
    input: z.object({ digest }),
    output: image.nullable(),
  }),
  /** Of two uploads of the same bytes the first stays, and is what the second is answered. COLLECTION_FULL. */
  add: command({
    pattern: 'content.addImage',
    access: 'admin',
    input: imageInput.extend({
      id: z.uuid(),
      /** SHA-256 of what was uploaded. */
      digest,
      width: pixels,
      height: pixels,
      files: z.array(imageFile).min(1).max(40),
    }),
    output: image,
  }),
  /** Newest first. Searches names and alternative texts. INVALID_INPUT for a cursor that is none. */
  list: query({
    pattern: 'content.listImages',
    access: 'admin',
    input: pageRequest.extend({ search: searchText.optional() }),
    output: pageOf(image),
  }),
  /** NOT_FOUND for an unknown or malformed id. */
  item: query({
    pattern: 'content.image',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: image,
  }),
  /** NOT_FOUND, VERSION_MISMATCH (with the current record). */
  update: command({
    pattern: 'content.updateImage',
    access: 'admin',
    input: imageInput.extend({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ record: image, modified: z.boolean() }),
  }),
  /** NOT_FOUND, VERSION_MISMATCH, IMAGE_IN_USE (with the picture, which says where) while a content record holds its address. */
  remove: command({
    pattern: 'content.removeImage',
    access: 'admin',
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ _id: z.string(), files: z.array(imageFile) }),
  }),
  /** Which of these ids are pictures: what storage holds beside them is left over from uploads that never ended. */
  known: query({
    pattern: 'content.knownImages',
    access: 'system',
    input: z.object({ ids: z.array(z.uuid()).max(1000) }),
    output: z.object({ ids: z.array(z.string()) }),
  }),
} as const;
