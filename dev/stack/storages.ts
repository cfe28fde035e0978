import { join } from 'node:path';
import { z } from 'zod';
import {
  type FileStorage,
  fileStorageSettings,
  imageStorage,
  invoiceStorage,
  projectFileStorage,
  requireBucketKeys,
} from '#libs/file-storage';
import { readConfig } from '#libs/platform';
import { StackFailure } from './failure.js';
import type { StackSettings } from './settings.js';

/** The storages of the site on this machine, or of the one that the settings name. */
export function storagesOf({
  env,
  dataDir,
}: Pick<StackSettings, 'env' | 'dataDir'>): Record<
  'images' | 'invoices' | 'projectFiles' | 'projectPreviews',
  FileStorage
> {
  const schema = z.object(fileStorageSettings).superRefine(requireBucketKeys);
  const read = readConfig(schema, { ...env, IMAGES_DIR: env.IMAGES_DIR ?? join(dataDir, 'images') });
  if (!read.ok) throw new StackFailure(`These settings cannot be used: ${read.faults.join('; ')}.`);
  const { files: projectFiles, previews: projectPreviews } = projectFileStorage(read.config);
  return {
    ...{ images: imageStorage(read.config), invoices: invoiceStorage(read.config) },
    ...{ projectFiles, projectPreviews },
  };
}
