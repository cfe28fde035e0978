import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PeriodicTask } from '#libs/runtime';

const run = promisify(execFile);

/** For the container that holds a pod's namespaces. */
export const pauseImage = 'localhost/pause:latest';
const packages = 'podman buildah runc iptables netavark aardvark-dns iproute2 debootstrap docker-compose';

export interface ContainerState {
  name: string;
  running: boolean;
  exitCode: number;
}

/**
 * A podman with its own storage, and its Docker-compatible service for docker-compose. Only podman's networks are shared with the rest of the machine
 * (see `namePrefix`).
 */
export class Engine {
  private watching = false;
  private readonly bridgeTask = keepBridgeAddresses();

  private constructor(
    private readonly storage: string[],
    private readonly env: NodeJS.ProcessEnv,
    private readonly service: ChildProcess,
    private readonly root: string,
    readonly folder: string,
    /**
     * The prefix of the names of networks and of Compose's containers; each checkout has its own. All checkouts on a machine share Podman's networks:
     * without a prefix, `postgres` could be a container of another checkout.
     */
    readonly namePrefix: string,
  ) {}

  static async open(root: string): Promise<Engine> {
    for (const tool of ['podman', 'docker-compose', 'debootstrap', 'runc']) {
      await run('sh', ['-c', `command -v ${tool}`]).catch(() => {
        throw new Error(
          `${tool} is missing. Install it: apt-get install -y --no-install-recommends ${packages}`,
        );
      });
    }
    if (process.getuid?.() !== 0) throw new Error('Run this command as root: it starts containers.');
    // Outside the checkout, because tools that search it would find whole file systems.
    const checkoutHash = createHash('sha256').update(root).digest('hex').slice(0, 8);
    const key = `seo-containers-${checkoutHash}`;
    const folder = join('/var/tmp', key);
    const runFolder = join(tmpdir(), key);
    for (const path of [folder, runFolder]) mkdirSync(path, { recursive: true, mode: 0o700 });
    const config = join(runFolder, 'containers.conf');
    writeFileSync(config, await configuration());
    const storage = ['--root', join(folder, 'storage'), '--runroot', join(runFolder, 'run')];
    const socket = join(runFolder, 'podman.sock');
    rmSync(socket, { force: true });
    const env = { ...process.env, CONTAINERS_CONF: config, DOCKER_HOST: `unix://${socket}` };
    const service = spawn('podman', [...storage, 'system', 'service', '--time=0', `unix://${socket}`], {
      env,
      stdio: 'ignore',
    });
    for (let tries = 0; !existsSync(socket); tries++) {
      if (tries === 100 || service.exitCode !== null) {
        service.kill();
        throw new Error('Podman’s service did not start.');
      }
      await wait(100);
    }
    return new Engine(storage, env, service, root, folder, `seo-test-${checkoutHash}`);
  }

  async podman(...args: string[]): Promise<string> {
    return this.run('podman', [...this.storage, ...args]);
  }

  /** In the command, `$PODMAN` runs podman with the storage of this engine. */
  async shell(command: string): Promise<string> {
    return this.run('sh', ['-c', command], { PODMAN: ['podman', ...this.storage].join(' ') });
  }

  async compose(settingsFile: string, ...args: string[]): Promise<string> {
    const collector = join(this.root, 'dev', 'containers', 'stand-ins', 'collector.yml');
    const files = ['-f', join(this.root, 'docker-compose.yml'), '-f', collector];
    const options = ['--project-directory', this.root, '--env-file', settingsFile, ...files];
    return this.run('docker-compose', [...options, ...args]);
  }

  /** During `work`, runs the health checks of starting and unhealthy containers. Podman leaves these to systemd timers, which may not exist. */
  async withHealthChecks<T>(work: () => Promise<T>): Promise<T> {
    this.watching = true;
    const checks = this.runHealthChecks();
    try {
      return await work();
    } finally {
      this.watching = false;
      await checks;
    }
  }

