import { Inject, Injectable } from '@nestjs/common';
import { imageFileAt, type InvoiceDocument } from '#libs/contracts';
import { type FileStorage, IMAGE_STORAGE } from '#libs/file-storage';
import { RenderingThread } from './rendering-thread.js';

@Injectable()
export class InvoiceRenderingService {
  constructor(
    private readonly thread: RenderingThread,
    @Inject(IMAGE_STORAGE) private readonly images: FileStorage,
  ) {}

  /** Rejects if the document breaks a rule of EN 16931. Leaves out a logo that no longer exists. */
  async render(document: InvoiceDocument): Promise<Buffer> {
    const file = document.logo === null ? undefined : imageFileAt(document.logo);
    const logo = file && (await this.images.findBytes(file.id, file.name));
    return this.thread.render(document, logo);
  }
}
