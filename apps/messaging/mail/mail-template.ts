import type { Brand } from '../site/brand.js';
import type { EmailContent } from './email-content.js';

/** One kind of e-mail. */
export interface MailTemplate {
  /** 0: somebody is waiting for it. 1: a notification. 2: a newsletter. */
  priority: 0 | 1 | 2;
  /** The names of params that are removed from the record when the mail is finished. */
  secrets: readonly string[];
  /** The last mail to a deleted account. The mail's record is deleted a day after the mail is finished. */
  isLast?: true;
  /** Throws if the params are not valid for this template. */
  write(params: unknown, brand: Brand): EmailContent;
}
