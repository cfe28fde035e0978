import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '#libs/testing';
import type { Engine } from './engine.js';
import { Manifests, portOf, type Resource } from './manifests.js';

/** An overlay that `podman kube play` runs: its workloads are pods, and its Services are network names. */
export class PlayedOverlay {
  private constructor(
    private readonly engine: Engine,
    readonly manifests: Manifests,
  ) {}

  private get network(): string {
    return `${this.engine.namePrefix}-kubernetes`;
  }

  /** `npm test` checks that the rendered overlay is up to date. */
  static read(engine: Engine, root: string, overlay: string): PlayedOverlay {
    const text = readFileSync(join(root, 'k8s', 'rendered', `${overlay}.yaml`), 'utf8');
    return new PlayedOverlay(engine, new Manifests(text));
  }

  /** Removes an earlier run. Starts everything in the order of the file, without waiting for readiness, like `kubectl apply`. */
  async play(): Promise<void> {
    await this.remove();
    await this.engine.podman('network', 'create', this.network);
    for (const workload of this.manifests.workloads) {
      const file = join(this.engine.folder, `${workload.metadata.name}.yaml`);
      const documents = this.manifests
        .documentsOf(workload)
        .map((document) => stringify(document, { aliasDuplicateObjects: false }));
      writeFileSync(file, documents.join('---\n'), { mode: 0o600 });
      const aliases = this.manifests.aliasesOf(workload).map((alias) => `alias=${alias}`);
      const networkOption = aliases.length > 0 ? `${this.network}:${aliases.join(',')}` : this.network;
      await this.engine.podman('kube', 'play', '--network', networkOption, file);
    }
  }

  workload(name: string): Resource {
    const found = this.manifests.workloads.find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`There is no workload ${name}`);
    return found;
  }

  /** Runs the readiness probe until it succeeds. Rejects after 90 s, with the log. */
  async waitUntilReady(name: string): Promise<void> {
    const [container] = this.workload(name).spec.template.spec.containers;
    const { httpGet, exec } = container.readinessProbe!;
    const probe = async () => {
      if (exec)
        return void (await this.engine.podman('exec', await this.containerName(name), ...exec.command));
      const { path, port } = httpGet!;
      const answer = await fetch(`http://${await this.addressOf(name)}:${portOf(container, port)}${path}`);
      if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
    };
    await eventually(probe, { timeoutMs: 90_000, intervalMs: 500 }).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await this.logOf(name)}`, { cause: error });
    });
  }

  /** Resolves to the exit code of a migration's container. */
  async waitForExit(name: string): Promise<number> {
    return Number(await this.engine.podman('wait', await this.containerName(name)));
  }

  async containerName(name: string): Promise<string> {
    return `${await this.podName(name)}-${this.workload(name).spec.template.spec.containers[0].name}`;
  }

  async addressOf(name: string): Promise<string> {
    const infra = await this.engine.podman(
      'pod',
      'inspect',
      await this.podName(name),
      '--format',
      '{{.InfraContainerID}}',
    );
    return this.engine.addressOf(infra.trim());
  }

  async logOf(name: string): Promise<string> {
    return this.engine.shell(`$PODMAN logs --tail 12 ${await this.containerName(name)} 2>&1`);
  }

  /** Also removes all other pods and volumes of the engine. */
  async remove(): Promise<void> {
    await this.engine.podman('pod', 'rm', '-a', '-f', '-t', '0');
    await this.engine.podman('network', 'rm', '-f', this.network);
    await this.engine.podman('volume', 'rm', '-a', '-f');
  }

  private async podName(name: string): Promise<string> {
    const filter = `label=app.kubernetes.io/name=${name}`;
    const found = (await this.engine.podman('pod', 'ps', '--filter', filter, '--format', '{{.Name}}')).trim();
    if (!/^[\w-]+$/.test(found))
      throw new Error(`Expected one pod of ${name}, but found: ${found || 'none'}`);
    return found;
  }
}
