import { z } from 'zod';
import { fileStorageSettings, requireBucketKeys } from '#libs/file-storage';
import { loadConfig, serviceSettings, setting } from '#libs/platform';

export const projectsSettings = z
  .object({
    ...serviceSettings,
    ...fileStorageSettings,
    /** The virus scanner clamd. Without it, files are not scanned. */
    CLAMD_URL: setting
      .url(['tcp'])
      .refine((url) => Number(new URL(url).port) > 0, 'must be an address with a port, like tcp://host:3310')
      .optional(),
    /** The site's public address, for the links in team invitations. */
    PUBLIC_URL: setting.httpUrl(),
    /**
     * The address for replies to mails about unread messages. The Reply-To of such a mail is this address with the recipient's token:
     * reply+<token>@example.com. Without this setting, nobody can write in a thread by mail.
     */
    INBOUND_MAIL_ADDRESS: setting
      .text()
      .regex(/^[^@\s<>+"]{1,30}@[^@\s<>+"]+$/, 'must be an address like reply@example.com')
      .transform((address) => address.toLowerCase())
      .optional(),
  })
  .superRefine(requireBucketKeys);

export type ProjectsConfig = z.output<typeof projectsSettings>;

export const readProjectsConfig = (): ProjectsConfig => loadConfig(projectsSettings, process.env);
