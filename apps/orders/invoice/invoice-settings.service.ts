import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type HandlerInputs,
  invoiceContract,
  type InvoiceSettings,
  type StoredInvoiceSettings,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { currency } from '../money/price.js';
import { standardRateOf } from '../tax/tax-rates.js';
import { countryOfVatId, isWellFormedVatId, normalizedVatId } from '../tax/vat-id.js';
import { InvoiceSettingsEntity } from '../invoice-settings/invoice-settings.entity.js';
import { InvoiceSettingsRepository } from '../invoice-settings/invoice-settings.repository.js';

type Input = HandlerInputs<typeof invoiceContract>;

/** Before the settings are saved for the first time. */
const initial: InvoiceSettings = {
  ...{ name: '', addressLine1: '', addressLine2: '', postalCode: '', city: '', countryCode: '', email: '' },
  ...{ taxNumber: '', vatId: '', register: '', bankAccount: '', timeZone: 'UTC', paper: 'A4' },
  ...{ invoicePrefix: 'INV-', creditNotePrefix: 'CN-', taxMode: 'none', exemptionReason: '' },
  ...{ domesticRate: '', aboveThreshold: false, accountingCurrency: '', exchangeRate: '' },
  attachToMail: false,
};

/** Before the configured prefix in the numbers of demo customers, whose documents can be removed. */
export const demoPrefix = 'DEMO-';

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Reads and changes the seller's details and the rules of invoices. */
@Injectable()
export class InvoiceSettingsService {
  constructor(
    private readonly inbox: Inbox,
    private readonly settings: InvoiceSettingsRepository,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  @Handles(invoiceContract.getInvoiceSettings)
  async get(): Promise<StoredInvoiceSettings> {
    return this.view(await this.settings.find());
  }

  /** VERSION_MISMATCH; INVALID_INPUT for settings that contradict one another. The first time begins the issuing of invoices. */
  @Handles(invoiceContract.updateInvoiceSettings)
  update({ ifVersion, ...input }: Input['updateInvoiceSettings'], context: RequestContext) {
    const wanted = { ...input, vatId: normalizedVatId(input.vatId) };
    refuseContradictions(wanted);
    return this.inbox.once(context, async (tx) => {
      const stored = await this.settings.lock(tx);
      const before = this.view(stored);
      if (ifVersion !== undefined && ifVersion !== before.version)
        throw new DomainError('VERSION_MISMATCH', { current: before });
      if (stored && isDeepStrictEqual(stored.settings, wanted)) return { record: before, modified: false };
      await this.refuseUsedPrefixes(tx, wanted);
      const now = this.clock.now();
      const { issuesFrom = now } = stored ?? {};
      const changed = Object.assign(new InvoiceSettingsEntity(), {
        ...{ version: before.version + 1, settings: wanted, issuesFrom, updatedAt: now },
      });
      await this.settings.save(tx, changed);
      await this.audit.record(tx, context.actor, {
        ...{ section: 'invoiceSettings', recordId: 'invoiceSettings', name: wanted.name },
        ...{ change: stored ? 'updated' : 'created', before: stored?.settings ?? null, after: wanted },
      });
      return { record: this.view(changed), modified: true };
    });
  }

  /** Two series that had the same prefix could have the same number. */
  private async refuseUsedPrefixes(tx: EntityManager, settings: InvoiceSettings): Promise<void> {
    const { invoicePrefix, creditNotePrefix } = settings;
    if (await this.settings.isPrefixOf(tx, 'credit_note', invoicePrefix))
      refuse('invoicePrefix', 'was used for credit notes');
    if (await this.settings.isPrefixOf(tx, 'invoice', creditNotePrefix))
      refuse('creditNotePrefix', 'was used for invoices');
  }

  private view(stored: InvoiceSettingsEntity | null): StoredInvoiceSettings {
    const settings = { ...initial, ...stored?.settings };
    const today = this.clock.now().toISOString().slice(0, 10);
    return {
      ...settings,
      issuesFrom: stored?.issuesFrom.toISOString() ?? null,
      standardRate: standardRateOf(settings.countryCode, today),
      version: stored?.version ?? 0,
    };
  }
}

/** INVALID_INPUT for what no single field can say. */
export function refuseContradictions(settings: InvoiceSettings): void {
  const { countryCode, vatId, taxMode, domesticRate, accountingCurrency, exchangeRate } = settings;
  const isEuropean = countryOfVatId(vatId) !== null;
  if (isEuropean && !isWellFormedVatId(vatId)) refuse('vatId', 'does not look like a VAT id of that country');
  const hasRate = domesticRate !== '' || standardRateOf(countryCode, '9999') !== null;
  if (taxMode !== 'none' && !hasRate) refuse('domesticRate', 'is required outside the EU');
  if (taxMode !== 'none' && vatId === '' && settings.taxNumber === '')
    refuse('taxNumber', 'is required to charge tax, unless there is a VAT id');
  if ((accountingCurrency === '') !== (exchangeRate === ''))
    refuse('exchangeRate', 'and the currency are needed together');
  if (accountingCurrency === currency) refuse('accountingCurrency', 'is the currency of your prices already');
  if (accountingCurrency !== '' && !currencies.has(accountingCurrency))
    refuse('accountingCurrency', 'must be a currency code like EUR');
  if (accountingCurrency !== '' && Number(exchangeRate) === 0)
    refuse('exchangeRate', 'must be more than zero');
  if (settings.invoicePrefix.toLowerCase() === settings.creditNotePrefix.toLowerCase())
    refuse('creditNotePrefix', 'must differ from that of invoices');
  for (const field of ['invoicePrefix', 'creditNotePrefix'] as const)
    if (settings[field].toUpperCase().startsWith(demoPrefix))
      refuse(field, `can’t begin with ${demoPrefix}, which marks documents of demo customers`);
}

function refuse(field: keyof InvoiceSettings, message: string): never {
  throw new DomainError('INVALID_INPUT', { fields: [{ field, message }] });
}
