import { z } from 'zod';
import { setting } from '#libs/platform';
import { FolderStorage } from './folder-storage.js';
import type { FileStorage } from './file-storage.js';
import { S3Storage } from './s3-storage.js';

/** The settings of a process that reads or writes uploaded pictures. */
export const fileStorageSettings = {
  /** The folder of uploaded pictures, shared by all gateways. */
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

/** The storage in the configured bucket, or else in the folder. */
export function imageStorage(config: FileStorageConfig): FileStorage {
  const { IMAGES_S3_URL: url, IMAGES_S3_REGION: region } = config;
  const { IMAGES_S3_ACCESS_KEY_ID: accessKeyId, IMAGES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (url && accessKeyId && secretAccessKey)
    return new S3Storage({ url, region, accessKeyId, secretAccessKey });
  return new FolderStorage(config.IMAGES_DIR);
}
