import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '#libs/testing';
import type { Engine } from './engine.js';
import { Manifests, portOf, type Resource } from './manifests.js';

const network = 'seo-test-kubernetes';

/** An overlay of k8s/, with its Deployments, migrations and StatefulSets as pods of podman, and their Services as names. */
export class PlayedOverlay {
  private constructor(
    private readonly engine: Engine,
    readonly manifests: Manifests,
  ) {}

  /** `kubectl kustomize` has rendered it; `npm test` compares that with the sources. */
  static read(engine: Engine, root: string, overlay: string): PlayedOverlay {
    const text = readFileSync(join(root, 'k8s', 'rendered', `${overlay}.yaml`), 'utf8');
    return new PlayedOverlay(engine, new Manifests(text));
  }

  /** All at once, in the order of the rendering, as `kubectl apply` does it: nothing waits for anything but by itself. */
  async play(): Promise<void> {
    await this.remove();
    await this.engine.podman('network', 'create', network);
    for (const workload of this.manifests.workloads) {
      const file = join(this.engine.folder, `${workload.metadata.name}.yaml`);
      const documents = this.manifests
        .documentsOf(workload)
        .map((one) => stringify(one, { aliasDuplicateObjects: false }));
      writeFileSync(file, documents.join('---\n'), { mode: 0o600 });
      const aliases = this.manifests.aliasesOf(workload).map((alias) => `alias=${alias}`);
      const on = aliases.length > 0 ? `${network}:${aliases.join(',')}` : network;
      await this.engine.podman('kube', 'play', '--network', on, file);
    }
  }

  workload(name: string): Resource {
    const found = this.manifests.workloads.find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`There is no ${name}`);
    return found;
  }

  /** Waits until its readiness probe holds, which is asked as a kubelet would. */
  async ready(name: string): Promise<void> {
    const [container] = this.workload(name).spec.template.spec.containers;
    const { httpGet, exec } = container.readinessProbe!;
    const ask = async () => {
      if (exec) return void (await this.engine.podman('exec', await this.container(name), ...exec.command));
      const { path, port } = httpGet!;
      const answer = await fetch(`http://${await this.address(name)}:${portOf(container, port)}${path}`);
      if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
    };
    await eventually(ask, { timeoutMs: 90_000, intervalMs: 500 }).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await this.log(name)}`, { cause: error });
    });
  }

  /** The exit code of a migration's pod, once it is done. */
  async done(name: string): Promise<number> {
    return Number(await this.engine.podman('wait', await this.container(name)));
  }

  async container(name: string): Promise<string> {
    return `${await this.pod(name)}-${this.workload(name).spec.template.spec.containers[0].name}`;
  }

  async address(name: string): Promise<string> {
    const infra = await this.engine.podman(
      'pod',
      'inspect',
      await this.pod(name),
      '--format',
      '{{.InfraContainerID}}',
    );
    return this.engine.addressOf(infra.trim());
  }

  async log(name: string): Promise<string> {
    return this.engine.shell(`$PODMAN logs --tail 12 ${await this.container(name)} 2>&1`);
  }

  async remove(): Promise<void> {
    await this.engine.podman('pod', 'rm', '-a', '-f', '-t', '0');
    await this.engine.podman('network', 'rm', '-f', network);
    await this.engine.podman('volume', 'rm', '-a', '-f');
  }

  private async pod(name: string): Promise<string> {
    const filter = `label=app.kubernetes.io/name=${name}`;
    const found = (await this.engine.podman('pod', 'ps', '--filter', filter, '--format', '{{.Name}}')).trim();
    if (!/^[\w-]+$/.test(found)) throw new Error(`There is no single pod of ${name}, but: ${found}`);
    return found;
  }
}