  async composeContainers(): Promise<ContainerState[]> {
    const names = (
      await this.podman('ps', '-a', '--format', '{{.Names}}', '--filter', `name=^${this.namePrefix}_`)
    )
      .split('\n')
      .filter(Boolean);
    if (names.length === 0) return [];
    const found = JSON.parse(await this.podman('inspect', '--type=container', ...names)) as {
      Name: string;
      State: { Running: boolean; ExitCode: number };
    }[];
    return found.map(({ Name, State }) => ({
      name: Name,
      running: State.Running,
      exitCode: State.ExitCode,
    }));
  }

  async addressOf(container: string): Promise<string> {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
    const [address] = (await this.podman('inspect', container, '--format', format)).trim().split(' ');
    if (!address) throw new Error(`${container} has no address`);
    return address;
  }

  async close(): Promise<void> {
    await this.bridgeTask.stop();
    this.service.kill('SIGTERM');
    await new Promise<void>((resolve) => {
      if (this.service.exitCode !== null || this.service.signalCode !== null) resolve();
      else this.service.once('exit', () => resolve());
    });
  }

  private async runHealthChecks(): Promise<void> {
    while (this.watching) {
      const listing = await this.podman('ps', '--format', '{{.Names}}|{{.Status}}').catch(() => '');
      for (const line of listing.split('\n')) {
        const [name = '', status = ''] = line.split('|');
        if (/\((starting|unhealthy)\)/.test(status))
          await this.podman('healthcheck', 'run', name).catch(() => undefined);
      }
      await wait(500);
    }
  }

  private async run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    try {
      const { stdout } = await run(command, args, {
        cwd: this.root,
        env: { ...this.env, ...env },
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      const output = `${stdout}${stderr}`.trimEnd().split('\n').slice(-25).join('\n');
      throw new Error(`${command} ${args.slice(-6).join(' ')} failed:\n${output}`, { cause: error });
    }
  }
}

const networkDevices = '/sys/class/net';

/**
 * Gives each of podman's bridges a fixed hardware address, as systemd-udevd does. Otherwise a bridge has the lowest address of its containers. When
 * the container with the lowest address stops, the others send DNS queries to this former address for up to ten seconds.
 */
function keepBridgeAddresses(): PeriodicTask {
  const task = new PeriodicTask({
    everyMs: 100,
    async run() {
      const names = (await readdir(networkDevices)).filter((name) => /^podman\d+$/.test(name));
      for (const name of names) {
        const read = async (file: string) =>
          (await readFile(join(networkDevices, name, file), 'utf8')).trim();
        // 3 (NET_ADDR_SET): the address was set explicitly.
        if ((await read('addr_assign_type')) !== '3')
          await run('ip', ['link', 'set', name, 'address', await read('address')]);
      }
    },
    // A bridge may be removed while it is being read.
    onError: () => undefined,
  });
  task.start();
  return task;
}

/** The text of containers.conf. The runtime runc supports both versions of cgroups. Limits above those of this process would be refused. */
async function configuration(): Promise<string> {
  const limit = async (flag: string) => (await run('bash', ['-c', `ulimit -H${flag}`])).stdout.trim();
  const [files, processes] = await Promise.all([limit('n'), limit('u')]);
  const bounded = (text: string, atMost: number) =>
    Math.min(text === 'unlimited' ? atMost : Number(text), atMost);
  // Podman 4.3 confuses soft and hard limits in Docker's API, so both are the same.
  const both = (name: string, value: number) => `"${name}=${value}:${value}"`;
  const ulimits = [both('nofile', bounded(files, 20_000)), both('nproc', bounded(processes, 8_000))];
  return [
    '[engine]',
    'runtime = "runc"',
    'cgroup_manager = "cgroupfs"',
    `infra_image = "${pauseImage}"`,
    '[containers]',
    `default_ulimits = [${ulimits.join(', ')}]`,
    '',
  ].join('\n');
}
