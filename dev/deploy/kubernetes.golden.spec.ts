import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { serviceNames } from '#libs/contracts';
import { readConfig } from '#libs/platform';
import { redisRules } from '#libs/transport';
import { developmentSecrets } from './development-secrets.js';
import { type DeployedProcess, deployedProcesses, settingsSchemaOf } from './process-settings.js';

const folder = fileURLToPath(new URL('../../k8s/', import.meta.url));
/** `components` is the production overlay with every component. */
const sources = {
  development: `${folder}overlays/development`,
  production: `${folder}overlays/production`,
  components: fileURLToPath(new URL('components', import.meta.url)),
};
type Overlay = keyof typeof sources;
const overlays = Object.keys(sources) as Overlay[];

interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: unknown }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: object;
  readinessProbe?: { httpGet?: { path: string; port: string } };
  livenessProbe?: { httpGet?: { path: string; port: string } };
  resources?: { limits?: object; requests?: object };
  securityContext?: object;
}
interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    automountServiceAccountToken: boolean;
    serviceAccountName: string;
    terminationGracePeriodSeconds: number;
    securityContext: object;
    containers: Container[];
    initContainers?: Container[];
    topologySpreadConstraints?: { topologyKey: string }[];
    volumes: { name: string; emptyDir?: object }[];
  };
}
interface PodSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
interface Peer {
  podSelector?: PodSelector;
  namespaceSelector?: PodSelector;
  ipBlock?: { cidr: string; except: string[] };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  spec: {
    template: Pod;
    selector: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    ports: { targetPort: string }[];
    scaleTargetRef: { name: string };
    strategy: { rollingUpdate: object };
    metrics: { type: string; external?: { metric: { name: string; selector: { matchLabels: object } } } }[];
    podSelector: PodSelector;
    policyTypes: string[];
    ingress?: { from: Peer[] }[];
    egress?: { to: Peer[]; ports: { port: number }[] }[];
    tls?: unknown[];
    listeners?: { tls?: object }[];
  };
}

