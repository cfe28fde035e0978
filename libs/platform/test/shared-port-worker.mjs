// An HTTP server that drains on SIGTERM, as the gateway and the web process do.
import '../../../dev/tools/register-swc.mjs';
import { createServer } from 'node:http';

const { makeDrainable } = await import('../src/drain-http.ts');
const { createLogger } = await import('../src/logger.ts');
const { drainOnSignal } = await import('../src/shutdown.ts');

const server = createServer((_request, response) => response.end('ok'));
const drain = makeDrainable(server);
drainOnSignal({ logger: createLogger('web', 'silent'), stop: () => drain({ delayMs: 0, graceMs: 0 }) });
server.listen(0, '127.0.0.1');
