import { Inject, Injectable } from '@nestjs/common';
import { siteNameOf } from '#libs/content-model';
import { type NotificationEmail, notificationEmails, customizableMails } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { type Brand, type CustomText, customTextOf, lineOf } from './brand.js';
import { SiteCopyRepository } from './site-copy.repository.js';

/** How long mails may still show the brand as it was before a change. */
const cacheMs = 1_000;

@Injectable()
export class BrandService {
  private cached: { brand: Brand; until: number } | undefined;

  constructor(
    private readonly site: SiteCopyRepository,
    private readonly clock: Clock,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  async current(): Promise<Brand> {
    const now = this.clock.now().getTime();
    if (!this.cached || this.cached.until < now) {
      this.cached = { brand: await this.read(), until: now + cacheMs };
    }
    return this.cached.brand;
  }

  async isTemplateOff(template: NotificationEmail): Promise<boolean> {
    const site = await this.site.read();
    return (site.get('mailText') ?? []).some(
      ({ mail, send }) => mail === notificationEmails[template] && send === 'No',
    );
  }

  private async read(): Promise<Brand> {
    const { publicUrl } = this.settings;
    const site = await this.site.read();
    const field = (section: string, name: string) => lineOf(site.get(section)?.[0]?.[name]);
    const logoUrl = absoluteUrl(field('logo', 'logo'), publicUrl);
    const postalAddress = field('footerAddress', 'footeraddress');
    return {
      name: siteNameOf(Object.fromEntries(site)) ?? new URL(publicUrl).hostname,
      siteUrl: publicUrl,
      ...(logoUrl !== undefined && { logoUrl }),
      ...(postalAddress !== undefined && { postalAddress }),
      customTexts: customTextsOf(site.get('mailText') ?? []),
    };
  }
}

function customTextsOf(records: readonly Record<string, unknown>[]): ReadonlyMap<string, CustomText> {
  const byName = new Map(records.map((record) => [record.mail, record]));
  return new Map(
    Object.entries(customizableMails).map(([template, name]) => [
      template,
      customTextOf(byName.get(name) ?? {}),
    ]),
  );
}

function absoluteUrl(address: string | undefined, publicUrl: string): string | undefined {
  if (address === undefined || !URL.canParse(address, publicUrl)) return undefined;
  const url = new URL(address, publicUrl);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
