import type { RestApp } from '../../model.js';

interface Answer {
  status: number;
  headers: Headers;
  // Not typed, because the tests check the shape of answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface CallOptions {
  body?: unknown;
  requestId?: string | undefined;
  /** Sends `Prefer: return=representation`. */
  prefer?: boolean;
  headers?: Record<string, string>;
}

/** Calls the REST API as a shop does, with a token of its own. */
export class RestClient {
  private token: string | undefined;

  constructor(
    private readonly url: string,
    private readonly app: Pick<RestApp, 'clientId' | 'secret'>,
  ) {}

  async signIn(grantType = 'client_credentials'): Promise<Answer> {
    const { clientId, secret } = this.app;
    const answer = await this.send('POST', '/v1/oauth2/token', {
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: grantType }),
    });
    this.token = answer.body.access_token;
    return answer;
  }

  async call(
    method: string,
    path: string,
    { body, requestId, prefer, headers }: CallOptions = {},
  ): Promise<Answer> {
    if (this.token === undefined) await this.signIn();
    return this.send(method, path, {
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        ...(requestId !== undefined && { 'paypal-request-id': requestId }),
        ...(prefer && { prefer: 'return=representation' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, options?: CallOptions) => this.call('POST', path, options);

  private async send(method: string, path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(new URL(path, this.url), { method, ...init });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

/** An order of 49 dollars. */
export const orderBody = (overrides: object = {}, unit: object = {}) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      amount: { currency_code: 'USD', value: '49.00' },
      custom_id: 'attempt-1',
      invoice_id: '1042',
      description: 'Basic',
      ...unit,
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        return_url: 'http://localhost:3000/received-payment/1',
        cancel_url: 'http://localhost:3000/order-cancelled/1',
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
      },
    },
  },
  ...overrides,
});

/** A plan of 49 dollars a month, without an end. */
export const planBody = (productId: string, overrides: object = {}, preferences: object = {}) => ({
  product_id: productId,
  name: 'Basic',
  billing_cycles: [
    {
      frequency: { interval_unit: 'MONTH', interval_count: 1 },
      tenure_type: 'REGULAR',
      sequence: 1,
      total_cycles: 0,
      pricing_scheme: { fixed_price: { currency_code: 'USD', value: '49.00' } },
    },
  ],
  payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 0, ...preferences },
  ...overrides,
});

export const subscriptionBody = (planId: string, overrides: object = {}) => ({
  plan_id: planId,
  custom_id: 'attempt-1',
  application_context: {
    return_url: 'http://localhost:3000/received-payment/1',
    cancel_url: 'http://localhost:3000/order-cancelled/1',
    user_action: 'SUBSCRIBE_NOW',
    shipping_preference: 'NO_SHIPPING',
  },
  ...overrides,
});
