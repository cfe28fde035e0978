import { Inject, Injectable } from '@nestjs/common';
import { type Notice, notices, wordedMails } from '#libs/contracts';
import type { Brand } from '../mail/letters/letter.js';
import { MAIL_SETTINGS, type MailSettings } from '../mail/mail-settings.js';
import { SiteCopy } from './site-copy.js';

/** How long a mail may show what was changed a moment ago. */
const rememberMs = 1_000;

/** Whose mails these are: name and logo as the site's content has them now. */
@Injectable()
export class SiteBrand {
  private remembered: { brand: Brand; until: number } | undefined;

  constructor(
    private readonly copy: SiteCopy,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  async current(): Promise<Brand> {
    if (!this.remembered || this.remembered.until < Date.now()) {
      this.remembered = { brand: await this.read(), until: Date.now() + rememberMs };
    }
    return this.remembered.brand;
  }

  /** Whether an admin has switched it off. */
  async isOff(notice: Notice): Promise<boolean> {
    const site = await this.copy.read();
    return (site.get('mailText') ?? []).some(({ mail, send }) => mail === notices[notice] && send === 'No');
  }

  private async read(): Promise<Brand> {
    const { publicUrl } = this.settings;
    const site = await this.copy.read();
    const field = (section: string, name: string) => textOf(site.get(section)?.[0]?.[name]);
    const logoUrl = absolute(field('logo', 'logo'), publicUrl);
    const address = field('footerAddress', 'footeraddress');
    return {
      name: field('footerAbout', 'aboutFooterText') ?? new URL(publicUrl).hostname,
      siteUrl: publicUrl,
      ...(logoUrl !== undefined && { logoUrl }),
      ...(address !== undefined && { address }),
      words: wordsOf(site.get('mailText') ?? []),
    };
  }
}

function wordsOf(records: readonly Record<string, unknown>[]): Brand['words'] {
  const byName = new Map(records.map((record) => [record.mail, record]));
  return new Map(
    Object.entries(wordedMails).map(([notice, name]) => {
      const { subject, text } = byName.get(name) ?? {};
      return [notice, { subject: textOf(subject), text: typeof text === 'string' ? text.trim() : '' }];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() || undefined : undefined;
}

function absolute(address: string | undefined, publicUrl: string): string | undefined {
  if (address === undefined || !URL.canParse(address, publicUrl)) return undefined;
  const url = new URL(address, publicUrl);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
