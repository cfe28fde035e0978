import type { GatewayConfig } from '../config.js';
import { FolderStorage } from './folder-storage.js';
import type { ImageStorage } from './image-storage.js';
import { S3Storage } from './s3-storage.js';

/** A bucket where one is configured, else a folder. */
export function imageStorage(config: GatewayConfig): ImageStorage {
  const { IMAGES_S3_URL: url, IMAGES_S3_REGION: region } = config;
  const { IMAGES_S3_ACCESS_KEY_ID: accessKeyId, IMAGES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (url && accessKeyId && secretAccessKey)
    return new S3Storage({ url, region, accessKeyId, secretAccessKey });
  return new FolderStorage(config.IMAGES_DIR);
}
