import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { serviceNames } from '#libs/contracts';
import { deployedProcesses } from '../deploy/process-settings.js';
import { Manifests } from './manifests.js';

const rendered = new URL('../../k8s/rendered/development.yaml', import.meta.url);
const manifests = new Manifests(readFileSync(rendered, 'utf8'));
const workload = (name: string) => manifests.workloads.find(({ metadata }) => metadata.name === name)!;
const documentsOf = (name: string) =>
  manifests.documentsOf(workload(name)) as { kind: string; metadata: { name: string }; data?: object }[];

describe('the development overlay, for podman kube play', () => {
  test('includes every process, the databases and the migrations, and lists the kinds that have no effect', () => {
    const jobs = serviceNames.map((name) => `migrate-${name}`);
    const names = manifests.workloads.map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual([...deployedProcesses, ...jobs, 'postgres', 'redis'].sort());
    const kinds = manifests.ignored.map((text) => text.replace(/^\d+ /, ''));
    expect(kinds).toEqual([
      ...['HorizontalPodAutoscaler', 'Ingress', 'Namespace', 'NetworkPolicy', 'PodDisruptionBudget'],
      'ServiceAccount',
    ]);
  });

  test.each([
    ['gateway', ['gateway']],
    ['web', ['web']],
    ['postgres', ['postgres']],
    ['content', []],
    ['migrate-content', []],
  ])('%s has the network names %j', (name, aliases) => {
    expect(manifests.aliasesOf(workload(name))).toEqual(aliases);
  });

  test('keeps a Deployment unchanged, except for its ports, probes, Secrets and names of volumes', () => {
    const documents = documentsOf('gateway');
    const played = documents.at(-1);
    const { template, selector } = workload('gateway').spec;
    const [container] = template.spec.containers;
    const kept = Object.entries(container).filter(
      ([key]) => !/^ports$|Probe$|^envFrom$|^volumeMounts$/.test(key),
    );
    expect(played).toMatchObject({
      kind: 'Deployment',
      spec: { selector, template: { spec: { containers: [Object.fromEntries(kept)] } } },
    });
    expect(JSON.stringify(played)).not.toMatch(/secretRef|Probe|containerPort/);
    // The address of Redis is in a Secret, which becomes a ConfigMap.
    expect(JSON.stringify(documents)).toContain('redis://gateway:');
  });

  test('mounts the same volume in all processes that share files', () => {
    for (const name of ['gateway', 'orders', 'projects']) {
      const documents = documentsOf(name);
      expect(JSON.stringify(documents.at(-1))).toContain('"claimName":"uploads"');
      expect(documents.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    }
  });

  test('turns a StatefulSet, and the init container that migrates a database, into pods', () => {
    const postgres = documentsOf('postgres').at(-1);
    expect(postgres).toMatchObject({ kind: 'Pod', metadata: { name: 'postgres' } });
    expect(JSON.stringify(postgres)).toContain('"claimName":"data-postgres"');
    const job = documentsOf('migrate-content').at(-1);
    expect(job).toMatchObject({ kind: 'Pod', spec: { restartPolicy: 'OnFailure' } });
    expect(JSON.stringify(job)).toContain('"configMapKeyRef"');
    expect(JSON.stringify(documentsOf('content').at(-1))).not.toContain('initContainers');
  });
});
