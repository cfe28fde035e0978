import { money } from '../../lib/money.js';
import type { TaxQuote } from './tax-quote.js';

/** What an order costs, with the tax that is added to the price or included in it. */
export function TaxSummary({ quote }: { quote: TaxQuote }) {
  const { mode, net, tax, total, rate, reason } = quote;
  const isAdded = mode === 'exclusive';
  const hasTax = Number(tax) > 0;
  return (
    <div className="tax-summary" role="status">
      <dl>
        {isAdded && (
          <>
            <div>
              <dt>Price</dt>
              <dd>{money(net)}</dd>
            </div>
            <div>
              <dt>{hasTax ? `${rate}% VAT` : 'VAT'}</dt>
              <dd>{money(tax)}</dd>
            </div>
          </>
        )}
        <div className="tax-summary__total">
          <dt>Total</dt>
          <dd>{money(total)}</dd>
        </div>
      </dl>
      {!isAdded && hasTax && (
        <p>
          Includes {rate}% VAT, {money(tax)}.
        </p>
      )}
      {reason && <p>{reason}</p>}
    </div>
  );
}
