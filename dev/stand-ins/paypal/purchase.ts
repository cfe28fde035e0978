import { type Pairs } from './encoding.js';
import type { Merchants } from './merchants.js';
import type { Merchant } from './model.js';
import { isCurrency, parseAmount } from './money.js';
import { Refusal } from './refusal.js';

/** What the buyer pays for: a "Buy Now" form that PayPal has accepted, or an order or a subscription of the REST API. Amounts are in minor units. */
export interface Purchase {
  merchantId: string;
  /** The merchant's e-mail address, even if the form names the merchant by id. */
  business: string;
  /** Empty if the shop names none. If the shop sent a form, the checkout page then lets the buyer enter one. */
  itemName: string;
  itemNumber: string;
  /** Price of one item. If the buyer enters it, and for a charge of a subscription, it is null until `PaymentLedger.pay` sets it. */
  amount: number | null;
  quantity: number;
  tax: number;
  shipping: number;
  handling: number;
  discount: number;
  currency: string;
  invoice: string;
  custom: string;
  notifyUrl: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** `rm`: with 2, the buyer returns by POST with the result; otherwise by GET, with the result only if PDT or auto-return is on. */
  returnMethod: '0' | '1' | '2';
  /** False if `no_shipping` is 1. */
  needsAddress: boolean;
}

/** One item without tax and shipping, as orders and subscriptions of the REST API are recorded. */
export const singleItemPurchase = (
  purchase: Pick<Purchase, 'merchantId' | 'business' | 'currency'> & Partial<Purchase>,
): Purchase => ({
  itemName: '',
  itemNumber: '',
  amount: null,
  quantity: 1,
  tax: 0,
  shipping: 0,
  handling: 0,
  discount: 0,
  invoice: '',
  custom: '',
  notifyUrl: null,
  returnUrl: null,
  cancelUrl: null,
  returnMethod: '1',
  needsAddress: false,
  ...purchase,
});

/** Source: "HTML Variables for PayPal Payments Standard" (developer.paypal.com, archived). */
const maxLengths: Record<string, number> = {
  business: 127,
  item_name: 127,
  item_number: 127,
  invoice: 127,
  custom: 255,
  notify_url: 255,
  return: 1024,
  cancel_return: 1024,
};

/**
 * Validates a form as PayPal does, and creates a merchant if `business` is an unknown address. PayPal cannot notice that a buyer has changed a field,
 * such as the price. Throws a Refusal for what PayPal would refuse or the simulator does not support.
 */
export function readPurchase(pairs: Pairs, merchants: Merchants): Purchase {
  // If a field occurs twice, PayPal uses the last one.
  const fields = new Map(pairs);
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  if (text('cmd') !== '_xclick') {
    throw new Refusal(400, 'The command must be _xclick: this simulator supports "Buy Now" only.', 'cmd');
  }
  for (const [name, most] of Object.entries(maxLengths)) {
    if (text(name).length > most) throw new Refusal(400, `At most ${most} characters are allowed.`, name);
  }
  const currency = text('currency_code') || 'USD';
  if (!isCurrency(currency)) throw new Refusal(400, 'This currency is not supported.', 'currency_code');
  const money = (name: string, fallback = 0): number => {
    if (text(name) === '') return fallback;
    const minor = parseAmount(text(name), currency);
    if (minor === undefined) throw new Refusal(400, 'This is not an amount.', name);
    return minor;
  };
  const merchant = findOrCreateMerchant(text('business'), merchants);
  const purchase: Purchase = {
    merchantId: merchant.id,
    business: merchant.id === text('business') ? merchant.email : text('business').toLowerCase(),
    itemName: text('item_name'),
    itemNumber: text('item_number'),
    amount: text('amount') === '' ? null : money('amount'),
    quantity: quantityOf(text('quantity') || '1'),
    // A value in the form, even 0, overrides the merchant's profile. Source: `tax` and `shipping` in "HTML Variables for PayPal Payments Standard".
    tax: money('tax', parseAmount(merchant.profileTax ?? '', currency)),
    shipping: money('shipping', parseAmount(merchant.profileShipping ?? '', currency)),
    handling: money('handling'),
    discount: money('discount_amount'),
    currency,
    invoice: text('invoice'),
    custom: text('custom'),
    notifyUrl: webAddressOf('notify_url', text('notify_url')) ?? merchant.notifyUrl,
    returnUrl: webAddressOf('return', text('return')),
    cancelUrl: webAddressOf('cancel_return', text('cancel_return')),
    returnMethod: text('rm') === '2' ? '2' : text('rm') === '1' ? '1' : '0',
    needsAddress: text('no_shipping') !== '1',
  };
  // Throws if the total is zero or too large.
  if (purchase.amount !== null) totalOf(purchase, purchase.amount);
  return purchase;
}

/** `amount` is the price of one item. Throws a Refusal if the total is zero or too large. */
export function totalOf(purchase: Purchase, amount: number): number {
  const { quantity, tax, shipping, handling, discount } = purchase;
  const goods = amount * quantity;
  const total = goods - Math.min(discount, goods) + tax + shipping + handling;
  if (total <= 0) throw new Refusal(400, 'The amount must be more than zero.', 'amount');
  if (total > 999_999_999) throw new Refusal(400, 'The amount is too large.', 'amount');
  return total;
}

function findOrCreateMerchant(business: string, merchants: Merchants): Merchant {
  if (business === '') throw new Refusal(400, 'The form does not name the merchant.', 'business');
  const merchant = merchants.findOrCreate(business);
  if (!merchant)
    throw new Refusal(400, 'This is neither an e-mail address nor the id of a merchant.', 'business');
  return merchant;
}

function quantityOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Refusal(400, 'The quantity must be a whole number from 1 to 999999.', 'quantity');
  return Number(text);
}

function webAddressOf(name: string, text: string): string | null {
  if (text === '') return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Refusal(400, 'This is not a web address.', name);
  }
  return text;
}
