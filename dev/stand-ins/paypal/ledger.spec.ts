import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Purchase } from './purchase.js';
import { Clock } from './clock.js';
import { type LedgerEntryRecord, PaymentLedger, type PaymentRecord } from './ledger.js';
import type { PaymentMethod } from './model.js';
import { Refusal } from './refusal.js';

const purchase: Purchase = {
  merchantId: 'SHOP',
  business: 'shop@example.com',
  itemName: 'Basic',
  itemNumber: '1',
  amount: null,
  quantity: 1,
  tax: 0,
  shipping: 0,
  handling: 0,
  discount: 0,
  currency: 'USD',
  invoice: 'order-1',
  custom: '',
  notifyUrl: null,
  returnUrl: null,
  cancelUrl: null,
  returnMethod: '1',
  needsAddress: false,
};
const buyer = { firstName: 'John', lastName: 'Buyer', email: 'john@example.com', countryCode: 'US' };

/** The amount of a refund or dispute, in minor units; undefined for everything that is left. */
const part = fc.option(fc.integer({ min: 1, max: 6_000 }), { nil: undefined });
const anyAction = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), part }),
  fc.record({ kind: fc.constant('dispute' as const), step: fc.constantFrom('opened', 'won', 'lost'), part }),
  fc.record({
    kind: fc.constant('settle' as const),
    as: fc.constantFrom('Completed', 'Failed', 'Denied', 'Expired', 'Voided'),
  }),
);

/** The merchant's money, computed only from the ledger entries. */
function balanceOf(entries: LedgerEntryRecord[]): number {
  const moved = entries.filter(({ status }) =>
    ['Completed', 'Refunded', 'Reversed', 'Canceled_Reversal'].includes(status),
  );
  return moved.reduce((sum, { gross }) => sum + gross, 0);
}

/** The merchant's money according to the state of the payment. `disputed` is the amount that a buyer disputes. */
function expectedBalanceOf({ standing, gross, refunded }: PaymentRecord, disputed: number): number {
  if (standing === 'Reversed') return gross - refunded - disputed;
  return standing === 'Completed' || standing === 'Partially_Refunded' ? gross - refunded : 0;
}

describe('the ledger', () => {
  test('keeps the state of a payment in agreement with its entries, whatever is done with the payment', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.constantFrom<PaymentMethod>('balance', 'card', 'echeck', 'review'),
        fc.array(anyAction, { maxLength: 12 }),
        (amount, method, actions) => {
          const posted: LedgerEntryRecord[] = [];
          let cases = 0;
          const ledger = new PaymentLedger(new Clock('frozen'), {
            entryPosted: (_, entry) => void posted.push(entry),
            caseOpened: () => void cases++,
          });
          const payment = ledger.pay(purchase, amount, method, buyer);
          const { transactionId } = payment;
          let disputed = 0;
          for (const action of actions) {
            const before = structuredClone(payment);
            try {
              if (action.kind === 'refund') ledger.refund(transactionId, action.part);
              else if (action.kind === 'dispute') {
                ledger.setDisputeStep(transactionId, action.step, action.part);
                if (action.step === 'opened') disputed = action.part ?? before.gross - before.refunded;
              } else ledger.settle(transactionId, action.as);
            } catch (error) {
              expect(error).toBeInstanceOf(Refusal);
              expect(payment).toEqual(before);
            }
          }
          outcomes.add(payment.standing);
          expect(posted).toEqual(payment.entries);
          expect(balanceOf(payment.entries)).toBe(expectedBalanceOf(payment, disputed));
          expect(payment.refunded).toBeLessThanOrEqual(payment.gross);
          expect(cases).toBe(payment.entries.filter(({ status }) => status === 'Reversed').length);
          const ids = payment.entries.map((entry) => `${entry.transactionId} ${entry.status}`);
          expect(new Set(ids).size).toBe(ids.length);
          // PayPal keeps its whole fee if nothing was refunded and no dispute is open or lost.
          if (balanceOf(payment.entries) === payment.gross) {
            expect(payment.entries.reduce((sum, { fee }) => sum + (fee ?? 0), 0)).toBe(payment.fee);
          }
        },
      ),
      { numRuns: 500 },
    );
    // Together, the runs end with every `standing` that a payment can have.
    expect([...outcomes].sort()).toEqual([
      'Completed',
      'Denied',
      'Expired',
      'Failed',
      'Partially_Refunded',
      'Pending',
      'Refunded',
      'Reversed',
      'Voided',
    ]);
  });
});