function fingerprintOfSources(): string {
  const files = (readdirSync(folder, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('//', '/'))
    .filter(
      (path) =>
        !path.includes('/secrets/') &&
        /\/k8s\/(base|overlays|gateway-api|ingress|tracing|bucket|clamd)\//.test(path),
    )
    .sort();
  const hash = createHash('sha256');
  for (const path of files) hash.update(path.slice(path.indexOf('/k8s/'))).update(readFileSync(path));
  return hash.digest('hex');
}

const rendered = (overlay: Overlay) => `${folder}rendered/${overlay}.yaml`;

/** Used instead of the random passwords of each machine. The secret of the signing keys must have at least 32 characters. */
const samplePasswordOf = (owner: string) =>
  owner === 'signing keys'
    ? 'for-development-only-and-nowhere-else'
    : `${owner.split(' ')[0]}-development-only`;

function withSampleSecrets<T>(work: (source: string) => T): T {
  const copy = mkdtempSync(join(tmpdir(), 'k8s-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const secrets = join(copy, 'overlays/development/secrets');
    mkdirSync(secrets, { recursive: true });
    for (const [name, text] of Object.entries(developmentSecrets(samplePasswordOf)))
      writeFileSync(join(secrets, name), text);
    return work(join(copy, 'overlays/development'));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Null if there is no kubectl. */
function kustomize(overlay: Overlay): string | null {
  try {
    if (overlay !== 'development')
      return execFileSync('kubectl', ['kustomize', sources[overlay]], { encoding: 'utf8' });
    return withSampleSecrets((source) =>
      execFileSync('kubectl', ['kustomize', source], { encoding: 'utf8' }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const resourcesIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Resource);

const exampleSecrets = () =>
  parseAllDocuments(readFileSync(`${folder}overlays/production/secrets.example.yaml`, 'utf8')).map(
    (document) => document.toJS() as { metadata: { name: string }; stringData: Record<string, string> },
  );

/** Like a strict apply: also throws for fields that the schema does not have. */
async function validate(resource: Resource): Promise<void> {
  const { apiVersion, kind } = resource;
  const models = apiVersion.startsWith('gateway.networking')
    ? '@kubernetes-models/gateway-api'
    : 'kubernetes-models';
  const module = (await import(`${models}/${apiVersion}/${kind}`)) as Record<
    string,
    { prototype: { validate(this: unknown): void } }
  >;
  // kustomize wraps long base64 values, which Kubernetes accepts but the schema does not.
  const data =
    resource.data && Object.entries(resource.data).map(([key, text]) => [key, text.replace(/\s/g, '')]);
  const whole = kind === 'Secret' ? { ...resource, data: Object.fromEntries(data ?? []) } : resource;
  const { watched, unread } = watchReads(whole);
  module[kind]!.prototype.validate.call(watched);
  expect({ kind, name: resource.metadata.name, unknown: unread() }).toMatchObject({ unknown: [] });
}

/** A proxy that records which fields are read: a validator reads exactly the fields of its schema. */
function watchReads<T extends object>(whole: T): { watched: T; unread: () => string[] } {
  const unread = new Set<string>();
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, watch(field, `${path}/${key}`)]),
    );
    for (const key of Object.keys(copy)) unread.add(`${path}/${key}`);
    const target = Array.isArray(value) ? Object.values(copy) : copy;
    return new Proxy(target, {
      get(from, key, receiver) {
        unread.delete(`${path}/${String(key)}`);
        return Reflect.get(from, key, receiver) as unknown;
      },
    });
  };
  return { watched: watch(whole, '') as T, unread: () => [...unread] };
}

/** The allowed outgoing connections, except to kube-dns. */
const reachable: Record<string, string[]> = {
  gateway: ['web:3001', 'redis:6379'],
  web: [],
  content: ['content:5432', 'redis:6379'],
  orders: ['orders:5432', 'redis:6379', 'outside:80', 'outside:443'],
  projects: ['projects:5432', 'redis:6379'],
  messaging: ['messaging:5432', 'redis:6379', 'outside:465', 'outside:587'],
  identity: ['identity:5432', 'redis:6379', 'outside:443'],
  postgres: [],
  redis: [],
};

function selects(
  { matchLabels = {}, matchExpressions = [] }: PodSelector,
  labels: Record<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`Unsupported operator ${operator}`);
      return values.includes(labels[key]!);
    })
  );
}

/** The name of a pod or of a database, or `outside` for public networks. The node's DNS cache counts as `kube-dns`. */
function nameOf({ podSelector, ipBlock }: Peer): string {
  if (ipBlock) {
    if (ipBlock.cidr === '169.254.20.10/32') return 'kube-dns';
    expect(ipBlock).toMatchObject({ cidr: '0.0.0.0/0', except: expect.any(Array) });
    return 'outside';
  }
  const [[key, value]] = Object.entries(podSelector!.matchLabels!) as [[string, string]];
  return key.startsWith('database.seo-services/') ? key.slice('database.seo-services/'.length) : value;
}

// Runs before rendering, because the rendered files contain these copies.
test('the development overlay starts Postgres and Redis with the same files as Compose', () => {
  const copies = `${folder}overlays/development/start/`;
  const originals = { 'databases.sh': 'postgres', 'start.sh': 'redis', 'users.acl': 'redis' };
  for (const [file, subfolder] of Object.entries(originals)) {
    const text = readFileSync(`${folder}../docker/${subfolder}/${file}`, 'utf8');
    if (process.env.UPDATE_GOLDEN) writeFileSync(`${copies}${file}`, text);
    expect(readFileSync(`${copies}${file}`, 'utf8')).toBe(text);
  }
});

