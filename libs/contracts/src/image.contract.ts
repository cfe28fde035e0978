import { z } from 'zod';
import { createdAnswerSchema, deletedAnswerSchema, recordMeta, updated } from './answers.js';
import { command, query } from './contract.js';
import { givenOnce, updateBody } from './inputs.js';
import { grouped, list, operation, relay, relayedIn } from './operation.js';
import { adminsIdempotent, adminsOnly } from './policy.js';
import { isSingleLine, isStorable, requiredLine } from './text.js';

/**
 * A field of a content record that has the picture's address. Newsletters do not count: a sent one never changes, so its pictures could never be
 * deleted.
 */
const imageUse = z.object({ section: z.string(), id: z.string(), field: z.string() });
export type ImageUse = z.infer<typeof imageUse>;

/** `name` is e.g. `640.webp`. */
const imageFile = z.object({ name: z.string(), bytes: z.int() });

/** The bytes are in the gateways' storage. */
export const image = z.object({
  _id: z.string(),
  /** The full size: see `imageAddress`. */
  address: z.string(),
  /** At first the file name that the upload gave; `Image` if it gave none. */
  name: z.string(),
  /** Alternative text; empty for decoration. */
  alt: z.string(),
  /** In pixels. */
  width: z.int(),
  height: z.int(),
  /** The full size first. */
  files: z.array(imageFile),
  /** The account's id. Null only if the caller is not a person; the gateway always passes the admin who uploads. */
  uploadedBy: z.string().nullable(),
  uses: z.array(imageUse),
  ...recordMeta,
});
export type Image = z.infer<typeof image>;

/** Longer texts do not help: screen readers read them without a pause. */
const alt = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') })
  .trim()
  .max(500, 'must have at most 500 characters')
  .refine(isStorable, 'contains characters that cannot be stored')
  .refine(isSingleLine, 'must be one line of text');

export const imageInput = z.strictObject({ name: requiredLine(255), alt });
export type ImageInput = z.output<typeof imageInput>;

const digest = z.string().regex(/^[\da-f]{64}$/);
const pixels = z.int().min(1).max(20_000);

const imageAnswer = image.meta({ id: 'Image' });
const pictureFields: ReadonlySet<string> = new Set(['address']);

export const imageOperations = grouped('Images', {
  uploadImage: operation({
    at: 'POST /images',
    summary:
      'Upload a picture: the body is its bytes, with any content type. Uploading the same bytes again returns the existing picture',
    policy: adminsIdempotent,
    query: z.object({
      name: z.string(givenOnce).optional().describe('File name, for the library.'),
      alt: z.string(givenOnce).optional().describe('Alternative text: what the picture shows.'),
    }),
    pictureFields,
    streamedBody: true,
    status: 201,
    answer: createdAnswerSchema(image),
    failures: ['COLLECTION_FULL', 'OVERLOADED'],
  }),
  listImages: list({
    at: 'GET /images',
    pattern: 'content.listImages',
    summary: 'Uploaded pictures, newest first',
    policy: adminsOnly,
    filter: z.object({}),
    record: imageAnswer,
    pictureFields,
  }),
  getImage: relay({
    at: 'GET /images/:id',
    pattern: 'content.image',
    summary: 'An uploaded picture, and where it is shown',
    policy: adminsOnly,
    answer: imageAnswer,
    pictureFields,
  }),
  updateImage: relay({
    at: 'PUT /images/:id',
    pattern: 'content.updateImage',
    summary: 'Change the name or the alternative text of a picture; pages show the new text',
    policy: adminsOnly,
    body: updateBody('ImageUpdate', imageInput.shape, Object.keys(image.shape)),
    versioned: true,
    answer: updated(image),
    invalidates: 'cachedContent',
    pictureFields,
  }),
  deleteImage: operation({
    at: 'DELETE /images/:id',
    summary:
      'Delete a picture that no content shows; otherwise `current.uses` says where it is shown. Newsletters do not count',
    policy: adminsOnly,
    versioned: true,
    answer: deletedAnswerSchema,
    failures: ['IMAGE_IN_USE'],
  }),
});

export const imageContract = {
  ...relayedIn(imageOperations),
  /**
   * The picture that was made from these bytes before, or null. Although it only reads, it is a command, so that a request id is bound to the
   * bytes of its upload: throws IDEMPOTENCY_KEY_REUSED if the id was used with other bytes.
   */
  find: command({
    pattern: 'content.findImage',
    access: 'admin',
    input: z.object({ digest }),
    output: image.nullable(),
  }),
  /** The same bytes again return the first picture. Throws COLLECTION_FULL. */
  add: command({
    pattern: 'content.addImage',
    access: 'admin',
    input: imageInput.extend({
      id: z.uuid(),
      /** SHA-256 of the upload. */
      digest,
      width: pixels,
      height: pixels,
      files: z.array(imageFile).min(1).max(40),
    }),
    output: image,
  }),
  /** Throws NOT_FOUND, VERSION_MISMATCH; IMAGE_IN_USE (with the picture and its `uses`) while a content record has its address. */
  remove: command({
    pattern: 'content.removeImage',
    access: 'admin',
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ _id: z.string(), files: z.array(imageFile) }),
  }),
  /** Those of the ids that belong to pictures. Files in storage under other ids are left over from unfinished uploads or deleted pictures. */
  known: query({
    pattern: 'content.knownImages',
    access: 'system',
    input: z.object({ ids: z.array(z.uuid()).max(1000) }),
    output: z.object({ ids: z.array(z.string()) }),
  }),
} as const;
