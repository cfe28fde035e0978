import type { Brand } from '../site/brand.js';
import type { EmailContent } from './email-content.js';

export interface MailTemplate {
  /** Mails with 0, such as those about an account, are sent before those with 1. Mails of campaigns, which have no `MailTemplate`, have 2. */
  priority: 0 | 1;
  /** The params that are removed from the row when the mail is finished. */
  secrets: readonly string[];
  /** The last mail to a deleted account. Its row is deleted a day after it is finished. */
  isLastToAccount?: true;
  write(params: unknown, brand: Brand): EmailContent;
}
