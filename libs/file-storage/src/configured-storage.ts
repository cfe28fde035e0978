import { join } from 'node:path';
import { z } from 'zod';
import { setting } from '#libs/platform';
import { FolderStorage } from './folder-storage.js';
import type { FileStorage } from './file-storage.js';
import { S3Storage } from './s3-storage.js';

/** The settings of a process that reads or writes uploaded pictures or invoices. */
export const fileStorageSettings = {
  /** The folder of uploaded pictures and invoices, shared by all processes that have this setting. */
  IMAGES_DIR: setting.text().default('.data/images'),
  /** The address of a bucket to use instead of the folder. */
  IMAGES_S3_URL: setting
    .url(['http', 'https'])
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  IMAGES_S3_REGION: setting.text().default('us-east-1'),
  IMAGES_S3_ACCESS_KEY_ID: setting.text().optional(),
  IMAGES_S3_SECRET_ACCESS_KEY: setting.text().optional(),
};

type FileStorageConfig = z.output<z.ZodObject<typeof fileStorageSettings>>;

/** A refinement of a schema with these settings: a bucket needs its keys. */
export function requireBucketKeys(config: FileStorageConfig, context: z.RefinementCtx): void {
  if (!config.IMAGES_S3_URL) return;
  for (const name of ['IMAGES_S3_ACCESS_KEY_ID', 'IMAGES_S3_SECRET_ACCESS_KEY'] as const) {
    if (!config[name])
      context.addIssue({ code: 'custom', path: [name], message: 'is required with IMAGES_S3_URL' });
  }
}

/** The area of invoices, inside the folder or the bucket. No id of a picture is `private`, so no picture address leads there. */
const invoiceArea = 'private/invoices';

/** The storage of uploaded pictures, in the configured bucket or else in the folder. */
export function imageStorage(config: FileStorageConfig): FileStorage {
  const bucket = bucketOf(config);
  return bucket ? new S3Storage(bucket) : new FolderStorage(config.IMAGES_DIR);
}

/** The storage of invoices, in the same bucket or folder. */
export function invoiceStorage(config: FileStorageConfig): FileStorage {
  const bucket = bucketOf(config);
  return bucket
    ? new S3Storage({ ...bucket, url: `${bucket.url}/${invoiceArea}`, cacheControl: 'private, no-store' })
    : new FolderStorage(join(config.IMAGES_DIR, invoiceArea));
}

function bucketOf(config: FileStorageConfig) {
  const { IMAGES_S3_URL: url, IMAGES_S3_REGION: region } = config;
  const { IMAGES_S3_ACCESS_KEY_ID: accessKeyId, IMAGES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return url && accessKeyId && secretAccessKey ? { url, region, accessKeyId, secretAccessKey } : undefined;
}
