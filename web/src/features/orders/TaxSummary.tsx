import { money } from '../../lib/money.js';
import type { TaxQuote } from './tax-quote.js';

interface TaxSummaryProps {
  quote: TaxQuote;
  /** Another quote is being read. Until it arrives, tax and total are not shown; their lines stay, so that the button below does not move. */
  isOutdated: boolean;
}

export function TaxSummary({ quote, isOutdated }: TaxSummaryProps) {
  const { mode, net, tax, total, rate, reason } = quote;
  const isAdded = mode === 'exclusive';
  const hasTax = Number(tax) > 0;
  return (
    <div className="tax-summary" role="status" aria-busy={isOutdated}>
      <dl>
        {isAdded && (
          <>
            <div>
              <dt>Price</dt>
              <dd>{money(net)}</dd>
            </div>
            <div>
              <dt>{hasTax && !isOutdated ? `${rate}% tax` : 'Tax'}</dt>
              <dd>{isOutdated ? '…' : money(tax)}</dd>
            </div>
          </>
        )}
        <div className="tax-summary__total">
          <dt>Total</dt>
          <dd>{isOutdated ? 'Working it out' : money(total)}</dd>
        </div>
      </dl>
      {!isAdded && hasTax && <p>{isOutdated ? '…' : `Includes ${rate}% tax, ${money(tax)}.`}</p>}
      {reason && <p>{isOutdated ? '…' : reason}</p>}
    </div>
  );
}
