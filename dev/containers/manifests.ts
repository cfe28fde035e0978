import { parseAllDocuments } from 'yaml';

/** Like the types below, has only the fields that this folder uses. */
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
  /** The fields of workloads and Services. Other kinds have other fields, or no spec. */
  spec: {
    template: PodTemplate;
    selector: Record<string, string>;
    ports: { port: number; targetPort: string }[];
    volumeClaimTemplates?: Resource[];
  };
}

/** The kinds that create pods. Of them, `podman kube play` supports only Deployments. `splitMigration` makes the Jobs. */
const workloadKinds = ['Deployment', 'StatefulSet', 'Job'];
/** The other kinds that have an effect here. Services become network names, and `podman kube play` creates the claims' volumes by itself. */
const supportingKinds = ['ConfigMap', 'Secret', 'PersistentVolumeClaim', 'Service'];

/** Converts an overlay, as `kubectl kustomize` renders it, for `podman kube play` (podman 4.3, Debian's version). */
export class Manifests {
  private readonly all: Resource[];

  constructor(text: string) {
    this.all = parseAllDocuments(text)
      .map((document) => document.toJS() as Resource)
      .flatMap(splitMigration);
  }

  get workloads(): Resource[] {
    return this.all.filter(({ kind }) => workloadKinds.includes(kind));
  }

  /** The kinds that have no effect here, each after the number of its resources, such as `1 Ingress`. */
  get ignored(): string[] {
    const kinds = this.all
      .map(({ kind }) => kind)
      .filter((kind) => ![...workloadKinds, ...supportingKinds].includes(kind));
    return [...new Set(kinds)].sort().map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  }

  /** The names of a workload's Services. Throws if a Service's port differs from its pods', because ports are not mapped here. */
  aliasesOf({ spec: { template } }: Resource): string[] {
    const { labels } = template.metadata;
    const services = this.all.filter(
      ({ kind, spec }) =>
        kind === 'Service' && Object.entries(spec.selector).every(([key, value]) => labels[key] === value),
    );
    for (const { metadata, spec } of services)
      for (const { port, targetPort } of spec.ports)
        if (portOf(template.spec.containers[0], targetPort) !== port)
          throw new Error(`The port of the Service ${metadata.name} differs from that of its pods`);
    return services.map(({ metadata }) => metadata.name);
  }

  /**
   * The documents for `podman kube play`. Differences from the manifests for a cluster:
   * - a Job or a StatefulSet becomes its pod, because podman supports neither;
   * - no PersistentVolumeClaims, because podman creates a claim's volume for the first pod that mounts it, and refuses a claim whose volume exists;
   * - Secrets become ConfigMaps, because podman 4.3 stores Secrets in a form that it cannot read;
   * - no ports, because podman 4.3 would publish them on the host, and several pods use 9090;
   * - no probes, because podman would run them with curl, which the image lacks; `PlayedOverlay` runs the readiness probes;
   * - each emptyDir gets a unique name, because podman makes it a volume, which pods with an emptyDir of the same name would share.
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
    const pod = { ...template, apiVersion: 'v1', kind: 'Pod' };
    const played =
      kind === 'Deployment'
        ? { apiVersion, kind, metadata, spec: { ...spec, template } }
        : { ...pod, metadata: { ...template.metadata, name: metadata.name } };
    return [...this.configMaps(), played];
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
 * Splits a Deployment with an init container into a Job that migrates and a Deployment without init containers. `podman kube play` returns only
 * after the init container has ended, but the migration in it would wait for Postgres, which `PlayedOverlay.play` starts after the Deployments.
 */
function splitMigration(resource: Resource): Resource[] {
  const template = resource.spec?.template;
  const [migration] = template?.spec.initContainers ?? [];
  if (!migration) return [resource];
  const { initContainers: _, ...deployed } = template!.spec;
  const name = `migrate-${resource.metadata.name}`;
  const jobTemplate = {
    metadata: { labels: { 'app.kubernetes.io/name': name } },
    spec: {
      restartPolicy: 'OnFailure',
      securityContext: deployed.securityContext,
      containers: [migration] satisfies [Container],
    },
  };
  return [
    { ...resource, kind: 'Job', metadata: { name }, spec: { ...resource.spec, template: jobTemplate } },
    { ...resource, spec: { ...resource.spec, template: { ...template!, spec: deployed } } },
  ];
}

export function portOf({ ports = [] }: Container, name: string): number {
  const found = ports.find((port) => port.name === name);
  if (!found) throw new Error(`There is no port named ${name}`);
  return found.containerPort;
}

function decoded(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  );
}
