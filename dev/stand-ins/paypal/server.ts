import Fastify, { type FastifyInstance } from 'fastify';
import { refuseForeignNames } from '../shared/guard.js';
import { ownForms, sendPage, serveStyles } from '../shared/page.js';
import { registerCheckout } from './checkout-routes.js';
import { registerConsole } from './console-routes.js';
import { registerControl } from './control-api.js';
import { refusalPage } from './pages/checkout-page.js';
import { PayPal, type PayPalOptions } from './paypal.js';
import { Refusal } from './refusal.js';
import { tellsJson } from './requests.js';
import { SnapshotFile } from './snapshot-file.js';
import { Webscr } from './webscr.js';

export interface SimulatorOptions extends Pick<PayPalOptions, 'clock' | 'pdtToken' | 'listenerTimeoutMs'> {
  /** 0, the default, picks a free one. */
  port?: number;
  /** 127.0.0.1, the default, or what a container listens on. */
  host?: string;
  /** Keeps the state here; without it, in memory alone. */
  file?: string;
  /** Told what a person should know: the file could not be written, or read. */
  warn?: (message: string) => void;
}

export interface RunningSimulator {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Opens the simulator's doors, on 127.0.0.1 alone unless told otherwise. */
export async function openSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const { port = 0, host = '127.0.0.1', file: path, warn = () => undefined, ...rest } = options;
  const file = path ? new SnapshotFile(path, ({ message }) => warn(`${path}: ${message}`)) : undefined;
  const snapshot = await file?.read();
  const paypal: PayPal = new PayPal({
    ...rest,
    ...(snapshot && { snapshot }),
    ...(file && { changed: () => file.changed(() => paypal.snapshot()) }),
  });
  const webscr = new Webscr(paypal);
  const app = Fastify({
    // A notice of 64 KiB, and what a listener puts in front of it.
    bodyLimit: 65 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 64 },
  });
  const keep = async () => file?.save(() => paypal.snapshot());
  await prepare(app, keep, warn);
  webscr.register(app);
  registerCheckout(app, paypal);
  registerControl(app, paypal, webscr);
  registerConsole(app, paypal);
  const url = await app.listen({ port, host });
  return {
    url,
    stop: async () => {
      paypal.close();
      webscr.close();
      await app.close();
      await keep();
    },
  };
}

async function prepare(
  app: FastifyInstance,
  keep: () => Promise<void>,
  warn: (message: string) => void,
): Promise<void> {
  // Forms are read from their bytes: the postback is compared by them, and their encoding is told inside.
  const raw = { parseAs: 'buffer' as const };
  app.addContentTypeParser('application/x-www-form-urlencoded', raw, (_request, body, done) =>
    done(null, body),
  );
  // One of PayPal's samples says no type at all.
  app.addContentTypeParser('*', raw, (_request, body, done) => done(null, body));
  refuseForeignNames(app);
  // Whoever is told of a payment finds it after a restart.
  app.addHook('onSend', async (request) => {
    if (request.method !== 'GET') await keep();
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof Refusal ? error.status : (error.statusCode ?? 500);
    if (status >= 500) warn(error.stack ?? error.message);
    const refusal = error instanceof Refusal ? error : new Refusal(400, error.message);
    reply.code(status);
    if (tellsJson(request)) return reply.send({ error: refusal.message, field: refusal.field });
    return sendPage(reply, refusalPage(refusal), ownForms);
  });
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'There is no such page.');
  });
  app.get('/readyz', () => ({ status: 'ready' }));
  await serveStyles(app, '/paypal.css', new URL('./pages/paypal.css', import.meta.url));
}
