/** How the resources of k8s/ behave in a cluster, and what docs/operations says about them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { serviceNames } from '#libs/contracts';

interface Probe {
  timeoutSeconds?: number;
}
interface Container {
  image: string;
  imagePullPolicy?: string;
  env?: { name: string; value?: string }[];
  envFrom?: unknown[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  resources: { limits: { memory: string } };
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    initContainers?: Container[];
    containers: Container[];
    securityContext: { fsGroup?: number; fsGroupChangePolicy?: string };
    topologySpreadConstraints?: {
      topologyKey: string;
      labelSelector: { matchLabels: Record<string, string> };
      matchLabelKeys?: string[];
    }[];
  };
}
interface Peer {
  podSelector?: unknown;
  namespaceSelector?: unknown;
  ipBlock?: { cidr: string; except?: string[] };
}
interface Resource {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec: {
    template: PodTemplate;
    unhealthyPodEvictionPolicy?: string;
    podSelector: { matchLabels?: Record<string, string> };
    ingress?: { from: Peer[]; ports: { port: number }[] }[];
    egress?: { to: Peer[]; ports: { port: number }[] }[];
    rules: { host?: string; backendRefs?: { name: string; port: number }[] }[];
    tls?: { hosts: string[] }[];
    listeners: { name: string; hostname: string; protocol: string }[];
    hostnames: string[];
    parentRefs: { name: string; sectionName: string }[];
    ports: { port: number }[];
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** `components` is the production overlay with every component. */
const overlays = ['development', 'production', 'components'] as const;

