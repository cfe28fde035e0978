import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { freePort } from '../../../dev/embedded/ports.js';
import { PayPalSimulator } from '../../../dev/stand-ins/paypal/client.js';
import {
  builtProgram,
  eventually,
  freshDatabase,
  freshRedis,
  type BuiltProcess,
  Session,
  startBuiltProcess,
  type TestRedis,
} from '#libs/testing';
import { serviceNames, type ServiceName } from '#libs/contracts';
import { createLogger } from '#libs/platform';
import { gatewaySettings } from '../config.js';
import { type RunningGateway, startGateway } from '../gateway.js';
import { type Replica, startHere, startProcess, startRenderer } from './site-replicas.js';
import { type StandInRenderer, standInRenderer } from './stand-in-renderer.js';

export const publicUrl = 'http://site.test';
export const adminCredentials = { email: 'admin@example.com', password: 'the first admin password' };

/** The PDT token, for the simulator and the orders service. */
const pdtToken = 'identity-token-of-the-shop';

export interface SiteOptions {
  /** A frozen clock of the simulated PayPal moves only when it is advanced. Default: frozen. */
  paypalClock?: 'running' | 'frozen';
  /** Services that the spec does not need. */
  without?: readonly Exclude<ServiceName, 'identity'>[];
  /** Services that run as processes of their own, so that the spec can kill them. Starting one takes half a second of CPU time. */
  processes?: readonly ServiceName[];
  gateways?: number;
  contentReplicas?: number;
  seed?: 'demo' | 'none';
  /** For browser specs with one gateway, whose own address is the public one. The web process renders the pages instead of a stand-in. */
  inBrowser?: boolean;
  /** For the gateways. Like the settings of the services below, they override the harness's. */
  settings?: Record<string, string>;
  identitySettings?: Record<string, string>;
  ordersSettings?: Record<string, string>;
  messagingSettings?: Record<string, string>;
  projectsSettings?: Record<string, string>;
}

export interface GatewayProcess extends BuiltProcess {
  readonly url: string;
  /** Waits until the process has ended. */
  kill(): Promise<void>;
}

/** The replicas of each service are in the order in which they started. */
export interface SiteUnderTest extends Readonly<Record<ServiceName, Replica[]>> {
  readonly gateways: RunningGateway[];
  readonly url: string;
  readonly paypal: PayPalSimulator;
  readonly databaseUrls: Record<ServiceName, string>;
  readonly redis: TestRedis;
  readonly web: StandInRenderer;
  /** Pictures, invoices, project files and received mails (`IMAGES_DIR`). */
  readonly filesDir: string;
  readonly visitor: Session;
  startGateway(settings?: Record<string, string>): Promise<RunningGateway>;
  startGatewayProcess(settings?: Record<string, string>): Promise<GatewayProcess>;
  startContent(): Promise<Replica>;
  startIdentity(): Promise<Replica>;
  startMessaging(): Promise<Replica>;
  startOrders(settings?: Record<string, string>): Promise<Replica>;
  startProjects(): Promise<Replica>;
  admin(): Promise<Session>;
  customer(email?: string): Promise<Session>;
  /** Adds an admin with a verified address. */
  secondAdmin(email: string): Promise<{ session: Session; adminUserId: string }>;
  stop(): Promise<void>;
}

let customerCount = 0;

/** The gateway otherwise looks for these next to its program. */
const builtFiles = {
  imageChild: builtProgram('image-child'),
  scalarPath: builtProgram('scalar').program,
};

