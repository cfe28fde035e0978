import { join } from 'node:path';
import { z } from 'zod';
import {
  type FileStorage,
  fileStorageSettings,
  imageStorage,
  inboundMailStorage,
  invoiceStorage,
  projectFileStorage,
  requireBucketKeys,
} from '#libs/file-storage';
import { readConfig } from '#libs/platform';
import { StackFailure } from './failure.js';
import type { StackSettings } from './settings.js';

/** Everything that the site stores as files; received mails only until they are handled. */
export const storageNames = [
  'inboundMails',
  'images',
  'invoices',
  'projectFiles',
  'projectPreviews',
] as const;
export type StorageName = (typeof storageNames)[number];
export type Storages = Record<StorageName, FileStorage>;

/** The storages in the data folder, or in the folder or bucket that the settings name. Throws a StackFailure for invalid settings. */
export function storagesOf({ env, dataDir }: Pick<StackSettings, 'env' | 'dataDir'>): Storages {
  const schema = z.object(fileStorageSettings).superRefine(requireBucketKeys);
  const read = readConfig(schema, { ...env, IMAGES_DIR: env.IMAGES_DIR ?? join(dataDir, 'images') });
  if (!read.ok) throw new StackFailure(`These settings cannot be used: ${read.faults.join('; ')}.`);
  return storagesIn(read.config);
}

/** The storages in this folder or bucket. */
export function storagesIn(config: Parameters<typeof imageStorage>[0]): Storages {
  const { files: projectFiles, previews: projectPreviews } = projectFileStorage(config);
  return {
    ...{ images: imageStorage(config), invoices: invoiceStorage(config), projectFiles, projectPreviews },
    inboundMails: inboundMailStorage(config),
  };
}
