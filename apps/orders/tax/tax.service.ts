import { Injectable } from '@nestjs/common';
import type { BillingDetails, InvoiceSettings, TaxMode } from '#libs/contracts';
import { Clock, utcDay } from '#libs/runtime';
import { InvoiceSettingsRepository } from '../invoice-settings/invoice-settings.repository.js';
import { countryCodeOf } from './country-code.js';
import { taxTreatment, type TaxTreatment } from './tax-rule.js';
import { VatIdService } from './vat-id.service.js';

interface OrderingBuyer {
  billing: BillingDetails | null;
  customerCountry: string;
}

/** Orders are placed often, and the invoice settings hardly ever change. */
const rememberMs = 1_000;

@Injectable()
export class TaxService {
  private remembered: { settings: InvoiceSettings | null; until: number } | undefined;

  constructor(
    private readonly invoiceSettings: InvoiceSettingsRepository,
    private readonly vatIds: VatIdService,
    private readonly clock: Clock,
  ) {}

  /** `treatment` is null if the seller charges no tax, or has not saved the invoice settings. */
  async treatmentToday(buyer: OrderingBuyer): Promise<{ mode: TaxMode; treatment: TaxTreatment | null }> {
    const settings = await this.findInvoiceSettings();
    if (settings === null || settings.taxMode === 'none') return { mode: 'none', treatment: null };
    return { mode: settings.taxMode, treatment: await this.treatmentOf(settings, buyer) };
  }

  /** In percent; "0" if prices contain the tax, or none is charged. */
  async addedRate(buyer: OrderingBuyer): Promise<string> {
    const settings = await this.findInvoiceSettings();
    if (settings?.taxMode !== 'exclusive') return '0';
    return (await this.treatmentOf(settings, buyer)).rate;
  }

  /** At most a second old; null before they are saved for the first time. */
  async findInvoiceSettings(): Promise<InvoiceSettings | null> {
    const now = performance.now();
    if (this.remembered && now < this.remembered.until) return this.remembered.settings;
    const settings = (await this.invoiceSettings.find())?.settings ?? null;
    this.remembered = { settings, until: now + rememberMs };
    return settings;
  }

  private async treatmentOf(settings: InvoiceSettings, buyer: OrderingBuyer): Promise<TaxTreatment> {
    const vatId = buyer.billing?.vatId ?? '';
    const vatIdState = vatId === '' ? null : await this.vatIds.readStateAndQueueCheck(vatId);
    // A buyer whose country is unknown is taxed like a buyer in the seller's country.
    const countryCode = countryOf(buyer) ?? settings.countryCode;
    return taxTreatment(settings, { countryCode, vatId, vatIdState }, utcDay(this.clock.now()));
  }
}

/** ISO 3166-1; null if the order names no country, or one that is not recognized. */
export function countryOf({ billing, customerCountry }: OrderingBuyer): string | null {
  return billing?.countryCode || countryCodeOf(customerCountry);
}
