import { z } from 'zod';
import { image, imageContract as contract, imageInput } from '#libs/contracts';
import { acknowledgedCreate, acknowledgedDelete, updated } from './acknowledged.js';
import { once, pageQuery, updateBody } from './inputs.js';
import { grouped, list, operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly } from './policy.js';

const record = image.meta({ id: 'Image' });
const pictures: ReadonlySet<string> = new Set(['address']);

export const imageOperations = grouped('Images', {
  upload: operation({
    at: 'POST /images',
    id: 'uploadImage',
    summary:
      'Upload a picture: the body is its bytes, with any content type. Uploading the same bytes again answers the existing picture',
    policy: adminsOnce,
    query: z.object({
      name: z.string(once).optional().describe('File name, for the library.'),
      alt: z.string(once).optional().describe('Alternative text: what the picture shows.'),
    }),
    pictures,
    streamedBody: true,
    status: 201,
    answer: acknowledgedCreate(image),
    failures: ['COLLECTION_FULL', 'OVERLOADED'],
  }),
  list: relay({
    at: 'GET /images',
    id: 'listImages',
    summary: 'Uploaded pictures, newest first',
    policy: adminsOnly,
    query: pageQuery,
    pictures,
    to: list(contract.list, record),
  }),
  item: relay({
    at: 'GET /images/:id',
    id: 'getImage',
    summary: 'An uploaded picture, and where it is shown',
    policy: adminsOnly,
    pictures,
    failures: ['NOT_FOUND'],
    to: output(contract.item, record),
  }),
  update: relay({
    at: 'PUT /images/:id',
    id: 'updateImage',
    summary: 'Change the name or the alternative text of a picture; pages follow',
    policy: adminsOnly,
    body: updateBody('ImageUpdate', imageInput.shape, Object.keys(image.shape)),
    versioned: true,
    failures: ['NOT_FOUND'],
    invalidates: 'siteContent',
    pictures,
    to: updated(contract.update),
  }),
  remove: operation({
    at: 'DELETE /images/:id',
    id: 'deleteImage',
    summary: 'Delete a picture that no content shows; otherwise `current.uses` says where it is shown',
    policy: adminsOnly,
    versioned: true,
    answer: acknowledgedDelete,
    failures: ['NOT_FOUND', 'IMAGE_IN_USE'],
  }),
});
