import { PayPalSimulator } from '../../client.js';
import { Descriptions } from './descriptions.js';
import { recordEveryKindOfAnswer, type Recording } from './every-kind-of-answer.js';

/** True if no answer of `recordEveryKindOfAnswer` contradicts the OpenAPI files, and every deliberate fault was noticed. */
export async function checkAgainstOpenApi(folder: string, print: (line: string) => void): Promise<boolean> {
  const descriptions = new Descriptions(folder);
  const paypal = await PayPalSimulator.start({ clock: 'frozen' });
  const recordings = await recordEveryKindOfAnswer(paypal);
  await paypal.stop();
  const counts = new Map<string, number>();
  const labelledFaults: string[] = [];
  for (const recording of recordings) {
    const { label, checkedAgainst, faults } = judge(recording, descriptions);
    const row = `${label}  ${checkedAgainst}`;
    counts.set(row, (counts.get(row) ?? 0) + 1);
    labelledFaults.push(...faults.map((fault) => `${label}: ${fault}`));
  }
  for (const [row, count] of [...counts].sort(([one], [other]) => one.localeCompare(other)))
    print(`${String(count).padStart(4)}  ${row}`);
  for (const fault of labelledFaults) print(`WRONG  ${fault}`);
  const wrong = makeWrongAnswers(recordings);
  const noticed = wrong.filter((answer) => judge(answer, descriptions).faults.length > 0);
  print(`${recordings.length} answers of ${counts.size} kinds, ${labelledFaults.length} faults.`);
  print(`${noticed.length} of ${wrong.length} deliberately wrong answers were noticed.`);
  return labelledFaults.length === 0 && noticed.length === wrong.length;
}

function judge(
  { method, path, status, body, webhookPart }: Recording,
  descriptions: Descriptions,
): { label: string; checkedAgainst: string; faults: string[] } {
  const label = webhookPart ?? `${method} ${path.replaceAll(/\/(?!v\d)[^/]*\d[^/]*/g, '/{id}')} ${status}`;
  const address = webhookPart
    ? descriptions.addressOfSchema(...schemaOfPart[webhookPart]!)
    : descriptions.addressOfAnswerSchema(method, path, status);
  // The OpenAPI files do not describe OAuth errors and 429 answers; only PayPal's documentation pages do.
  const isNotInFiles = status === 429 || (typeof body === 'object' && body !== null && 'error' in body);
  if (address === undefined || isNotInFiles)
    return { label, checkedAgainst: 'not in the OpenAPI files', faults: [] };
  if (address === null)
    return { label, checkedAgainst: 'no body', faults: body === '' ? [] : ['it should have no body'] };
  return { label, checkedAgainst: address.split('#')[0]!, faults: descriptions.findFaults(body, address) };
}

/** The schemas of webhook events and of their resources, by `webhookPart`. */
const schemaOfPart: Record<string, [file: string, name: string]> = {
  'webhook event': ['notifications_webhooks_v1', 'event'],
  'webhook resource: checkout-order': ['checkout_orders_v2', 'order'],
  'webhook resource: capture': ['payments_payment_v2', 'capture-2'],
  'webhook resource: refund': ['payments_payment_v2', 'refund'],
  'webhook resource: product': ['catalogs_products_v1', 'product'],
  'webhook resource: plan': ['billing_subscriptions_v1', 'plan'],
  'webhook resource: subscription': ['billing_subscriptions_v1', 'subscription'],
};

/** Valid answers, each changed so that it has one fault. */
function makeWrongAnswers(recordings: Recording[]): Recording[] {
  const order = recordings.find(({ path, status }) => /\/orders\/\w+$/.test(path) && status === 200)!;
  const capture = recordings.find(({ path, status }) => /\/captures\/\w+$/.test(path) && status === 200)!;
  const subscription = recordings.find(
    ({ path, status }) => /\/subscriptions\/[^/]+$/.test(path) && status === 200,
  )!;
  const error = recordings.find(({ path, status }) => path.endsWith('/capture') && status === 422)!;
  const change = (recording: Recording, overrides: object): Recording => ({
    ...recording,
    body: { ...(recording.body as object), ...overrides },
  });
  return [
    change(order, { status: 'PAID' }),
    change(order, { purchase_units: [] }),
    change(order, { purchase_units: [{ amount: { value: '49.00' } }] }),
    change(order, { paid: true }),
    change(capture, { amount: { currency_code: 'USD', value: 'forty-nine' } }),
    change(capture, { create_time: 'yesterday' }),
    // Merchant ids have no 0.
    change(capture, { payee: { merchant_id: '0000000000000' } }),
    change(subscription, { status: 'PAID' }),
    change(subscription, { billing_info: { failed_payments_count: 0 } }),
    // Belongs in `billing_info`.
    change(subscription, { next_billing_time: '2027-01-31T10:00:00Z' }),
    change(error, { name: 'SOMETHING_ELSE' }),
    change(error, { details: [{ issue: 'NO_SUCH_ISSUE' }] }),
  ];
}
