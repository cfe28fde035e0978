import { Injectable } from '@nestjs/common';
import type { BillingDetails, InvoiceSettings, TaxMode } from '#libs/contracts';
import { Clock, utcDay } from '#libs/runtime';
import { InvoiceSettingsRepository } from '../invoice-settings/invoice-settings.repository.js';
import { countryCodeOf } from './country-code.js';
import { taxTreatment, type TaxTreatment } from './tax-rule.js';
import { VatIdService } from './vat-id.service.js';

/** What an order says about its buyer; the tax depends on it. */
export interface Buyer {
  billing: BillingDetails | null;
  customerCountry: string;
}

/** How long settings are remembered, in milliseconds: orders are placed often, and these settings hardly ever change. */
const rememberMs = 1_000;

/** Determines how the sales of this seller are taxed. */
@Injectable()
export class TaxService {
  private remembered: { settings: InvoiceSettings | null; until: number } | undefined;

  constructor(
    private readonly invoiceSettings: InvoiceSettingsRepository,
    private readonly vatIds: VatIdService,
    private readonly clock: Clock,
  ) {}

  /** How a sale to this buyer is taxed on this day (YYYY-MM-DD), with these settings. */
  async treatmentOf(settings: InvoiceSettings, buyer: Buyer, day: string): Promise<TaxTreatment> {
    const vatId = buyer.billing?.vatId ?? '';
    const vatIdState = vatId === '' ? null : await this.vatIds.knownStateQueueingCheck(vatId);
    const countryCode = countryOf(buyer) ?? settings.countryCode;
    return taxTreatment(settings, { countryCode, vatId, vatIdState }, day);
  }

  /** How a sale to this buyer would be taxed today; `treatment` is null if the seller charges no tax, or has not saved the invoice settings. */
  async treatmentToday(buyer: Buyer): Promise<{ mode: TaxMode; treatment: TaxTreatment | null }> {
    const settings = await this.settings();
    if (settings === null || settings.taxMode === 'none') return { mode: 'none', treatment: null };
    return { mode: settings.taxMode, treatment: await this.treatmentOf(settings, buyer, this.today()) };
  }

  /** The rate of the tax that is added to prices for this buyer, in percent; "0" if prices contain it, or none is charged. */
  async addedRate(buyer: Buyer): Promise<string> {
    const settings = await this.settings();
    if (settings?.taxMode !== 'exclusive') return '0';
    return (await this.treatmentOf(settings, buyer, this.today())).rate;
  }

  /** The invoice settings, at most a second old; null before they are saved for the first time. */
  async settings(): Promise<InvoiceSettings | null> {
    const now = performance.now();
    if (this.remembered && now < this.remembered.until) return this.remembered.settings;
    const settings = (await this.invoiceSettings.find())?.settings ?? null;
    this.remembered = { settings, until: now + rememberMs };
    return settings;
  }

  private today(): string {
    return utcDay(this.clock.now());
  }
}

/** The buyer's country, ISO 3166-1; null if the order names none, or one that is not recognized. */
export function countryOf({ billing, customerCountry }: Buyer): string | null {
  return billing?.countryCode || countryCodeOf(customerCountry);
}