describe('docs/operations', () => {
  const folder = `${root}docs/operations/`;
  const text = readFileSync(`${folder}kubernetes.md`, 'utf8');

  test('names only files of k8s/ and docker/ that exist', () => {
    const pages = readdirSync(folder).map((page) => readFileSync(`${folder}${page}`, 'utf8'));
    const named = pages.flatMap((page) =>
      [...page.matchAll(/(?<![\w./])(?:k8s|docker)\/[\w./-]*\w/g)].map(([path]) => path),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
  });

  test('creates the namespace before the resources in it', () => {
    const steps = [...text.matchAll(/kubectl apply .*/g)].map(([command]) => command);
    const firstInNamespace = steps.findIndex((command) => command.includes('-n seo-services '));
    expect(steps.slice(0, firstInNamespace)).toEqual([
      'kubectl apply -f k8s/overlays/production/namespace.yaml',
    ]);
  });

  test('checks connections between existing pods and Services, one allowed and one blocked', () => {
    const production = parseAllDocuments(readFileSync(`${root}k8s/rendered/production.yaml`, 'utf8')).map(
      (document) => document.toJS() as Resource,
    );
    const has = (kind: string, name: string) =>
      production.some((resource) => resource.kind === kind && resource.metadata.name === name);
    const checks = [...text.matchAll(/exec deploy\/(\w+) -- node -e "\$probe" (\w+) (\d+) +# (\w+)/g)];
    expect(checks.map((check) => check[4])).toEqual(['open', 'blocked']);
    for (const [, from, to] of checks)
      expect([has('Deployment', from!), has('Service', to!)]).toEqual([true, true]);
  });
});

describe.each(overlays)('in a cluster: %s', (overlay) => {
  const text = readFileSync(`${root}k8s/rendered/${overlay}.yaml`, 'utf8');
  const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource);
  const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);
  const workloads = resources.filter(({ spec }) => spec?.template !== undefined);
  const containersOf = ({ spec }: Resource) => [
    ...(spec.template.spec.initContainers ?? []),
    ...spec.template.spec.containers,
  ];
  const ours = workloads.filter(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/part-of']);

  test('no node pulls an image that it already has', () => {
    const policies = workloads.flatMap(containersOf).map(({ image, imagePullPolicy }) => {
      const always = /:latest$/.test(image) || !/[:@][^/]+$/.test(image);
      return [image, imagePullPolicy ?? (always ? 'Always' : 'IfNotPresent')];
    });
    expect(policies.filter(([, policy]) => policy !== 'IfNotPresent')).toEqual([]);
  });

  test.each(serviceNames)('%s migrates before it starts, in its own pod, with its own version', (name) => {
    const { spec } = workloads.find(({ metadata }) => metadata.name === name)!.spec.template;
    expect(spec.initContainers).toEqual([
      expect.objectContaining({
        name: 'migrate',
        image: spec.containers[0]!.image,
        command: ['node', `dist/bundle/migrate-${name}.js`],
      }),
    ]);
    // A migration gets only the secrets that it needs.
    const [{ env, envFrom }] = spec.initContainers as [Container];
    expect([env!.map((variable) => variable.name), envFrom]).toEqual([['DATABASE_URL'], undefined]);
  });

  test('an upgrade changes no immutable fields: there are no Jobs, and selectors contain no version', () => {
    expect([...ofKind('Job'), ...ofKind('CronJob'), ...ofKind('Pod')]).toEqual([]);
    expect(
      JSON.stringify(resources.map(({ spec }) => (spec as { selector?: unknown })?.selector ?? null)),
    ).not.toMatch(/version|sha256/);
  });

  test('the replicas of one version of a process are spread over nodes and zones, regardless of pods of the previous version', () => {
    expect(ours).toHaveLength(7);
    for (const { metadata, spec } of ours) {
      const { labels } = spec.template.metadata;
      const constraints = spec.template.spec.topologySpreadConstraints!;
      expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ]);
      for (const { labelSelector, matchLabelKeys } of constraints) {
        expect(labels).toMatchObject(labelSelector.matchLabels);
        const keyValues = matchLabelKeys!.filter((key) => key in labels).map((key) => labels[key]);
        expect([...Object.values(labelSelector.matchLabels), ...keyValues]).toContain(metadata.name);
        expect(matchLabelKeys).toContain('pod-template-hash');
        // Kubernetes refuses a key that is already in the selector.
        expect(matchLabelKeys!.filter((key) => key in labelSelector.matchLabels)).toEqual([]);
      }
    }
  });

  test('a node can be drained while pods are not ready', () => {
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata, spec }) => [
      metadata.name,
      spec.unhealthyPodEvictionPolicy,
    ]);
    expect(budgets).toEqual(ours.map(({ metadata }) => [metadata.name, 'AlwaysAllow']));
  });

  test('mounting a volume does not change the owner of every file', () => {
    const grouped = workloads.filter(({ spec }) => spec.template.spec.securityContext.fsGroup !== undefined);
    expect(grouped.length).toBeGreaterThan(0);
    for (const { metadata, spec } of grouped)
      expect([metadata.name, spec.template.spec.securityContext.fsGroupChangePolicy]).toEqual([
        metadata.name,
        'OnRootMismatch',
      ]);
  });

  test('every probe allows some seconds for an answer under load', () => {
    const probes = workloads
      .flatMap(({ metadata, spec }) =>
        spec.template.spec.containers.map((container) => ({ ...container, name: metadata.name })),
      )
      .flatMap(({ name, startupProbe, readinessProbe, livenessProbe }) =>
        Object.entries({ startupProbe, readinessProbe, livenessProbe }).map(([kind, probe]) => ({
          probe: `${name} ${kind}`,
          seconds: probe && (probe.timeoutSeconds ?? 1),
        })),
      )
      .filter(({ seconds }) => seconds !== undefined);
    expect(probes.filter(({ seconds }) => seconds! < 3)).toEqual([]);
    // A failing liveness probe restarts the container, which does not help an overloaded node.
    const livenessProbes = probes.filter(({ probe }) => probe.endsWith('livenessProbe'));
    expect(livenessProbes.filter(({ seconds }) => seconds! < 10)).toEqual([]);
    expect(livenessProbes).toHaveLength(7);
  });

  test("cert-manager's solver can be reached from the same namespaces as the gateway", () => {
    const allowedPeers = (port: number, labels: Record<string, string>) =>
      ofKind('NetworkPolicy')
        // Policies without `matchLabels` allow no incoming connections.
        .filter(({ spec }) =>
          Object.entries(spec.podSelector.matchLabels ?? { none: '' }).every(
            ([key, value]) => labels[key] === value,
          ),
        )
        .flatMap(({ spec }) => spec.ingress ?? [])
        .filter(({ ports }) => ports.some((allowed) => allowed.port === port))
        .map((rule) => rule.from);
    const visitors = allowedPeers(3000, { 'app.kubernetes.io/name': 'gateway' });
    expect(visitors).toHaveLength(1);
    expect(allowedPeers(8089, { 'acme.cert-manager.io/http01-solver': 'true' })).toEqual(visitors);
  });

  test('policies for the internet exclude private networks; the only other allowed address is that of NodeLocal DNSCache', () => {
    const blocks = ofKind('NetworkPolicy').flatMap(({ metadata, spec }) =>
      (spec.egress ?? []).flatMap(({ to, ports }) =>
        to.flatMap(({ ipBlock }) => (ipBlock ? [{ name: metadata.name, ...ipBlock, ports }] : [])),
      ),
    );
    const outside = blocks.filter(({ cidr }) => cidr === '0.0.0.0/0');
    expect(outside.length).toBeGreaterThan(1);
    for (const { except } of outside)
      expect([...except!].sort()).toEqual([
        '10.0.0.0/8',
        '100.64.0.0/10',
        '127.0.0.0/8',
        '169.254.0.0/16',
        '172.16.0.0/12',
        '192.168.0.0/16',
      ]);
    expect(blocks.filter(({ cidr }) => cidr !== '0.0.0.0/0')).toMatchObject([
      { name: 'names', cidr: '169.254.20.10/32', ports: [{ port: 53 }, { port: 53 }] },
    ]);
  });

  test('every listener and route uses the host of PUBLIC_URL', () => {
    const urls = ofKind('ConfigMap').flatMap(({ data }) => data?.PUBLIC_URL ?? []);
    expect(urls).toHaveLength(6);
    const hosts = [
      ...urls.map((url) => new URL(url).hostname),
      ...ofKind('Ingress').flatMap(({ spec }) => [
        ...spec.rules.map(({ host }) => host!),
        ...(spec.tls ?? []).flatMap(({ hosts: tlsHosts }) => tlsHosts),
      ]),
      ...ofKind('Gateway').flatMap(({ spec }) => spec.listeners.map(({ hostname }) => hostname)),
      ...ofKind('HTTPRoute').flatMap(({ spec }) => spec.hostnames),
    ];
    expect(hosts.length).toBeGreaterThan(urls.length);
    expect(new Set(hosts).size).toBe(1);
  });

  test('ConfigMaps of previous versions can be found by a label', () => {
    const maps = ofKind('ConfigMap').filter(({ data }) => data?.LOG_LEVEL);
    expect(maps).toHaveLength(7);
    for (const { metadata } of maps)
      expect(metadata.labels).toEqual({ 'app.kubernetes.io/part-of': 'seo-services' });
  });

  if (overlay === 'development')
    test('Redis refuses writes before its container runs out of memory', () => {
      const [redis] = workloads.find(({ metadata }) => metadata.name === 'redis')!.spec.template.spec
        .containers;
      const maxmemory = /^(\d+)mb$/.exec(
        redis!.env!.find(({ name }) => name === 'REDIS_MAXMEMORY')!.value!,
      )![1];
      const limit = /^(\d+)Mi$/.exec(redis!.resources.limits.memory)![1];
      expect(Number(maxmemory)).toBeLessThanOrEqual(Number(limit) * 0.75);
    });
  else {
    test('routes attach to the listeners of the Gateway, and lead to an existing port of a Service', () => {
      const [gateway] = ofKind('Gateway');
      const services = ofKind('Service').flatMap(({ metadata, spec }) =>
        spec.ports.map(({ port }) => `${metadata.name}:${port}`),
      );
      const routes = ofKind('HTTPRoute');
      const attached = routes.flatMap(({ spec }) => spec.parentRefs);
      expect(gateway!.spec.listeners.map(({ name, protocol }) => [name, protocol])).toEqual([
        ['http', 'HTTP'],
        ['https', 'HTTPS'],
      ]);
      expect(attached.map(({ name, sectionName }) => `${name} ${sectionName}`).sort()).toEqual(
        gateway!.spec.listeners.map(({ name }) => `${gateway!.metadata.name} ${name}`),
      );
      const backends = routes.flatMap(({ spec }) =>
        spec.rules.flatMap(({ backendRefs = [] }) => backendRefs),
      );
      expect(backends.map(({ name, port }) => `${name}:${port}`)).toEqual(['gateway:3000']);
      expect(services).toContain('gateway:3000');
    });

    test('every image is pinned by its digest', () => {
      const images = workloads.flatMap(containersOf).map(({ image }) => image);
      expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    });
  }
});
