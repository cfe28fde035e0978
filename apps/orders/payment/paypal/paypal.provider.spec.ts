import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StartedAttempt } from '../payment-provider.js';
import type { PaypalEmailService } from './paypal-email.service.js';
import { PaypalProvider } from './paypal.provider.js';

let server: Server;
let asked: (string | null)[];
let provider: PaypalProvider;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(new URLSearchParams(body).get('tx'));
      response.end('SUCCESS\npayment_status=Completed\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const config = {
    ...({ PAYPAL_MODE: 'simulator', PAYPAL_PDT_TOKEN: 'token', PAYPAL_TIMEOUT_MS: 1_000 } as const),
    PAYPAL_SIMULATOR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PUBLIC_URL: 'http://site.test',
    SEED: 'none' as const,
  };
  provider = new PaypalProvider(config, {} as PaypalEmailService);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test.each(['8XB12345CD678901E', 'I-8XB12345CD67'])(
  'asks PayPal about the transaction id %s',
  async (txnId) => {
    expect(await provider.inquire({} as StartedAttempt, [txnId])).not.toBeNull();
    expect(asked).toEqual([txnId]);
  },
);

test.each(['', 'a_b', 'x'.repeat(65)])(
  'does not ask PayPal about ‘%s’, which is no transaction id',
  async (txnId) => {
    expect(await provider.inquire({} as StartedAttempt, [txnId])).toBeNull();
    expect(asked).toEqual([]);
  },
);