describe.each(overlays)('rendered: %s', (overlay) => {
  let resources: Resource[] = [];
  const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);
  const named = (kind: string, name: string) => {
    const found = ofKind(kind).find(
      ({ metadata }) => metadata.name === name || metadata.name.startsWith(`${name}-`),
    );
    if (!found) throw new Error(`There is no ${kind} ${name}`);
    return found;
  };
  const deployment = (name: DeployedProcess) => named('Deployment', name);
  const container = (name: DeployedProcess) => deployment(name).spec.template.spec.containers[0]!;

  beforeAll(() => {
    if (process.env.UPDATE_GOLDEN) {
      const output = kustomize(overlay);
      if (output === null) throw new Error('Updating k8s/rendered needs kubectl.');
      const head = `# Made by npm run golden, from the sources ${fingerprintOfSources()}\n`;
      writeFileSync(rendered(overlay), head + output);
    }
    resources = resourcesIn(readFileSync(rendered(overlay), 'utf8'));
  });

  test('is rendered from the current sources', () => {
    const [head = '', ...lines] = readFileSync(rendered(overlay), 'utf8').split('\n');
    expect(head).toContain(fingerprintOfSources());
    const output = kustomize(overlay);
    // Another version of kubectl may format the output differently.
    if (output !== null) expect(resourcesIn(output)).toEqual(resourcesIn(lines.join('\n')));
  });

  test('is valid against the schemas of Kubernetes and Gateway API, without unknown fields', async () => {
    for (const resource of resources) await validate(resource);
    expect(resources.length).toBeGreaterThan(45);
  });

  test.each(deployedProcesses)('%s gets only settings that it knows and accepts', async (name) => {
    const schema = await settingsSchemaOf(name);
    const env: Record<string, string> = {};
    for (const { configMapRef, secretRef } of container(name).envFrom ?? []) {
      if (configMapRef) Object.assign(env, named('ConfigMap', configMapRef.name).data);
      if (secretRef) Object.assign(env, secretsOf(secretRef.name));
    }
    for (const { name: variable, value } of container(name).env ?? []) env[variable] = value ?? '';
    const knownSettings = Object.keys(schema.shape);
    expect(Object.keys(env).filter((variable) => !knownSettings.includes(variable))).toEqual([]);
    const reading = readConfig(schema, env);
    expect(reading).toMatchObject({ ok: true });
  });

  /** From the overlay, or else from the example file. */
  function secretsOf(name: string): Record<string, string> {
    const inOverlay = ofKind('Secret').find(({ metadata }) => metadata.name === name);
    if (inOverlay) {
      const decoded = Object.entries(inOverlay.data ?? {}).map(([key, text]) => [
        key,
        Buffer.from(text, 'base64').toString(),
      ]);
      return Object.fromEntries(decoded) as Record<string, string>;
    }
    const example = exampleSecrets().find(({ metadata }) => metadata.name === name);
    if (!example) throw new Error(`No secret ${name}`);
    const filled = Object.entries(example.stringData).map(([key, text]) => [
      key,
      text.replaceAll('…', 'x'.repeat(32)),
    ]);
    return Object.fromEntries(filled) as Record<string, string>;
  }

  test('has secrets only in its Secrets, and none at all in production', () => {
    const secrets = ofKind('Secret');
    if (overlay !== 'development') expect(secrets).toEqual([]);
    const names = [
      ...exampleSecrets().flatMap(({ stringData }) => Object.keys(stringData)),
      ...secrets.flatMap(({ data = {} }) => Object.keys(data)),
    ];
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'ADMIN_PASSWORD', 'SMTP_URL']));
    const written = [
      ...ofKind('ConfigMap').flatMap(({ data = {} }) => Object.keys(data)),
      ...[...ofKind('Deployment'), ...ofKind('StatefulSet')]
        .flatMap(({ spec }) => [
          ...spec.template.spec.containers,
          ...(spec.template.spec.initContainers ?? []),
        ])
        .flatMap(({ env = [] }) => env.filter(({ value }) => value !== undefined).map(({ name }) => name)),
    ];
    expect(written.filter((name) => names.includes(name))).toEqual([]);
    // No address contains a password.
    const others = resources.filter(({ kind }) => kind !== 'Secret');
    expect(JSON.stringify(others)).not.toMatch(/:\/\/[^\s"/:@]*:[^\s"/@]+@/);
  });

  test.each(deployedProcesses)(
    '%s is selected by its resources, and has a Service only if it is the gateway or web',
    (name) => {
      const { labels } = deployment(name).spec.template.metadata;
      for (const kind of ['Deployment', 'PodDisruptionBudget']) {
        expect(labels).toMatchObject(named(kind, name).spec.selector.matchLabels!);
      }
      expect(named('HorizontalPodAutoscaler', name).spec.scaleTargetRef.name).toBe(name);
      expect(named('ServiceAccount', deployment(name).spec.template.spec.serviceAccountName)).toMatchObject({
        metadata: { name },
        automountServiceAccountToken: false,
      });
      const portNames = container(name).ports!.map((port) => port.name);
      expect(portNames).toContain('health');
      const services = ofKind('Service').filter(({ metadata }) => metadata.name === name);
      for (const service of services) {
        expect(labels).toMatchObject(service.spec.selector as Record<string, string>);
        for (const { targetPort } of service.spec.ports) expect(portNames).toContain(targetPort);
      }
      expect(services).toHaveLength(name === 'gateway' || name === 'web' ? 1 : 0);
    },
  );

  test.each(deployedProcesses)(
    '%s has probes and restricted privileges, is spread over nodes, and is replaced without downtime',
    (name) => {
      const { spec } = deployment(name).spec.template;
      expect(deployment(name).spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(spec.topologySpreadConstraints).toHaveLength(2);
      // A process takes at most ten seconds for requests in progress, after the delay in which the gateway and web still serve.
      const delay = container(name).env!.find((variable) => variable.name === 'SHUTDOWN_DELAY_MS');
      const servesHttp = name === 'gateway' || name === 'web';
      expect(delay?.value).toBe(servesHttp ? '15000' : undefined);
      expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(delay?.value ?? 0) + 10_000);
      expect(container(name)).toMatchObject({
        startupProbe: { httpGet: { path: '/healthz', port: 'health' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'health' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'health' } },
        resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
    },
  );

  test('a gateway has enough memory for a child process that decodes a picture', () => {
    // The child's limit is 768 MiB (apps/gateway/images/image-processor.ts); the gateway itself takes up to 256 MiB.
    expect(container('gateway').resources!.limits).toEqual({ memory: '1Gi' });
  });

  test('projects has enough memory for two child processes that make previews, and for their files in /tmp', () => {
    // A child's limit is 640 MiB (apps/projects/file/preview-renderer.ts). The process takes up to 320 MiB.
    // /tmp is in memory, and its 192 MiB are more than two files of at most 64 MiB need.
    expect(container('projects').resources!.limits).toEqual({ memory: `${2 * 640 + 320 + 192}Mi` });
    const tmp = deployment('projects').spec.template.spec.volumes.find(({ name }) => name === 'tmp');
    expect(tmp).toEqual({ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '192Mi' } });
  });

  test.each(serviceNames)('%s leaves its migrations to its init container', (name) => {
    const config = container(name).envFrom!.find(({ configMapRef }) => configMapRef)!.configMapRef!;
    expect(named('ConfigMap', config.name).data).toMatchObject({ DATABASE_MIGRATIONS: 'wait' });
  });

  test.each(serviceNames)(
    '%s is scaled by its waiting requests and events, with existing metrics',
    (name) => {
      const external = named('HorizontalPodAutoscaler', name).spec.metrics.flatMap(
        ({ external: one }) => one ?? [],
      );
      // Only services that follow events have `event_stream_lag`: Kubernetes never removes a replica if an autoscaler names a missing metric.
      const follows = serviceNames.some(
        (other) => other !== name && redisRules(name).some((rule) => rule.startsWith(`(~{${other}}:events `)),
      );
      const metrics = ['rpc_queue_waiting', ...(follows ? ['event_stream_lag'] : [])];
      expect(external.map(({ metric }) => metric)).toEqual(
        metrics.map((metric) => ({ name: metric, selector: { matchLabels: { service: name } } })),
      );
      const adapter = readFileSync(`${folder}monitoring/prometheus-adapter.yaml`, 'utf8');
      for (const metric of metrics) expect(adapter).toContain(`as: ${metric}`);
    },
  );

  test.each(deployedProcesses)('%s is scaled by the CPU time of its pods', (name) => {
    const [first] = named('HorizontalPodAutoscaler', name).spec.metrics;
    expect(first).toEqual({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } },
    });
  });

  test('denies connections by default, and admits proxies only to the gateway and the certificate solver', () => {
    const policies = ofKind('NetworkPolicy');
    const denied = policies.find(({ metadata }) => metadata.name === 'default-deny')!;
    expect(denied.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const openToProxies = policies.filter((policy) =>
      policy.spec.ingress?.some(({ from }) => from.some((peer) => peer.namespaceSelector?.matchExpressions)),
    );
    expect(openToProxies.map(({ spec }) => spec.podSelector.matchLabels)).toEqual([
      { 'acme.cert-manager.io/http01-solver': 'true' },
      { 'app.kubernetes.io/name': 'gateway' },
    ]);
    // An empty list of peers would allow all peers.
    for (const { spec } of policies) for (const rule of spec.ingress ?? []) expect(rule.from).not.toEqual([]);
  });

  test.each(Object.entries(reachable))(
    '%s can connect only to %j, DNS and what components add',
    (name, expected) => {
      const labels = { 'app.kubernetes.io/name': name };
      const allowed = ofKind('NetworkPolicy')
        .filter(({ spec }) => spec.policyTypes.includes('Egress') && selects(spec.podSelector, labels))
        .flatMap(({ spec }) => spec.egress ?? [])
        .flatMap(({ to, ports }) => to.flatMap((peer) => ports.map(({ port }) => `${nameOf(peer)}:${port}`)));
      const traces = deployedProcesses.some((process) => process === name)
        ? ['opentelemetry-collector:4318']
        : [];
      const ofComponents = [
        ...traces,
        ...(['gateway', 'projects'].includes(name) ? ['outside:443'] : []),
        ...(name === 'projects' ? ['clamd:3310'] : []),
      ];
      const addedByComponents = overlay === 'components' ? ofComponents : [];
      expect([...new Set(allowed)].sort()).toEqual(['kube-dns:53', ...expected, ...addedByComponents].sort());
    },
  );

  test('every pod is admitted to a namespace that enforces the Pod Security Standard `restricted`', () => {
    for (const { metadata, spec } of [...ofKind('Deployment'), ...ofKind('StatefulSet')]) {
      const { automountServiceAccountToken, securityContext, containers, initContainers } =
        spec.template.spec;
      expect({ name: metadata.name, automountServiceAccountToken, securityContext }).toMatchObject({
        name: metadata.name,
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { resources, securityContext: own } of [...containers, ...(initContainers ?? [])]) {
        expect(resources).toMatchObject({
          requests: { cpu: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        expect(own).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test('is served over TLS if it is public', () => {
    const terminating = [...ofKind('Ingress'), ...ofKind('Gateway')].filter(
      ({ spec }) => spec.tls?.length ?? spec.listeners?.some(({ tls }) => tls),
    );
    const expected = { development: [], production: ['Gateway'], components: ['Ingress', 'Gateway'] };
    expect(terminating.map(({ kind }) => kind)).toEqual(expected[overlay]);
  });

  test('uses no host path, host network or privileged container', () => {
    expect(JSON.stringify(resources)).not.toMatch(/hostPath|hostNetwork|privileged/);
  });
});

test.each([
  [
    'a misspelt field',
    (spec: Record<string, unknown>) => ({ ...spec, unhealthyPodEvictionPolcy: 'AlwaysAllow' }),
  ],
  [
    'a value of another type',
    (spec: Record<string, unknown>) => ({ ...spec, unhealthyPodEvictionPolicy: 5 }),
  ],
])('the check of schemas refuses %s', async (_, broken) => {
  const budget = resourcesIn(readFileSync(rendered('production'), 'utf8')).find(
    ({ kind }) => kind === 'PodDisruptionBudget',
  )!;
  await validate(budget);
  const spec = broken(budget.spec as unknown as Record<string, unknown>);
  await expect(validate({ ...budget, spec } as unknown as Resource)).rejects.toThrow(
    /unhealthyPodEvictionPol/,
  );
});

test('with a bucket no process has a persistent volume, and the gateways have space for uploads', () => {
  const [development, components] = (['development', 'components'] as const).map((overlay) =>
    readFileSync(rendered(overlay), 'utf8'),
  ) as [string, string];
  expect(development).toContain('persistentVolumeClaim');
  expect(components).not.toMatch(/persistentVolumeClaim|PersistentVolumeClaim/);
  expect(components).toMatch(/emptyDir:\n\s+sizeLimit: 2200Mi/);
});
