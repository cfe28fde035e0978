import type { Brand } from '../site/brand.js';
import type { EmailContent } from './email-content.js';

export interface MailTemplate {
  /** 0: somebody is waiting for it. 1: a notification. 2: a newsletter. */
  priority: 0 | 1 | 2;
  /** The params that are removed from the row when the mail is finished. */
  secrets: readonly string[];
  /** The last mail to a deleted account. Its row is deleted a day after it is finished. */
  isLast?: true;
  write(params: unknown, brand: Brand): EmailContent;
}
