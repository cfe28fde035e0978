const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/**
 * `"1290.5"` → `"$1,290.50"`. Exact: formats the text, without a float. Text that is not a number is returned unchanged.
 */
export function money(amount = ''): string {
  const text = amount.trim();
  return /^-?\d+(\.\d+)?$/.test(text) ? usd.format(text as Intl.StringNumericLiteral) : amount;
}
