import { z } from 'zod';
import { fileStorageSettings, requireBucketKeys } from '#libs/file-storage';
import { loadConfig, serviceSettings, setting } from '#libs/platform';

export const projectsSettings = z
  .object({
    ...serviceSettings,
    ...fileStorageSettings,
    /** The address of the virus scanner clamd. If it is not set, files are not scanned. */
    CLAMD_URL: setting
      .url(['tcp'])
      .refine((url) => Number(new URL(url).port) > 0, 'must be an address with a port, like tcp://host:3310')
      .optional(),
    /** The site's public address, which the links in team invitations start with. */
    PUBLIC_URL: setting.httpUrl(),
    /** The address for replies to project mails; each reader's token is added: reply+<token>@example.com. If not set, mails have no such address. */
    INBOUND_MAIL_ADDRESS: setting
      .text()
      .regex(/^[^@\s<>+"]{1,30}@[^@\s<>+"]+$/, 'must be an address like reply@example.com')
      .transform((address) => address.toLowerCase())
      .optional(),
  })
  .superRefine(requireBucketKeys);

export type ProjectsConfig = z.output<typeof projectsSettings>;

/** Exits with one line per bad setting. */
export const readProjectsConfig = (): ProjectsConfig => loadConfig(projectsSettings, process.env);
