import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type FieldError,
  type HandlerInputs,
  initialInvoiceSettings,
  invoiceContract,
  type InvoiceKind,
  type InvoiceSettings,
  type StoredInvoiceSettings,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Clock, utcDay } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { currency } from '../money/price.js';
import { isInEu, standardRateOf } from '../tax/tax-rates.js';
import { countryOfVatId, isWellFormedVatId, normalizedVatId } from '../tax/vat-id.js';
import { InvoiceSettingsEntity } from '../invoice-settings/invoice-settings.entity.js';
import { InvoiceSettingsRepository } from '../invoice-settings/invoice-settings.repository.js';

type Input = HandlerInputs<typeof invoiceContract>;

/** Precedes the prefix in the numbers of demo customers' documents. */
export const demoPrefix = 'DEMO-';

const currencies = new Set(Intl.supportedValuesOf('currency'));

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

  /**
   * The first save starts the issuing of invoices, for payments from then on. Throws VERSION_MISMATCH; INVALID_INPUT for wrong or contradictory
   * settings, such as an invoice prefix that credit notes have used.
   */
  @Handles(invoiceContract.updateInvoiceSettings)
  update({ ifVersion, ...input }: Input['updateInvoiceSettings'], context: RequestContext) {
    const wanted = { ...input, vatId: normalizedVatId(input.vatId) };
    throwIfFaults(faultsOf(wanted));
    return this.inbox.once(context, async (tx) => {
      const stored = await this.settings.lockForChange(tx);
      const before = this.view(stored);
      if (ifVersion !== undefined && ifVersion !== before.version)
        throw new DomainError('VERSION_MISMATCH', { current: before });
      if (stored && isDeepStrictEqual(stored.settings, wanted)) return { record: before, modified: false };
      throwIfFaults(await this.prefixFaults(tx, wanted));
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

  /** Two series with the same prefix could assign the same number. */
  private async prefixFaults(tx: EntityManager, settings: InvoiceSettings): Promise<FieldError[]> {
    const { invoicePrefix, creditNotePrefix } = settings;
    const faults: FieldError[] = [];
    const isUsed = (kind: InvoiceKind, prefix: string) =>
      this.settings.isAnyPrefixUsed(tx, kind, [prefix, `${demoPrefix}${prefix}`]);
    if (await isUsed('credit_note', invoicePrefix))
      faults.push({ field: 'invoicePrefix', message: 'was used for credit notes' });
    if (await isUsed('invoice', creditNotePrefix))
      faults.push({ field: 'creditNotePrefix', message: 'was used for invoices' });
    return faults;
  }

  private view(stored: InvoiceSettingsEntity | null): StoredInvoiceSettings {
    const settings = stored?.settings ?? initialInvoiceSettings;
    const today = utcDay(this.clock.now());
    return {
      ...settings,
      issuesFrom: stored?.issuesFrom.toISOString() ?? null,
      standardRate: standardRateOf(settings.countryCode, today),
      version: stored?.version ?? 0,
    };
  }
}

/** Errors that the schemas of the individual fields do not find. */
export function faultsOf(settings: InvoiceSettings): FieldError[] {
  const { countryCode, vatId, taxMode, domesticRate, accountingCurrency, exchangeRate } = settings;
  const hasRate = domesticRate !== '' || isInEu(countryCode);
  const isSamePrefix = settings.invoicePrefix.toLowerCase() === settings.creditNotePrefix.toLowerCase();
  const checks: [isWrong: boolean, field: keyof InvoiceSettings, message: string][] = [
    [
      countryOfVatId(vatId) !== null && !isWellFormedVatId(vatId),
      'vatId',
      'does not look like a VAT ID of the country that it begins with',
    ],
    [taxMode !== 'none' && !hasRate, 'domesticRate', 'is required outside the EU'],
    [
      taxMode !== 'none' && vatId === '' && settings.taxNumber === '',
      'taxNumber',
      'is required to charge tax, unless there is a VAT ID',
    ],
    [accountingCurrency === currency, 'accountingCurrency', 'is already the currency of your prices'],
    [
      accountingCurrency !== '' && !currencies.has(accountingCurrency),
      'accountingCurrency',
      'must be a current ISO 4217 code like EUR',
    ],
    [
      accountingCurrency === '' && exchangeRate !== '',
      'exchangeRate',
      'is only used with an accounting currency',
    ],
    [accountingCurrency !== '' && Number(exchangeRate) === 0, 'exchangeRate', 'must be a number like 0.9215'],
    [isSamePrefix, 'creditNotePrefix', 'must differ from that of invoices'],
    ...(['invoicePrefix', 'creditNotePrefix'] as const).map(
      (field): [boolean, keyof InvoiceSettings, string] => [
        settings[field].toUpperCase().startsWith(demoPrefix),
        field,
        `can’t begin with ${demoPrefix}, which marks documents of demo customers`,
      ],
    ),
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, field, message]) => ({ field, message }));
}

export function throwIfFaults(fields: FieldError[]): void {
  if (fields.length > 0) throw DomainError.invalid(fields);
}
