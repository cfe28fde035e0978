import { join } from 'node:path';
import { z } from 'zod';
import { setting } from '#libs/platform';
import { FolderStorage, FolderUploads } from './folder-storage.js';
import type { FileStorage, ProjectFileStorage } from './file-storage.js';
import { S3Storage } from './s3-storage.js';
import { S3Uploads } from './s3-uploads.js';

export const fileStorageSettings = {
  /** The folder of all stored files, not only of pictures. Gateways, orders and projects share it. */
  IMAGES_DIR: setting.text().default('.data/images'),
  /** A bucket that is used instead of the folder. */
  IMAGES_S3_URL: setting.url(['http', 'https']).optional(),
  IMAGES_S3_REGION: setting.text().default('us-east-1'),
  IMAGES_S3_ACCESS_KEY_ID: setting.text().optional(),
  IMAGES_S3_SECRET_ACCESS_KEY: setting.text().optional(),
};

type FileStorageConfig = z.output<z.ZodObject<typeof fileStorageSettings>>;

/** For `superRefine`: reports a bucket without its access keys. */
export function requireBucketKeys(config: FileStorageConfig, context: z.RefinementCtx): void {
  if (!config.IMAGES_S3_URL) return;
  for (const name of ['IMAGES_S3_ACCESS_KEY_ID', 'IMAGES_S3_SECRET_ACCESS_KEY'] as const) {
    if (!config[name])
      context.addIssue({ code: 'custom', path: [name], message: 'is required with IMAGES_S3_URL' });
  }
}

/** Invoices and credit notes. No picture has the id `private`, so no picture's address leads there. */
const invoiceArea = 'private/invoices';

/** Received mails that are not handled yet. */
const inboundMailArea = 'private/inbound-mail';

export function createImageStorage(config: FileStorageConfig): FileStorage {
  const bucket = bucketOf(config);
  return bucket ? new S3Storage(bucket) : new FolderStorage(config.IMAGES_DIR);
}

export const createInvoiceStorage = (config: FileStorageConfig): FileStorage =>
  createAreaStorage(config, invoiceArea);

export const createInboundMailStorage = (config: FileStorageConfig): FileStorage =>
  createAreaStorage(config, inboundMailArea);

function createAreaStorage(config: FileStorageConfig, area: string): FileStorage {
  const bucket = bucketOf(config);
  return bucket
    ? new S3Storage({ ...bucket, area, cacheControl: 'private, no-store' })
    : new FolderStorage(join(config.IMAGES_DIR, area));
}

const projectAreas = {
  files: 'private/project-files',
  previews: 'private/project-previews',
  uploads: 'private/project-uploads',
};

export function createProjectFileStorage(config: FileStorageConfig): ProjectFileStorage {
  const bucket = bucketOf(config);
  if (!bucket) {
    const at = (area: string) => join(config.IMAGES_DIR, area);
    const files = new FolderStorage(at(projectAreas.files));
    const uploads = new FolderUploads(at(projectAreas.uploads), files);
    return { files, uploads, previews: new FolderStorage(at(projectAreas.previews)) };
  }
  return {
    files: createAreaStorage(config, projectAreas.files),
    previews: createAreaStorage(config, projectAreas.previews),
    uploads: new S3Uploads({ ...bucket, area: projectAreas.uploads, filesArea: projectAreas.files }),
  };
}

function bucketOf(config: FileStorageConfig) {
  const { IMAGES_S3_URL: url, IMAGES_S3_REGION: region } = config;
  const { IMAGES_S3_ACCESS_KEY_ID: accessKeyId, IMAGES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return url && accessKeyId && secretAccessKey ? { url, region, accessKeyId, secretAccessKey } : undefined;
}
