import type { InvoiceSettings, TaxMode } from '#libs/contracts';

export type TextSetting = Exclude<
  keyof InvoiceSettings,
  'aboveThreshold' | 'attachToMail' | 'taxMode' | 'paper'
>;

/** In the order of the form. */
export const settingLabels: Record<TextSetting, string> = {
  name: 'Registered name',
  addressLine1: 'Street and number',
  addressLine2: 'Suite, floor or department',
  postalCode: 'Postal code',
  city: 'City',
  countryCode: 'Country',
  email: 'E-mail',
  taxNumber: 'Tax number',
  vatId: 'VAT ID',
  register: 'Company registration',
  bankAccount: 'Bank account',
  invoicePrefix: 'Invoice prefix',
  creditNotePrefix: 'Credit note prefix',
  timeZone: 'Time zone',
  exemptionReason: 'Reason why no tax is charged',
  domesticRate: 'Tax rate in percent',
  accountingCurrency: 'Currency of your tax returns',
  exchangeRate: 'Exchange rate',
};

export const taxModes: Record<TaxMode, { label: string; hint: string }> = {
  none: {
    label: 'No tax',
    hint: 'For example, because you’re a small business, or your country doesn’t tax your services.',
  },
  inclusive: {
    label: 'Prices include tax',
    hint: 'Customers pay the price on your site, and invoices show the tax in it.',
  },
  exclusive: {
    label: 'Tax is added to prices',
    hint: 'Customers see the tax and the total before they order, and pay the total.',
  },
};
