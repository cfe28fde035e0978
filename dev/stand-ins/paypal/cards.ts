import { Refusal } from './refusal.js';

/** Other numbers are refused, so that nobody enters a real card. A card with a `declineMessage` is declined. */
export const testCards: { number: string; brand: string; declineMessage?: string }[] = [
  { number: '4111111111111111', brand: 'Visa' },
  { number: '5555555555554444', brand: 'Mastercard' },
  { number: '378282246310005', brand: 'American Express' },
  {
    number: '4000000000000002',
    brand: 'Visa',
    declineMessage: 'The card was declined. Try another way to pay.',
  },
  {
    number: '4000000000009995',
    brand: 'Visa',
    declineMessage: 'The card was declined: insufficient funds. Try another way to pay.',
  },
];

/** American Express numbers, which begin with 3, are grouped differently. */
export const groupDigits = (number: string) =>
  number.startsWith('3')
    ? number.replace(/(.{4})(.{6})(.{5})/, '$1 $2 $3')
    : number.replace(/(.{4})(?=.)/g, '$1 ');

/** Throws a Refusal with the message for the buyer if the card is declined or is not a test card. */
export function requireAcceptedCard(number: string): void {
  const digits = number.replaceAll(/[\s-]/g, '');
  const card = testCards.find((known) => known.number === digits);
  if (!card)
    throw new Refusal(400, 'Use one of the test numbers: this page does not take real cards.', 'card');
  if (card.declineMessage) throw new Refusal(402, card.declineMessage, 'card');
}
