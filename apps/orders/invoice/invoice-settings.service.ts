import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  DomainError,
  type FieldError,
  type HandlerInputs,
  invoiceContract,
  type InvoiceSettings,
  invoiceSettingsInput,
  type Output,
  type StoredInvoiceSettings,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { currency } from '../money/price.js';
import { BillingClock } from '../payment/billing-clock.js';
import { standardRateOf } from '../tax/tax-rates.js';
import { countryOfVatId, isWellFormedVatId, normalizedVatId } from '../tax/vat-id.js';
import { dayIn, demoPrefix } from './invoice-number.js';
import { InvoiceSettingsEntity } from '../invoice-settings/invoice-settings.entity.js';
import { InvoiceSettingsRepository } from '../invoice-settings/invoice-settings.repository.js';

type Input = HandlerInputs<typeof invoiceContract>;

/** What a form shows before the settings are saved for the first time. */
const initial: InvoiceSettings = {
  ...invoiceSettingsInput.parse({ name: '-', addressLine1: '-', city: '-', countryCode: 'US' }),
  ...{ name: '', addressLine1: '', city: '', countryCode: '' },
};

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The seller and the rules of invoices. Invoices are issued from the moment at which they are saved for the first time. */
@Injectable()
export class InvoiceSettingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly settings: InvoiceSettingsRepository,
    private readonly audit: AuditTrail,
    private readonly billing: BillingClock,
  ) {}

  @Handles(invoiceContract.getInvoiceSettings)
  async get(): Promise<StoredInvoiceSettings> {
    return this.view(await this.settings.find(this.dataSource.manager));
  }

  /** INVALID_INPUT; VERSION_MISMATCH. Issued documents stay as they are. */
  @Handles(invoiceContract.updateInvoiceSettings)
  update({ ifVersion, ...input }: Input['updateInvoiceSettings'], context: RequestContext) {
    const body = { ...input, vatId: normalizedVatId(input.vatId) };
    return this.inbox.once(
      context,
      async (tx): Promise<Output<typeof invoiceContract.updateInvoiceSettings>> => {
        // Waits for documents that are being issued with the former prefixes.
        const stored = await this.settings.find(tx, 'pessimistic_write');
        if (ifVersion !== undefined && ifVersion !== (stored?.version ?? 0))
          throw new DomainError('VERSION_MISMATCH', { current: this.view(stored) });
        if (stored && isDeepStrictEqual(stored.body, body))
          return { record: this.view(stored), modified: false };
        const wrong = [...this.faultsOf(body), ...(await this.usedPrefixes(tx, body))];
        if (wrong.length > 0) throw DomainError.invalid(wrong);
        const saved = Object.assign(new InvoiceSettingsEntity(), {
          ...{
            body,
            version: (stored?.version ?? 0) + 1,
            issuesFrom: stored?.issuesFrom ?? this.billing.now(),
          },
        });
        if (stored) await this.settings.update(tx, { version: saved.version, body });
        else if (!(await this.settings.insert(tx, saved))) throw new DomainError('VERSION_MISMATCH');
        await this.audit.record(tx, context.actor, {
          ...{ section: 'invoiceSettings', recordId: 'invoiceSettings', name: body.name },
          ...{ change: stored ? 'updated' : 'created', before: stored?.body ?? null, after: body },
        });
        return { record: this.view(saved), modified: true };
      },
    );
  }

  /** What no single field can say. */
  faultsOf(body: InvoiceSettings): FieldError[] {
    const { invoicePrefix, creditNotePrefix, taxMode, domesticRate, countryCode, vatId } = body;
    const faults: FieldError[] = [];
    const fault = (field: keyof InvoiceSettings, message: string) => faults.push({ field, message });
    if (invoicePrefix.toLowerCase() === creditNotePrefix.toLowerCase())
      fault('creditNotePrefix', 'must differ from the prefix of invoices');
    for (const field of ['invoicePrefix', 'creditNotePrefix'] as const)
      if (body[field].toUpperCase().startsWith(demoPrefix))
        fault(field, `can’t begin with ${demoPrefix}, which marks the documents of demo customers`);
    if (countryOfVatId(vatId) !== null && !isWellFormedVatId(vatId))
      fault('vatId', 'does not look like a VAT id of that country');
    if (taxMode !== 'none' && vatId === '' && body.taxNumber === '')
      fault('taxNumber', 'is required to charge tax, unless there is a VAT id');
    if (taxMode !== 'none' && domesticRate === '' && this.standardRate(countryCode) === null)
      fault('domesticRate', 'is required outside the EU');
    const { accountingCurrency, exchangeRate } = body;
    if (accountingCurrency === currency)
      fault('accountingCurrency', `is the currency of your prices already`);
    else if (accountingCurrency !== '' && !currencies.has(accountingCurrency))
      fault('accountingCurrency', 'must be a currency code like EUR');
    if ((accountingCurrency !== '') !== Number(exchangeRate) > 0)
      fault('exchangeRate', 'must be a number like 0.9215');
    return faults;
  }

  /** Two series that have used the same prefix could produce the same number. */
  private async usedPrefixes(tx: EntityManager, body: InvoiceSettings): Promise<FieldError[]> {
    const faults: FieldError[] = [];
    if (await this.settings.isPrefixOf(tx, 'credit_note', body.invoicePrefix))
      faults.push({ field: 'invoicePrefix', message: 'was used for credit notes' });
    if (await this.settings.isPrefixOf(tx, 'invoice', body.creditNotePrefix))
      faults.push({ field: 'creditNotePrefix', message: 'was used for invoices' });
    return faults;
  }

  private view(stored: InvoiceSettingsEntity | null): StoredInvoiceSettings {
    const body = stored?.body ?? initial;
    return {
      ...body,
      issuesFrom: stored?.issuesFrom.toISOString() ?? null,
      standardRate: this.standardRate(body.countryCode),
      version: stored?.version ?? 0,
    };
  }

  private standardRate(countryCode: string): string | null {
    return standardRateOf(countryCode, dayIn('UTC', this.billing.now()));
  }
}
