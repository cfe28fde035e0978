import { useEffect, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Account, Order } from '#libs/contracts';
import { Field, TextAreaField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { type Answer, callApi, type Problem } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { money } from '../../lib/money.js';
import type { ShownRecord } from '../../lib/site.js';
import type { StoredRecord } from '../../workspace/content-api.js';
import { listCountries } from '../../workspace/countries.js';
import { billingChecks, type BillingField, billingFrom } from '../../workspace/invoices/billing.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { useRefetch } from '../../workspace/query.js';
import { CollapsibleBillingFields, type RememberedBilling } from './CollapsibleBillingFields.js';
import { dropOrderDraft, keepOrderDraft, type CustomerDetails } from './order-draft.js';
import { useOrderKey } from './order-key.js';
import { findChangedOffer, placeOrder } from './place-order.js';
import { type Renewal, RenewalChoice } from './RenewalChoice.js';
import { type TaxQuoteRequest, useTaxQuote } from './tax-quote.js';
import { TaxSummary } from './TaxSummary.js';

const required = (sentence: string) => (value: string) => (value.trim() ? undefined : sentence);
const unchecked = () => undefined;

const checks = {
  packageName: unchecked,
  packagePrice: unchecked,
  customerEmail: unchecked,
  customerName: required('Please enter your name'),
  customerAddress: required('Please enter your address'),
  customerCountry: required('Please enter your country'),
  ...billingChecks,
};

interface OrderFormProps {
  account: Account;
  pricingPackage: ShownRecord<'pricingPackage'>;
  terms: StoredRecord | undefined;
  /** Whether monthly plans are offered. */
  canRenew: boolean;
  /** Undefined if the site issues no invoices, or if the billing details could not be read. */
  rememberedBilling: RememberedBilling | undefined;
  /** True unless the site is known to issue no invoices. */
  needsTaxQuote: boolean;
  /** Details to prefill, from a draft or from an earlier order. */
  details: CustomerDetails | undefined;
}

type FieldOf = ReturnType<typeof useOrderForm>['field'];

/** Places no order if `updateAndCheckTotal` returns a problem. `isWithdrawn`: the package is no longer offered. */
function useOrderForm(
  { account, pricingPackage, terms, rememberedBilling }: OrderFormProps,
  updateAndCheckTotal: ReturnType<typeof useBuyerQuote>['updateAndCheckTotal'],
) {
  const navigate = useNavigate();
  const refetch = useRefetch();
  const key = useOrderKey(`${account.id}:${pricingPackage._id}`);
  const [isWithdrawn, setWithdrawn] = useState(false);
  useEffect(() => {
    // The button is gone.
    if (isWithdrawn) focusContentIfFocusIsLost();
  }, [isWithdrawn]);
  const [renewal, setRenewal] = useState<Renewal>('once');
  const form = useForm({
    checks,
    send: async ({ packageName, packagePrice, customerEmail, ...typed }): Promise<Answer<Order>> => {
      const billingDetails = rememberedBilling && billingFrom((name) => typed[name]);
      const totalProblem = await updateAndCheckTotal({
        ...typed,
        ...(billingDetails && { billing: billingDetails }),
      });
      if (totalProblem) return { ok: false, problem: totalProblem };
      const answer = await placeOrder(key, {
        packageName,
        packagePrice,
        customerEmail,
        customerName: typed.customerName.trim(),
        customerAddress: onOneLine(typed.customerAddress),
        customerCountry: typed.customerCountry.trim(),
        ...(renewal === 'monthly' && { renews: true }),
        ...(billingDetails && { billingDetails }),
        ...(terms && { termsVersion: terms.version }),
      });
      const offer = answer.ok ? undefined : findChangedOffer(answer.problem);
      if (answer.ok) return answer;
      if (offer === undefined) return { ok: false, problem: withFormNames(answer.problem) };
      if (offer) void refetch();
      else setWithdrawn(true);
      const sentence = offer
        ? `Your order wasn’t placed, because the price has changed: ${packageName} now costs ${money(offer.packagePrice)} a month, not ${money(packagePrice)}. To order at the new price, choose Place Order Now.`
        : `${packageName} is no longer available. Nothing was ordered.`;
      return { ok: false, problem: { ...answer.problem, fields: [], sentence } };
    },
    onSent: ({ _id }) => {
      key.markPlaced();
      dropOrderDraft(account.id);
      void navigate('/pending-order', { replace: true, state: { placedOrderId: _id } });
    },
  });
  return { ...form, isWithdrawn, renewal, setRenewal };
}

/** Names the fields of the billing details as the form does. */
function withFormNames(problem: Problem): Problem {
  const fields = problem.fields.map(({ field, ...rest }) => ({
    field: field.replace('billingDetails.', ''),
    ...rest,
  }));
  return { ...problem, fields };
}

export function OrderForm(props: OrderFormProps) {
  const { account, pricingPackage, terms, details, canRenew, rememberedBilling, needsTaxQuote } = props;
  const { quote, isOutdated, setBuyer, quoteAgain, updateAndCheckTotal } = useBuyerQuote(props);
  const { form, field, problem, sending, isWithdrawn, renewal, setRenewal } = useOrderForm(
    props,
    updateAndCheckTotal,
  );
  const billing = details?.billing ?? rememberedBilling;
  const total = needsTaxQuote ? quote?.total : pricingPackage.packagePrice;
  return (
    <form
      className="form"
      method="post"
      action="/new-order"
      aria-labelledby="order-title"
      onInput={({ currentTarget }) => keepOrderDraft(account.id, readCustomerDetails(currentTarget))}
      onBlur={({ currentTarget }) => setBuyer(readCustomerDetails(currentTarget))}
      {...form}
    >
      <div className="form__pair">
        <Field {...field('packageName')} label="Plan" value={pricingPackage.packageName ?? ''} readOnly />
        <Field
          {...field('packagePrice')}
          label="Price per month, in dollars"
          value={pricingPackage.packagePrice ?? ''}
          readOnly
        />
      </div>
      <Field
        {...field('customerEmail')}
        label="Account e-mail"
        type="email"
        autoComplete="email"
        value={account.email}
        readOnly
      />
      <CustomerFields field={field} details={details} />
      {rememberedBilling && billing && (
        <CollapsibleBillingFields
          field={field}
          details={billing}
          rememberedBilling={rememberedBilling}
          onVatIdChecked={quoteAgain}
          isFaulty={Object.keys(billingChecks).some((name) => field(name as BillingField).error)}
        />
      )}
      {canRenew && <RenewalChoice {...{ total, isOutdated }} value={renewal} change={setRenewal} />}
      {/* The specification requires these two, but nothing reads them: `placeOrder` sends the same values. */}
      <input type="hidden" name="paymentStatus" value="UnPaid" />
      <input type="hidden" name="orderStatus" value="Pending" />
      {quote && quote.mode !== 'none' && <TaxSummary {...{ quote, isOutdated }} />}
      <FormProblem problem={problem} />
      <p className="buttons">
        {isWithdrawn ? (
          <Link className="button" to="/pricing/">
            See plans
          </Link>
        ) : (
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'Placing your order' : 'Place Order Now'}
          </button>
        )}
      </p>
      {terms && <TermsNote heading={terms.termsHeading} />}
    </form>
  );
}

