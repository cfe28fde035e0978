import { z } from 'zod';
import { type Clock } from '#libs/runtime';
import { askProvider, NoAnswerYet, type ProviderAnswer } from '../../provider-request/provider-request.js';
import { RefusedByProvider } from '../payment-provider.js';
import type { PaypalApp } from './paypal-checkout.settings.js';

interface PaypalApiOptions extends Pick<PaypalApp, 'clientId' | 'clientSecret'> {
  origin: string;
  timeoutMs: number;
  clock: Clock;
}

interface ApiRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** Accepts any 2xx response, even with an empty body. If not set, a 2xx response whose body is not JSON throws NoAnswerYet. */
  answerMayBeEmpty?: boolean;
  /** The same id makes a repeated request take effect once (https://developer.paypal.com/api/rest/reference/idempotency/). */
  requestId?: string;
}

const maxAnswerBytes = 512 * 1024;
const tokenMarginMs = 60_000;

const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.number() });
const errorAnswer = z.object({
  name: z.string().optional(),
  error: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).optional(),
});

/** Answers that are not final: an earlier request with the same id is still being processed or has had its effect, or PayPal is busy. */
const unsettledStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const unsettledIssues: ReadonlySet<string> = new Set([
  'PREVIOUS_REQUEST_IN_PROGRESS',
  'DUPLICATE_REQUEST_ID',
  // An earlier request captured the order; reading the order shows the capture.
  'ORDER_ALREADY_CAPTURED',
]);

/** `issue` is PayPal's own word for the reason, e.g. `INSTRUMENT_DECLINED`. */
export class PaypalRefusal extends RefusedByProvider {
  constructor(
    readonly status: number,
    readonly issue: string,
    debugId: string | null,
  ) {
    super(`PayPal answered ${status} ${issue}${debugId === null ? '' : ` (debug id ${debugId})`}`);
  }
}

/**
 * A call is one or more requests, each with a deadline. It ends with PayPal's answer, a PaypalRefusal, or NoAnswerYet. After NoAnswerYet, the call
 * may or may not have had its effect. Errors never contain credentials or tokens.
 */
export class PaypalApiClient {
  private token: { value: string; renewAt: number } | undefined;
  private tokenRequest: Promise<string> | undefined;
  /** How far PayPal's clock is ahead of ours, according to the last answer. */
  clockAheadMs: number | undefined;

  constructor(private readonly options: PaypalApiOptions) {}

  /** Null if PayPal has no such resource (404). Throws PaypalRefusal if the app may not read it (403), and NoAnswerYet after any other failure. */
  async get(path: string): Promise<unknown> {
    try {
      return await this.call({ method: 'GET', path });
    } catch (error) {
      if (!(error instanceof PaypalRefusal) || error.status === 403) throw error;
      if (error.status === 404) return null;
      throw new NoAnswerYet(error.message);
    }
  }

  /** Leave out the request id only if repeating the request does no harm. */
  post(path: string, body: object, requestId?: string): Promise<unknown> {
    return this.call({ method: 'POST', path, body, ...(requestId !== undefined && { requestId }) });
  }

  /** The answer may be without content. For the request id, see `post`. */
  async sendCommand(path: string, body: object, requestId?: string): Promise<void> {
    const request = { method: 'POST', path, body, answerMayBeEmpty: true } as const;
    await this.call({ ...request, ...(requestId !== undefined && { requestId }) });
  }

  /** Asks PayPal for a new access token, even if the present one is still valid. */
  async acceptsCredentials(): Promise<boolean> {
    try {
      this.token = undefined;
      await this.getAccessToken();
      return true;
    } catch (error) {
      if (error instanceof RefusedByProvider) return false;
      throw error;
    }
  }

  private async call(request: ApiRequest): Promise<unknown> {
    const first = await this.send(request, await this.getUsableToken());
    if (first.status !== 401) return answerOf(first, request);
    // The token was revoked before its time.
    this.token = undefined;
    const second = await this.send(request, await this.getUsableToken());
    if (second.status === 401) throw credentialsRefused();
    return answerOf(second, request);
  }

  /** Throws NoAnswerYet if PayPal does not accept the credentials: the request itself was not refused, and may succeed once they are right. */
  private async getUsableToken(): Promise<string> {
    try {
      return await this.getAccessToken();
    } catch (error) {
      throw error instanceof PaypalRefusal ? credentialsRefused() : error;
    }
  }

  private async send({ method, path, body, requestId }: ApiRequest, token: string): Promise<ProviderAnswer> {
    return this.ask({
      method,
      path,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
        ...(requestId !== undefined && { 'PayPal-Request-Id': requestId }),
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    });
  }

  /** Concurrent calls share one request. */
  private async getAccessToken(): Promise<string> {
    if (this.token && this.now() < this.token.renewAt) return this.token.value;
    this.tokenRequest ??= this.requestToken().finally(() => {
      this.tokenRequest = undefined;
    });
    return this.tokenRequest;
  }

  private async requestToken(): Promise<string> {
    const { clientId, clientSecret } = this.options;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const answer = await this.ask({
      method: 'POST',
      path: '/v1/oauth2/token',
      headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('grant_type=client_credentials'),
    });
    const { access_token: value, expires_in: seconds } = parsed(tokenAnswer, answerOf(answer));
    this.token = { value, renewAt: this.now() + seconds * 1000 - tokenMarginMs };
    return value;
  }

  private async ask({
    path,
    ...request
  }: Pick<ApiRequest, 'method' | 'path'> & { headers: Record<string, string>; body?: Buffer }) {
    const { origin, timeoutMs } = this.options;
    const answer = await askProvider({
      ...request,
      url: `${origin}${path}`,
      timeoutMs,
      maxBytes: maxAnswerBytes,
    });
    const date = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.clockAheadMs = date - this.now();
    return answer;
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }
}

const credentialsRefused = () => new NoAnswerYet('PayPal does not accept the credentials');

function answerOf(
  { status, headers, body }: ProviderAnswer,
  { answerMayBeEmpty = false }: Pick<ApiRequest, 'answerMayBeEmpty'> = {},
): unknown {
  const value = jsonOf(body);
  if (status >= 200 && status < 300) {
    if (!answerMayBeEmpty && value === undefined) throw new NoAnswerYet('the answer was empty or not JSON');
    return value;
  }
  const { data } = errorAnswer.safeParse(value);
  const issue =
    data?.details?.find((detail) => detail.issue !== undefined)?.issue ?? data?.name ?? data?.error;
  const isSettled =
    status >= 400 && status < 500 && !unsettledStatuses.has(status) && !unsettledIssues.has(issue ?? '');
  // An error that gives no reason counts as no answer: it may come from something between us and PayPal.
  if (!isSettled || issue === undefined) throw new NoAnswerYet(`the answer had status ${status}`);
  throw new PaypalRefusal(status, issue, headers.get('paypal-debug-id'));
}

/** Undefined for a body that is not JSON, and for `null`, because `get` returns null for a 404. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Throws NoAnswerYet for an answer of another shape, because nothing may be concluded from it. */
export function parsed<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { success, data } = schema.safeParse(answer);
  if (!success) throw new NoAnswerYet('the answer does not have the documented shape');
  return data as z.output<S>;
}
