import { ApiError, invalid, unprocessable } from './errors.js';
import { isObject, type JsonObject, missing, type Money, readMoney, readText } from './request-fields.js';

export interface OrderRequest {
  referenceId: string;
  amount: Money;
  customId: string | null;
  invoiceId: string | null;
  description: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** Whether the request named `payment_source.paypal`, which changes the status and the links of the answer. */
  namesPayPal: boolean;
}

/** The body of `POST /v2/checkout/orders`. Supports one purchase unit and `intent: CAPTURE`. */
export function readOrderRequest(body: unknown): OrderRequest {
  if (!isObject(body)) {
    throw new ApiError('INVALID_REQUEST', [
      {
        issue: 'MALFORMED_REQUEST_JSON',
        description: 'The request JSON is not well formed.',
        location: 'body',
      },
    ]);
  }
  checkIntent(body);
  const units = body.purchase_units;
  if (units === undefined) throw missing('/purchase_units');
  if (!Array.isArray(units) || units.length === 0)
    throw invalid(
      'INVALID_ARRAY_MIN_ITEMS',
      'The number of items in an array parameter is too small.',
      '/purchase_units',
    );
  if (units.length > 1)
    throw invalid(
      'INVALID_ARRAY_MAX_ITEMS',
      'The number of items in an array parameter is too large.',
      '/purchase_units',
    );
  // In the path of a bad value, PayPal gives the unit's `reference_id`; here, it is always the default one.
  const path = "/purchase_units/@reference_id=='default'";
  const unit: unknown = units[0];
  if (!isObject(unit)) throw missing('/purchase_units/0');
  refuseUnsupported(unit);
  const amount = readMoney(unit.amount, `${path}/amount`);
  checkBreakdown(unit, amount, path);
  return {
    referenceId: readText(unit, 'reference_id', 256, path) ?? 'default',
    amount,
    customId: readText(unit, 'custom_id', 127, path) ?? null,
    invoiceId: readText(unit, 'invoice_id', 127, path) ?? null,
    description: readText(unit, 'description', 127, path) ?? null,
    ...readContext(body),
  };
}

function checkIntent({ intent }: JsonObject): void {
  if (intent === undefined) throw missing('/intent');
  // The text is PayPal's. The simulator refuses AUTHORIZE for a single unit, too.
  if (intent === 'AUTHORIZE')
    throw unprocessable(
      'UNSUPPORTED_INTENT',
      '`intent=AUTHORIZE` is not supported for multiple purchase units. Only `intent=CAPTURE` is supported.',
      '/intent',
    );
  if (intent !== 'CAPTURE')
    throw invalid('INVALID_PARAMETER_VALUE', 'A parameter value is not valid.', '/intent', String(intent));
}

function refuseUnsupported(unit: JsonObject): void {
  for (const name of ['payee', 'payment_instruction', 'shipping']) {
    if (unit[name] !== undefined)
      throw invalid('NOT_SUPPORTED', 'This field is not currently supported.', `/purchase_units/0/${name}`);
  }
}

/** `items` need a breakdown with their sum, and the breakdown must add up to the amount. */
function checkBreakdown(unit: JsonObject, { currency, minor }: Money, path: string): void {
  const breakdown =
    isObject(unit.amount) && isObject(unit.amount.breakdown) ? unit.amount.breakdown : undefined;
  const items = Array.isArray(unit.items) ? (unit.items as unknown[]).filter(isObject) : [];
  if (items.length > 0 && breakdown?.item_total === undefined)
    throw unprocessable(
      'ITEM_TOTAL_REQUIRED',
      'If item details are specified (items.unit_amount and items.quantity) corresponding amount.breakdown.item_total is required.',
      `${path}/amount/breakdown/item_total`,
    );
  if (!breakdown) return;
  const amountOf = (name: string) =>
    isObject(breakdown[name]) ? minorUnitsOf(breakdown[name], currency) : 0;
  const discounts = amountOf('shipping_discount') + amountOf('discount');
  const sum =
    amountOf('item_total') +
    amountOf('tax_total') +
    amountOf('shipping') +
    amountOf('handling') +
    amountOf('insurance');
  if (sum - discounts !== minor)
    throw unprocessable(
      'AMOUNT_MISMATCH',
      'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
      `${path}/amount/value`,
    );
  const sumOfItems = items.reduce(
    (total, item) =>
      total +
      (isObject(item.unit_amount) ? minorUnitsOf(item.unit_amount, currency) : 0) * Number(item.quantity),
    0,
  );
  if (items.length > 0 && sumOfItems !== amountOf('item_total'))
    throw unprocessable(
      'ITEM_TOTAL_MISMATCH',
      'Should equal sum of (unit_amount * quantity) across all items for a given purchase_unit.',
      `${path}/amount/breakdown/item_total/value`,
    );
}

function minorUnitsOf(money: JsonObject, currency: string): number {
  if (money.currency_code !== currency)
    throw unprocessable(
      'MULTI_CURRENCY_ORDER',
      'Multiple differing values of currency_code are not supported. Entire Order request must have the same currency_code.',
    );
  return Number(money.value) === 0 ? 0 : readMoney(money, '/amount/breakdown').minor;
}

/** From `payment_source.paypal.experience_context` or the older `application_context`. */
function readContext(body: JsonObject): Pick<OrderRequest, 'returnUrl' | 'cancelUrl' | 'namesPayPal'> {
  const source = isObject(body.payment_source) ? body.payment_source : undefined;
  if (source && !isObject(source.paypal))
    throw invalid('NOT_SUPPORTED', 'This field is not currently supported.', '/payment_source');
  const paypal = source?.paypal as JsonObject | undefined;
  const [context, path] = isObject(paypal?.experience_context)
    ? [paypal.experience_context, '/payment_source/paypal/experience_context']
    : [isObject(body.application_context) ? body.application_context : {}, '/application_context'];
  const readUrl = (name: string) => {
    const text = readText(context, name, 4_000, path);
    if (text !== undefined && !(URL.canParse(text) && /^https?:/.test(text)))
      throw invalid(
        'INVALID_PARAMETER_SYNTAX',
        'The value of a field does not conform to the expected format.',
        `${path}/${name}`,
        text,
      );
    return text ?? null;
  };
  return {
    returnUrl: readUrl('return_url'),
    cancelUrl: readUrl('cancel_url'),
    namesPayPal: paypal !== undefined,
  };
}
