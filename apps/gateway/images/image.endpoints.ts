import { z } from 'zod';
import { image, imageInput } from '#libs/contracts';
import { adminsOnce, adminsOnly } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedDelete, acknowledgedUpdate } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery } from '../routing/listing.js';

const group = 'Images';
const record = image.meta({ id: 'Image' });
const pictures: ReadonlySet<string> = new Set(['address']);
const ignored = z.unknown().optional();

/** What was read can be sent back: what is no admin's to say is accepted and dropped. */
const updateBody = z
  .strictObject({
    ...imageInput.shape,
    ...Object.fromEntries(
      Object.keys(image.shape).flatMap((name) => (name in imageInput.shape ? [] : [[name, ignored]])),
    ),
  })
  .transform(({ name, alt }) => ({ name, alt }))
  .meta({ id: 'ImageUpdate' });

/** Given twice, it arrives as a list. */
const once = { error: 'must be given once' };

export const uploadImageEndpoint: Endpoint = {
  method: 'POST',
  path: '/images',
  policy: adminsOnce,
  operationId: 'uploadImage',
  summary:
    'Upload a picture: its bytes are the body, of whatever content type. The same bytes again are answered the picture there is',
  group,
  query: z.object({
    name: z.string(once).optional().describe('What the file is called, for the library.'),
    alt: z.string(once).optional().describe('What it shows, for those who cannot see it.'),
  }),
  streamedBody: true,
  status: 201,
  answer: acknowledgedCreate(image),
  pictures,
  failures: ['INVALID_INPUT', 'COLLECTION_FULL', 'IDEMPOTENCY_KEY_REUSED', 'OVERLOADED'],
};

export const listImagesEndpoint: Endpoint = {
  method: 'GET',
  path: '/images',
  policy: adminsOnly,
  operationId: 'listImages',
  summary: 'Uploaded pictures, newest first',
  group,
  query: pageQuery,
  status: 200,
  answer: z.array(record),
  pictures,
  failures: ['INVALID_INPUT'],
  paged: true,
};

export const getImageEndpoint: Endpoint = {
  method: 'GET',
  path: '/images/:id',
  policy: adminsOnly,
  operationId: 'getImage',
  summary: 'What is known of an uploaded picture, and where it is shown',
  group,
  status: 200,
  answer: record,
  pictures,
  failures: ['NOT_FOUND'],
};

export const updateImageEndpoint: Endpoint = {
  method: 'PUT',
  path: '/images/:id',
  policy: adminsOnly,
  operationId: 'updateImage',
  summary: 'Change the name of a picture, or what it is said to show; pages follow',
  group,
  body: updateBody,
  status: 200,
  answer: acknowledgedUpdate(image),
  pictures,
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const removeImageEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/images/:id',
  policy: adminsOnly,
  operationId: 'deleteImage',
  summary: 'Delete a picture that no content shows; otherwise `current.uses` says where it is shown',
  group,
  status: 200,
  answer: acknowledgedDelete,
  failures: ['NOT_FOUND', 'VERSION_MISMATCH', 'IMAGE_IN_USE'],
  versioned: true,
};

export const imageEndpoints: readonly Endpoint[] = [
  uploadImageEndpoint,
  listImagesEndpoint,
  getImageEndpoint,
  updateImageEndpoint,
  removeImageEndpoint,
];