/** Runs the gateways and services in this process, except `processes`. PayPal is a stand-in, and so is the web process unless `inBrowser`. */
export async function startSite(options: SiteOptions = {}): Promise<SiteUnderTest> {
  const {
    without = [],
    processes = [],
    gateways: count = 1,
    contentReplicas = 1,
    seed = 'none',
    settings = {},
    identitySettings,
    ordersSettings,
    messagingSettings,
    projectsSettings,
    inBrowser = false,
    paypalClock = 'frozen',
  } = options;
  const runs = (name: ServiceName) => !without.some((other) => other === name);
  const port = inBrowser ? await freePort() : 0;
  const address = inBrowser ? `http://localhost:${port}` : publicUrl;
  const [databases, redis, web, paypal] = await Promise.all([
    Promise.all(
      serviceNames.filter(runs).map(async (service) => ({ service, ...(await freshDatabase(service)) })),
    ),
    freshRedis(),
    standInRenderer(),
    PayPalSimulator.start({
      clock: paypalClock,
      pdtToken,
      ...(inBrowser && { webhookUrl: `${address}/paypal/webhook` }),
    }),
  ]);
  const databaseUrls = Object.fromEntries(databases.map(({ service, url }) => [service, url])) as Record<
    ServiceName,
    string
  >;
  const filesDir = await mkdtemp(join(tmpdir(), 'files-'));
  const replicas: Record<ServiceName, Replica[]> = {
    content: [],
    identity: [],
    messaging: [],
    orders: [],
    projects: [],
  };
  const start = async (name: ServiceName, own: Record<string, string>) => {
    const common = { REDIS_URL: redis.url, LOG_LEVEL: 'info', PUBLIC_URL: address };
    const env = { ...common, DATABASE_URL: databaseUrls[name], ...own };
    const replica = await (processes.includes(name) ? startProcess(name, env) : startHere(name, env));
    replicas[name].push(replica);
    return replica;
  };
  const renderer = inBrowser ? await startRenderer(address) : undefined;
  const startContent = () => start('content', { SEED: seed });
  const startIdentity = () =>
    start('identity', {
      ADMIN_EMAIL: adminCredentials.email,
      ADMIN_PASSWORD: adminCredentials.password,
      // Hashing passwords would otherwise take most of the time of a sign-in.
      ARGON2_MEMORY_KIB: '8',
      ARGON2_PASSES: '1',
      ...identitySettings,
    });
  const startOrders = (more: Record<string, string> = {}) =>
    start('orders', {
      PAYPAL_SIMULATOR_URL: paypal.url,
      PAYPAL_PDT_TOKEN: pdtToken,
      IMAGES_DIR: filesDir,
      // To pay in a browser, a buyer needs the site's PayPal e-mail, which the demo seed sets.
      ...(inBrowser && { SEED: seed }),
      ...ordersSettings,
      ...more,
    });
  const startMessaging = () => start('messaging', { ...messagingSettings });
  const startProjects = () => start('projects', { IMAGES_DIR: filesDir, ...projectsSettings });
  const gateways: RunningGateway[] = [];
  const gatewayProcesses: GatewayProcess[] = [];
  const gatewayEnv = {
    REDIS_URL: redis.url,
    WEB_URL: renderer?.url ?? web.url,
    IMAGES_DIR: filesDir,
    PUBLIC_URL: address,
    PAYPAL_SIMULATOR_URL: paypal.url,
    ...settings,
  };
  const addGateway = async (more: Record<string, string> = {}) => {
    const gateway = await startGatewayWith({ PORT: String(port), ...gatewayEnv, ...more });
    gateways.push(gateway);
    return gateway;
  };
  const startGatewayProcess = async (more: Record<string, string> = {}) => {
    const running = startBuiltProcess('gateway', { PORT: '0', HOST: '127.0.0.1', ...gatewayEnv, ...more });
    const kill = async () => {
      running.child.kill('SIGKILL');
      await running.exited;
    };
    const gateway = Object.assign(running, { url: '', kill });
    gatewayProcesses.push(gateway);
    // Without the content service, `/readyz` never succeeds. The gateway still logs 'Ready', and answers the calls that need no content.
    if (runs('content')) await gateway.ready();
    await eventually(() => {
      const line = gateway.log.find(({ msg }) => msg === 'Ready');
      if (!line) throw new Error(`The gateway has not started: ${gateway.stderr}`);
      gateway.url = `http://127.0.0.1:${line.port as number}`;
    });
    return gateway;
  };
  const stop = async () => {
    // The arrays are emptied, because a spec's variables stay in memory as long as Jest's process runs.
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
    await Promise.all(gatewayProcesses.splice(0).map((gateway) => gateway.kill()));
    const running = Object.values(replicas).flatMap((all) => all.splice(0));
    await Promise.all(running.map((replica) => (replica.process ? replica.kill() : replica.stop())));
    await Promise.all([renderer?.kill(), web.stop(), paypal.stop()]);
    await Promise.all([redis.stop(), ...databases.map((database) => database.drop())]);
    await rm(filesDir, { recursive: true });
  };
  try {
    await Promise.all([
      startIdentity(),
      runs('orders') && startOrders(),
      runs('messaging') && startMessaging(),
      runs('projects') && startProjects(),
      ...Array.from({ length: runs('content') ? contentReplicas : 0 }, startContent),
    ]);
    while (gateways.length < count) await addGateway();
    // A starting gateway waits only briefly for content and may listen before it is ready.
    if (runs('content'))
      await eventually(async () => {
        for (const { healthPort } of gateways)
          expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200);
      });
  } catch (error) {
    // Jest would wait for processes that are still running.
    await stop();
    throw error;
  }
  const { url } = gateways[0]!;
  const admin = () => Session.signIn(url, adminCredentials);
  const customer = (email = `customer${(customerCount += 1)}@example.com`) =>
    Session.register(url, { email, password: 'correct horse battery' });
  return {
    gateways,
    url,
    ...replicas,
    paypal,
    databaseUrls,
    redis,
    web,
    filesDir,
    visitor: Session.visitor(url),
    startGateway: addGateway,
    startGatewayProcess,
    startContent,
    startIdentity,
    startMessaging,
    startOrders,
    startProjects,
    admin,
    customer,
    secondAdmin: async (email) => {
      const session = await customer(email);
      await verifyAddress(databaseUrls.identity, email);
      const added = await (await admin()).post<{ _id: string }>('/add-user', { userEmail: email });
      return { session, adminUserId: added.json._id };
    },
    stop,
  };
}

export function accountIdOf({ bearer }: Session): string {
  return decodeJwt(bearer).sub!;
}

/** On a free port, unless the settings contain `PORT`. */
export function startGatewayWith(
  settings: Record<string, string>,
  logger = createLogger('gateway', 'error'),
): Promise<RunningGateway> {
  const defaults = { PORT: '0', HOST: '127.0.0.1', PUBLIC_URL: publicUrl };
  return startGateway(gatewaySettings.parse({ ...defaults, ...settings }), logger, builtFiles);
}

/** Marks the address as verified, without the mailed link. */
async function verifyAddress(databaseUrl: string, email: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('UPDATE accounts SET email_verified = true WHERE email = $1', [email]);
  await database.end();
}
