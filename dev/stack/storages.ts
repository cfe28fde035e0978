import { join } from 'node:path';
import { z } from 'zod';
import {
  type FileStorage,
  fileStorageSettings,
  createImageStorage,
  createInboundMailStorage,
  createInvoiceStorage,
  createProjectFileStorage,
  requireBucketKeys,
} from '#libs/file-storage';
import { readConfig } from '#libs/platform';
import { StackFailure } from './failure.js';
import type { StackSettings } from './settings.js';

export const storageNames = [
  'inboundMails',
  'images',
  'invoices',
  'projectFiles',
  'projectPreviews',
] as const;
export type StorageName = (typeof storageNames)[number];
export type Storages = Record<StorageName, FileStorage>;

/**
 * The files are in the data folder, or in the folder or bucket that the settings name. `IMAGES_DIR` is the folder of all files, not only of pictures.
 * Throws a StackFailure for invalid settings.
 */
export function storagesOf({ env, dataDir }: Pick<StackSettings, 'env' | 'dataDir'>): Storages {
  const schema = z.object(fileStorageSettings).superRefine(requireBucketKeys);
  const reading = readConfig(schema, { ...env, IMAGES_DIR: env.IMAGES_DIR ?? join(dataDir, 'images') });
  if (!reading.ok) throw new StackFailure(`These settings cannot be used: ${reading.faults.join('; ')}.`);
  return storagesFromConfig(reading.config);
}

export function storagesFromConfig(config: Parameters<typeof createImageStorage>[0]): Storages {
  const { files: projectFiles, previews: projectPreviews } = createProjectFileStorage(config);
  return {
    images: createImageStorage(config),
    invoices: createInvoiceStorage(config),
    projectFiles,
    projectPreviews,
    inboundMails: createInboundMailStorage(config),
  };
}
