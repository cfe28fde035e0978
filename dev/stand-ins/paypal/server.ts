import Fastify, { type FastifyInstance } from 'fastify';
import { refuseForeignForm, refuseForeignHosts } from '../shared/guard.js';
import { formActionSelf, sendPage, serveStyles } from '../shared/page.js';
import { registerCheckout } from './checkout-routes.js';
import { registerConsole } from './console-routes.js';
import { registerControl } from './control-api.js';
import { refusalPage } from './pages/checkout-page.js';
import { PayPal, type PayPalOptions } from './paypal.js';
import { Refusal } from './refusal.js';
import { wantsJson } from './requests.js';
import { registerRest } from './rest/api-routes.js';
import { registerApproval } from './rest/approval-routes.js';
import { registerRestControl } from './rest/control-routes.js';
import { registerBillingControl } from './rest/billing-control.js';
import { registerBillingPages } from './rest/billing-pages.js';
import { ApiError } from './rest/errors.js';
import { simulatedApp } from '#libs/contracts';
import type { AppProfile } from './model.js';
import { SnapshotFile } from './snapshot-file.js';
import { Webscr } from './webscr.js';

export interface SimulatorOptions extends Pick<PayPalOptions, 'clock' | 'pdtToken' | 'listenerTimeoutMs'> {
  /** 0, the default, picks a free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Set if clients know the simulator by another address than the one it listens on. */
  publicUrl?: string | undefined;
  /** An app that exists from the start, besides `simulatedApp`. Both belong to the same merchant. */
  app?: Omit<AppProfile, 'email'> | undefined;
  /** The address of a webhook of `simulatedApp`. Ignored if there is an `app`, whose profile can have a `webhookUrl` of its own. */
  webhookUrl?: string | undefined;
  /** The path of the saved state. By default, the state is only in memory. */
  file?: string;
  /** Called, for example, if the file could not be read or written. */
  warn?: (message: string) => void;
}

export interface RunningSimulator {
  readonly url: string;
  stop(): Promise<void>;
}

export async function openSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const {
    port = 0,
    host = '127.0.0.1',
    file: path,
    warn = () => undefined,
    publicUrl,
    app,
    webhookUrl,
    ...payPalOptions
  } = options;
  const file = path ? new SnapshotFile(path, ({ message }) => warn(`${path}: ${message}`)) : undefined;
  const snapshot = await file?.readOrSetAside();
  const paypal: PayPal = new PayPal({
    ...payPalOptions,
    ...(snapshot && { snapshot }),
    ...(file && {
      changed: () => file.saveSoon(() => paypal.snapshot()),
      save: () => file.save(() => paypal.snapshot()),
    }),
  });
  const webscr = new Webscr(paypal);
  const server = Fastify({
    // Enough for the postback of a 64 KiB notification: its bytes and the command that a listener adds.
    bodyLimit: 65 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 64 },
  });
  const save = async () => file?.save(() => paypal.snapshot());
  await configureServer(server, save, warn);
  webscr.register(server);
  registerCheckout(server, paypal);
  registerControl(server, paypal, webscr);
  registerConsole(server, paypal);
  registerRest(server, paypal);
  registerApproval(server, paypal);
  registerRestControl(server, paypal);
  registerBillingPages(server, paypal);
  registerBillingControl(server, paypal);
  await createFirstApps(paypal, { app, webhookUrl });
  await save();
  const url = await server.listen({ port, host });
  paypal.rest.origin = publicUrl ?? url;
  paypal.timeline.start();
  return {
    url,
    stop: async () => {
      paypal.close();
      webscr.close();
      await server.close();
      await save();
    },
  };
}

/** Both apps belong to one merchant: that of `app` if the saved state has this app, otherwise that of `simulatedApp`. */
async function createFirstApps(
  { rest, merchants }: PayPal,
  { app, webhookUrl }: SimulatorOptions,
): Promise<void> {
  const known = rest.apps.all.find(({ clientId }) => clientId === app?.clientId);
  const { email } = await rest.createOrUpdateApp({
    clientId: simulatedApp.clientId,
    secret: simulatedApp.clientSecret,
    webhookId: simulatedApp.webhookId,
    ...(!app && webhookUrl !== undefined && { webhookUrl }),
    ...(known && { email: merchants.get(known.merchantId).email }),
  });
  if (app) await rest.createOrUpdateApp({ email, ...app });
}

async function configureServer(
  server: FastifyInstance,
  save: () => Promise<void>,
  warn: (message: string) => void,
): Promise<void> {
  // Kept as bytes: postbacks are compared byte by byte, and a form itself names its encoding.
  const raw = { parseAs: 'buffer' as const };
  server.addContentTypeParser('application/x-www-form-urlencoded', raw, (_request, body, done) =>
    done(null, body),
  );
  // One of PayPal's sample listeners posts notifications back without a content type.
  server.addContentTypeParser('*', raw, (_request, body, done) => done(null, body));
  refuseForeignHosts(server);
  server.addHook('onRequest', async (request) => {
    // A shop's payment form comes from the shop's site.
    const isPaymentForm = request.routeOptions.url === '/cgi-bin/webscr';
    if (request.method !== 'GET' && !isPaymentForm) refuseForeignForm(request);
  });
  // What an answer reports, such as a payment, must still exist after a restart.
  server.addHook('onSend', async (request) => {
    if (request.method !== 'GET') await save();
  });
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status =
      error instanceof Refusal || error instanceof ApiError ? error.status : (error.statusCode ?? 500);
    if (status >= 500) warn(error.stack ?? error.message);
    const message = error instanceof ApiError ? error.details[0]?.description : undefined;
    // Only the message and the field of this refusal are used; the answer has `status`.
    const refusal = error instanceof Refusal ? error : new Refusal(400, message ?? error.message);
    reply.code(status);
    if (wantsJson(request)) return reply.send({ error: refusal.message, field: refusal.field });
    return sendPage(reply, refusalPage(refusal), formActionSelf);
  });
  server.setNotFoundHandler(() => {
    throw new Refusal(404, 'There is no such page.');
  });
  server.get('/readyz', () => ({ status: 'ready' }));
  await serveStyles(server, '/paypal.css', new URL('./pages/paypal.css', import.meta.url));
}
