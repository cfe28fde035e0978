import { serviceNames } from '#libs/contracts';
import { Session } from '#libs/testing';
import { deployedProcesses } from '../deploy/process-settings.js';
import { type Check, expectEqual } from './check.js';
import type { Engine } from './engine.js';
import { PlayedOverlay } from './played-overlay.js';

export async function checkKubernetes(check: Check, engine: Engine, root: string): Promise<void> {
  const overlay = PlayedOverlay.read(engine, root, 'development');
  const started = await check('Kubernetes: every workload of the development overlay starts', async () => {
    // The overlay uses the second name. Its prefix `localhost/` keeps podman from asking a registry.
    await engine.podman('tag', 'seo-services-platform', 'localhost/seo-services-platform:latest');
    await overlay.play();
    return `without ${overlay.manifests.ignored.join(', ')}`;
  });
  if (started) await checkPods(check, engine, overlay);
  await check('Kubernetes: no pod and no volume is left', async () => {
    await overlay.remove();
    for (const kind of ['pod', 'volume']) expectEqual((await engine.podman(kind, 'ls', '-q')).trim(), '');
  });
}

async function checkPods(check: Check, engine: Engine, overlay: PlayedOverlay): Promise<void> {
  const migrationJobs = overlay.manifests.workloads.filter(({ kind }) => kind === 'Job');
  const isReady = await check('Kubernetes: migrations run, and every pod becomes ready', async () => {
    for (const { metadata } of migrationJobs)
      expectEqual([metadata.name, await overlay.waitForExit(metadata.name)], [metadata.name, 0]);
    for (const name of ['postgres', 'redis', ...deployedProcesses]) await overlay.waitUntilReady(name);
    return `${migrationJobs.length} migrations, ${deployedProcesses.length + 2} pods`;
  });
  if (!isReady) return;
  await check('Kubernetes: the gateway serves a public page, content and a sign-in', async () => {
    const url = `http://${await overlay.addressOf('gateway')}:3000`;
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expectEqual([page.status, /<h1[ >]/.test(await page.text())], [200, true]);
    const credentials = { email: 'admin@example.com', password: 'admin-development-only' };
    const admin = await Session.signIn(url, credentials);
    expectEqual((await admin.get('/orders')).status, 200);
    expectEqual((await admin.get<unknown[]>('/banner')).json.length, 1);
  });
  await check('Kubernetes: each process has the restrictions of its manifest', async () => {
    for (const name of deployedProcesses) {
      const { spec } = overlay.workload(name).spec.template;
      const { runAsUser, runAsGroup } = spec.securityContext;
      const [container] = spec.containers;
      const format =
        '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.EffectiveCaps}} {{.HostConfig.Memory}}';
      const found = await engine.podman('inspect', await overlay.containerName(name), '--format', format);
      const memory = bytes(container.resources!.limits!.memory!);
      expectEqual(found.trim(), `${runAsUser}:${runAsGroup} true [] ${memory}`);
    }
  });
  await check('Kubernetes: each service exposes its memory and what its autoscaler reads', async () => {
    const commonMetrics = ['rpc_queue_length', 'rpc_queue_pending', 'process_resident_memory_bytes'];
    // Only services that consume events have a lag.
    const eventConsumers = ['orders', 'projects', 'messaging'];
    for (const service of serviceNames) {
      const text = await (await fetch(`http://${await overlay.addressOf(service)}:9090/metrics`)).text();
      const wanted = eventConsumers.includes(service)
        ? [...commonMetrics, 'event_stream_lag']
        : commonMetrics;
      expectEqual(
        wanted.filter((name) => !new RegExp(`^${name}\\{[^}]*service="${service}"`, 'm').test(text)),
        [],
      );
    }
  });
  await check('Kubernetes: on SIGTERM every process drains in time and exits with 0', async () => {
    for (const name of deployedProcesses) {
      const { terminationGracePeriodSeconds } = overlay.workload(name).spec.template.spec;
      const container = await overlay.containerName(name);
      await engine.podman('stop', '-t', String(terminationGracePeriodSeconds), container);
      const code = (await engine.podman('inspect', container, '--format', '{{.State.ExitCode}}')).trim();
      if (code !== '0') throw new Error(`${name} ended with ${code}:\n${await overlay.logOf(name)}`);
    }
  });
}

/** Such as `384Mi` or `1Gi`. */
function bytes(quantity: string): number {
  const [, count, unit] = /^(\d+)([MG])i$/.exec(quantity) ?? [];
  return Number(count) * 1024 ** (unit === 'G' ? 3 : 2);
}
