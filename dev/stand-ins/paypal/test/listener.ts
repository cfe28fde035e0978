import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '../encoding.js';

export interface ReceivedNotification {
  body: Buffer;
  contentType: string | undefined;
  userAgent: string | undefined;
  headers: IncomingHttpHeaders;
}

/** The server of a shop: records the payment notifications that it receives, and shows returning buyers a page. */
export class Listener {
  readonly heard: ReceivedNotification[] = [];
  /** The status with which a notification is answered. `before` is the number of earlier notifications. */
  answerStatus: (before: number) => number = () => 200;

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<Listener> {
    const server = createServer((request, response) => {
      // A buyer who returns from PayPal.
      if (request.method === 'GET') {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>The shop</title><h1>The shop</h1>');
        return;
      }
      void buffer(request).then((body) => {
        response.statusCode = listener.answerStatus(listener.heard.length);
        listener.heard.push({
          body,
          contentType: request.headers['content-type'],
          userAgent: request.headers['user-agent'],
          headers: request.headers,
        });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    const listener = new Listener(`http://127.0.0.1:${port}/paypal/ipn`, close);
    return listener;
  }

  get lastFields(): Record<string, string> {
    return fieldsOf(this.heard.at(-1)!.body);
  }

  get paymentStatuses(): (string | undefined)[] {
    return this.heard.map(({ body }) => fieldsOf(body).payment_status);
  }
}

/** Decodes the fields in the encoding that the message itself names. */
export function fieldsOf(body: Buffer): Record<string, string> {
  const text = body.toString('latin1');
  const charset = /(?:^|&)charset=([^&]*)/.exec(text)?.[1] ?? 'utf-8';
  const decode = (part: string) =>
    decodeText(
      Buffer.from(
        part
          .replaceAll('+', ' ')
          .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        'latin1',
      ),
      charset,
    );
  return Object.fromEntries(
    text.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [decode(name), decode(value)];
    }),
  );
}

/** Asks whether a notification is genuine. Sends what PayPal's samples send: `cmd=_notify-validate`, and then the same bytes. */
export async function postBack(simulatorUrl: string, body: Buffer | string): Promise<string> {
  const response = await fetch(`${simulatorUrl}/cgi-bin/webscr`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Merchant-IPN/1.0' },
    body: Buffer.concat([Buffer.from('cmd=_notify-validate&'), Buffer.from(body)]),
    redirect: 'manual',
  });
  return response.text();
}

/** The fields of the form with which a shop sends a buyer to PayPal. PayPal then notifies the `listener`. */
export function shopForm(
  listener: Listener | undefined,
  overrides: Record<string, string> = {},
): Record<string, string> {
  return {
    business: 'shop@example.com',
    item_name: 'Basic',
    item_number: '1',
    amount: '49.00',
    currency_code: 'USD',
    no_shipping: '1',
    ...(listener && { notify_url: listener.url }),
    return: 'http://localhost:3000/received-payment/1',
    cancel_return: 'http://localhost:3000/order-cancelled/1',
    rm: '1',
    invoice: 'order-1',
    custom: 'attempt-1',
    charset: 'utf-8',
    ...overrides,
  };
}