function CustomerFields({ field, details }: { field: FieldOf; details: CustomerDetails | undefined }) {
  return (
    <>
      <Field
        {...field('customerName')}
        label="Your name"
        autoComplete="name"
        maxLength={300}
        defaultValue={details?.customerName}
        required
      />
      <TextAreaField
        {...field('customerAddress')}
        label="Address"
        autoComplete="street-address"
        rows={2}
        maxLength={1000}
        defaultValue={details?.customerAddress}
        required
      />
      <Field
        {...field('customerCountry')}
        label="Country"
        autoComplete="country-name"
        list="countries"
        maxLength={100}
        defaultValue={details?.customerCountry}
        required
      />
      <Countries />
    </>
  );
}

function TermsNote({ heading }: { heading: string | undefined }) {
  return (
    <p>
      By placing your order, you accept the{' '}
      <a href="/terms" target="_blank" rel="noopener">
        {heading}
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
      .
    </p>
  );
}

/** Suggestions only: any text is accepted. */
function Countries() {
  const known = useMemo(() => listCountries(), []);
  return (
    <datalist id="countries">
      {known.map(([code, name]) => (
        <option key={code} value={name} />
      ))}
    </datalist>
  );
}

/** Addresses are stored as one line; people and autofill can enter several. */
function onOneLine(text: string): string {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ');
}

