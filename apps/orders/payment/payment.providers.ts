import type { Provider } from '@nestjs/common';
import { PaymentAttempts } from './attempt/payment-attempts.js';
import { PaymentReturn } from './attempt/payment-return.js';
import { Reconciliation } from './attempt/reconciliation.js';
import { NoticeDesk } from './notice/notice-desk.js';
import { NoticeInbox } from './notice/notice-inbox.js';
import { NoticeWorker } from './notice/notice-worker.js';
import { PaymentLedger } from './payment-ledger.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentProvider } from './payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from './payment-settings.js';
import { type PaypalOptions, PaypalProvider } from './paypal/paypal.provider.js';

interface PaymentOptions {
  paypal: PaypalOptions;
  settings: PaymentSettings;
}

/** What the payment half adds to the service. Another provider of payments takes PayPal's place here. */
export function paymentProviders({ paypal, settings }: PaymentOptions): Provider[] {
  return [
    { provide: PaymentProvider, useValue: new PaypalProvider(paypal) },
    { provide: PAYMENT_SETTINGS, useValue: settings },
    ...[PaymentAttempts, PaymentReturn, Reconciliation, PaymentLedger, PaymentMetrics],
    ...[NoticeInbox, NoticeDesk, NoticeWorker],
  ];
}
