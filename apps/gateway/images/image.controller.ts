import type { Readable } from 'node:stream';
import { createdAnswer, deletedAnswer, imageOperations, type OperationInputs } from '#libs/contracts';
import { type Context, Serves } from '../routing/serves.js';
import { ImageUploads } from './image-uploads.js';

type Input = OperationInputs<typeof imageOperations>;

@Serves(imageOperations)
export class ImageController {
  constructor(private readonly uploads: ImageUploads) {}

  async uploadImage(description: Input['uploadImage'], { request, caller }: Context) {
    const body = request.body as Readable | undefined;
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    return createdAnswer(await this.uploads.upload({ body, announcedBytes }, description, caller));
  }

  async deleteImage({ id, ifVersion }: Input['deleteImage'], { caller }: Context) {
    return deletedAnswer(await this.uploads.deleteImage(id, ifVersion, caller));
  }
}