function readCustomerDetails(form: HTMLFormElement): CustomerDetails {
  const data = new FormData(form);
  const text = (name: keyof typeof checks) => String(data.get(name) ?? '');
  return {
    customerName: text('customerName'),
    customerAddress: text('customerAddress'),
    customerCountry: text('customerCountry'),
    ...(data.has('vatId') && { billing: billingFrom(text) }),
  };
}

/** The tax for the buyer whom the form describes. Call `setBuyer` with what was typed, and `quoteAgain` when a VAT ID was checked. */
function useBuyerQuote({ pricingPackage, rememberedBilling, needsTaxQuote, details }: OrderFormProps) {
  const [buyer, setBuyer] = useState<Buyer | undefined>(details);
  const [refreshCount, setRefreshCount] = useState(0);
  const { packageName = '', packagePrice = '' } = pricingPackage;
  function requestFor(described: Buyer | undefined): TaxQuoteRequest {
    const { countryCode = '', vatId = '' } = described?.billing ?? rememberedBilling ?? {};
    const customerCountry = described?.customerCountry.trim() ?? '';
    return { packageName, packagePrice, customerCountry, billingDetails: { countryCode, vatId } };
  }
  const request = requestFor(buyer);
  const { quote, isOutdated } = useTaxQuote(needsTaxQuote ? request : null, refreshCount);
  const quoteAgain = () => setRefreshCount((count) => count + 1);

  /**
   * Makes the form show the total for what was typed. Returns a problem if that total differs from the one shown before, or if it cannot be read and
   * the one shown is for other details.
   */
  async function updateAndCheckTotal(typed: Buyer): Promise<Problem | undefined> {
    if (!needsTaxQuote) return undefined;
    const typedRequest = requestFor(typed);
    const isQuoteForTyped = !isOutdated && JSON.stringify(typedRequest) === JSON.stringify(request);
    setBuyer(typed);
    const answer = await callApi('POST /tax-quote', { body: typedRequest });
    const shownTotal = quote?.total ?? packagePrice;
    if (answer.ok) {
      const { total } = answer.value;
      if (Number(total) === Number(shownTotal)) return undefined;
      quoteAgain();
      return notPlacedProblem(
        `the total has changed: it is now ${money(total)}, not ${money(shownTotal)}`,
        'To order at the new total',
      );
    }
    // If the price has changed, the order itself is refused. Other failures matter only if the total shown is for other details.
    if (isQuoteForTyped || !quote || answer.problem.code === 'PRICE_CHANGED') return undefined;
    return notPlacedProblem(
      'we couldn’t work out the total for what you entered',
      'To order without seeing it',
    );
  }
  return { quote, isOutdated, setBuyer, quoteAgain, updateAndCheckTotal };
}

/** What the tax depends on, apart from the package. */
type Buyer = Pick<CustomerDetails, 'customerCountry' | 'billing'>;

const notPlacedProblem = (reason: string, aim: string): Problem => ({
  status: 0,
  fields: [],
  sentence: `Your order wasn’t placed, because ${reason}. ${aim}, choose Place Order Now.`,
});
