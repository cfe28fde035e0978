import { isCurrency, parseAmount } from '../money.js';
import { invalid, unprocessable } from './errors.js';

export interface Money {
  currency: string;
  /** In minor units. */
  minor: number;
}

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 1 to `maxLength` characters; undefined if it is missing. `path` is the place of `source` in the body, for errors. */
export function readText(
  source: JsonObject,
  name: string,
  maxLength: number,
  path: string,
): string | undefined {
  const value = source[name];
  const field = `${path}/${name}`;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string')
    throw invalid(
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
      field,
    );
  if (value.length < 1 || value.length > maxLength)
    throw invalid(
      'INVALID_STRING_LENGTH',
      'The value of a field is either too short or too long',
      field,
      value,
    );
  return value;
}

export const missing = (field: string) =>
  invalid('MISSING_REQUIRED_PARAMETER', 'A required parameter is missing.', field);

const malformed = (field: string, value: string) =>
  invalid(
    'INVALID_PARAMETER_SYNTAX',
    'The value of a field does not conform to the expected format.',
    field,
    value,
  );

/** The amount must be more than zero. `path` is its place in the body, such as `/amount`, for errors. */
export function readMoney(value: unknown, path: string): Money {
  if (!isObject(value)) throw missing(path);
  const currency = readText(value, 'currency_code', 3, path);
  const text = readText(value, 'value', 32, path);
  if (currency === undefined) throw missing(`${path}/currency_code`);
  if (text === undefined) throw missing(`${path}/value`);
  if (!/^[A-Z]{3}$/.test(currency)) throw malformed(`${path}/currency_code`, currency);
  if (!/^(-?\d+|-?\d*\.\d+)$/.test(text)) throw malformed(`${path}/value`, text);
  if (!isCurrency(currency))
    throw unprocessable(
      'INVALID_CURRENCY_CODE',
      'Currency code is invalid or is not currently supported. Please refer https://developer.paypal.com/api/rest/reference/currency-codes/ for list of supported currency codes.',
      `${path}/currency_code`,
    );
  if (Number(text) <= 0)
    throw unprocessable(
      'CANNOT_BE_ZERO_OR_NEGATIVE',
      'Must be greater than zero. If the currency supports decimals, only two decimal place precision is supported.',
      `${path}/value`,
    );
  // The simulator's own limit, which is lower than the one in PayPal's message.
  if (Number(text) >= 10_000_000)
    throw unprocessable(
      'MAX_VALUE_EXCEEDED',
      'Should be less than or equal to 999999999999999.99.',
      `${path}/value`,
    );
  const minor = parseAmount(text.replace(/^\./, '0.'), currency);
  if (minor === undefined)
    throw unprocessable(
      'DECIMAL_PRECISION',
      'If the currency supports decimals, only two decimal place precision is supported.',
      `${path}/value`,
    );
  return { currency, minor };
}
