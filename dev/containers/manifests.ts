import { parseAllDocuments } from 'yaml';

/** The parts of Kubernetes' resources that are looked at here. */
interface Container {
  name: string;
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; valueFrom?: { secretKeyRef?: object; configMapKeyRef?: object } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  resources?: { limits?: { memory?: string } };
  volumeMounts?: { name: string }[];
}
interface Volume {
  name: string;
  emptyDir?: object;
  persistentVolumeClaim?: { claimName: string };
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    terminationGracePeriodSeconds?: number;
    restartPolicy?: string;
    securityContext: { runAsUser: number; runAsGroup: number };
    initContainers?: [Container];
    containers: [Container];
    volumes?: Volume[];
  };
}
interface Probe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
}
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    template: PodTemplate;
    selector: Record<string, string>;
    ports: { port: number; targetPort: string }[];
    volumeClaimTemplates?: Resource[];
  };
}

/** What pods are made from; of these, `podman kube play` itself knows Deployments alone. A Job is a Deployment's migration here. */
const workloadKinds = ['Deployment', 'StatefulSet', 'Job'];
/** What of the rest a pod needs; Services become names on its network. */
const takenAlong = ['ConfigMap', 'Secret', 'PersistentVolumeClaim', 'Service'];

/** What `kubectl kustomize` made of an overlay, and how `podman kube play` (4.3, as Debian has it) can be given it. */
export class Manifests {
  private readonly all: Resource[];

  constructor(text: string) {
    this.all = parseAllDocuments(text)
      .map((one) => one.toJS() as Resource)
      .flatMap(splitMigration);
  }

  get workloads(): Resource[] {
    return this.all.filter(({ kind }) => workloadKinds.includes(kind));
  }

  /** Kinds that podman has nothing for, with how many there are. */
  get ignored(): string[] {
    const kinds = this.all
      .map(({ kind }) => kind)
      .filter((kind) => ![...workloadKinds, ...takenAlong].includes(kind));
    return [...new Set(kinds)].sort().map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  }

  /** By what names others call its pods: Services map no ports here, so each has to have those of the pod. */
  aliasesOf({ spec: { template } }: Resource): string[] {
    const { labels } = template.metadata;
    const services = this.all.filter(
      ({ kind, spec }) =>
        kind === 'Service' && Object.entries(spec.selector).every(([key, value]) => labels[key] === value),
    );
    for (const { metadata, spec } of services)
      for (const { port, targetPort } of spec.ports)
        if (portOf(template.spec.containers[0], targetPort) !== port)
          throw new Error(`The Service ${metadata.name} has another port than its pods`);
    return services.map(({ metadata }) => metadata.name);
  }

  /**
   * The documents for `podman kube play`. Different from what a cluster is given:
   * - a Job or StatefulSet is its pod: podman knows neither;
   * - Secrets are ConfigMaps: podman 4.3 stores them in a form that it cannot read;
   * - no ports: podman 4.3 publishes them on the host, where there is one 9090;
   * - no probes: podman would ask them by curl, which the image does not have. Whoever plays asks them instead;
   * - each emptyDir has a name of its own: podman makes volumes of them that all pods share.
   */
  documentsOf(workload: Resource): object[] {
    const { kind, apiVersion, metadata, spec } = workload;
    const template = structuredClone(spec.template);
    const [container] = template.spec.containers;
    for (const part of ['ports', 'startupProbe', 'readinessProbe', 'livenessProbe'] as const)
      delete container[part];
    for (const source of container.envFrom ?? []) {
      if (source.secretRef) Object.assign(source, { configMapRef: source.secretRef, secretRef: undefined });
    }
    for (const { valueFrom } of container.env ?? []) {
      if (valueFrom?.secretKeyRef)
        Object.assign(valueFrom, { configMapKeyRef: valueFrom.secretKeyRef, secretKeyRef: undefined });
    }
    const claims = (spec.volumeClaimTemplates ?? []).map((claim) => ({
      ...claim,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `${claim.metadata.name}-${metadata.name}` },
    }));
    const volumes = (template.spec.volumes ??= []);
    for (const { metadata: claim } of spec.volumeClaimTemplates ?? [])
      volumes.push({
        name: claim.name,
        persistentVolumeClaim: { claimName: `${claim.name}-${metadata.name}` },
      });
    for (const volume of volumes) {
      if (!volume.emptyDir) continue;
      const name = `${volume.name}-${metadata.name}`;
      for (const mount of container.volumeMounts ?? []) if (mount.name === volume.name) mount.name = name;
      volume.name = name;
    }
    const claimed = volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName);
    const existing = this.all.filter(
      (one) => one.kind === 'PersistentVolumeClaim' && claimed.includes(one.metadata.name),
    );
    const pod = { ...template, apiVersion: 'v1', kind: 'Pod' };
    const played =
      kind === 'Deployment'
        ? { apiVersion, kind, metadata, spec: { ...spec, template } }
        : { ...pod, metadata: { ...template.metadata, name: metadata.name } };
    return [...this.configMaps(), ...existing, ...claims, played];
  }

  private configMaps(): object[] {
    return this.all
      .filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret')
      .map(({ kind, metadata, data = {} }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: metadata.name },
        data: kind === 'Secret' ? decoded(data) : data,
      }));
  }
}

/**
 * A Deployment with an init container becomes two workloads: a Job that migrates, and the Deployment without it. `podman kube play` would wait
 * for the init container before it plays what comes next, which is the Postgres that the migration waits for.
 */
function splitMigration(workload: Resource): Resource[] {
  const template = workload.spec?.template;
  const [migration] = template?.spec.initContainers ?? [];
  if (!migration) return [workload];
  const { initContainers: _, ...deployed } = template!.spec;
  const name = `migrate-${workload.metadata.name}`;
  const job = {
    metadata: { labels: { 'app.kubernetes.io/name': name } },
    spec: {
      restartPolicy: 'OnFailure',
      securityContext: deployed.securityContext,
      containers: [migration] satisfies [Container],
    },
  };
  return [
    { ...workload, kind: 'Job', metadata: { name }, spec: { ...workload.spec, template: job } },
    { ...workload, spec: { ...workload.spec, template: { ...template!, spec: deployed } } },
  ];
}

export function portOf({ ports = [] }: Container, name: string): number {
  const found = ports.find((port) => port.name === name);
  if (!found) throw new Error(`No port is called ${name}`);
  return found.containerPort;
}

function decoded(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  );
}
