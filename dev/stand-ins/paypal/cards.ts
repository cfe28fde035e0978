import { Refusal } from './refusal.js';

/** The usual test numbers; no other is taken, so that nobody types a real one. */
export const testCards: { number: string; brand: string; declined?: string }[] = [
  { number: '4111111111111111', brand: 'Visa' },
  { number: '5555555555554444', brand: 'Mastercard' },
  { number: '378282246310005', brand: 'American Express' },
  { number: '4000000000000002', brand: 'Visa', declined: 'The card was declined. Try another way to pay.' },
  {
    number: '4000000000009995',
    brand: 'Visa',
    declined: 'The card was declined: there is not enough money. Try another way to pay.',
  },
];

/** In the groups printed on cards. */
export const grouped = (number: string) =>
  number.startsWith('3')
    ? number.replace(/(.{4})(.{6})(.{5})/, '$1 $2 $3')
    : number.replace(/(.{4})(?=.)/g, '$1 ');

/** Throws what the buyer reads when the card does not pay. */
export function charge(number: string): void {
  const digits = number.replaceAll(/[\s-]/g, '');
  const card = testCards.find((known) => known.number === digits);
  if (!card) throw new Refusal(400, 'Use one of the test numbers: this page takes no real card.', 'card');
  if (card.declined) throw new Refusal(402, card.declined, 'card');
}
