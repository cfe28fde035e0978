import type { DynamicModule } from '@nestjs/common';
import { freePort } from '../../../dev/embedded/ports.js';
import type { ServiceName } from '#libs/contracts';
import { createLogger, type ServiceOptions, startService } from '#libs/platform';
import { builtProgram, type BuiltProcess, startBuiltProcess } from '#libs/testing';

export interface Replica {
  readonly log: Record<string, unknown>[];
  /** `path`: `/readyz`, `/healthz` or `/metrics`. */
  health(path: string): Promise<Response>;
  /** Undefined if the replica runs in the test's process. */
  readonly process?: BuiltProcess;
  /** Sends SIGKILL, and waits until the process has ended. Rejects if the replica runs in the test's process. */
  kill(): Promise<void>;
  /** Finishes the current work first, as after SIGTERM. */
  stop(): Promise<void>;
}

interface ServiceSetup {
  config: ServiceOptions['config'];
  module: DynamicModule;
}

/** Reads the settings from environment variables, as each service's `main.ts` does. */
const setUp: Record<ServiceName, (env: Record<string, string>) => Promise<ServiceSetup>> = {
  content: async (env) => {
    const { contentSettings } = await import('../../content/config.js');
    const { AppModule } = await import('../../content/app.module.js');
    const config = contentSettings.parse(env);
    return { config, module: AppModule.forRoot(config) };
  },
  identity: async (env) => {
    const { identitySettings } = await import('../../identity/config.js');
    const { AppModule } = await import('../../identity/app.module.js');
    const config = identitySettings.parse(env);
    return { config, module: AppModule.forRoot(config) };
  },
  messaging: async (env) => {
    const { messagingSettings } = await import('../../messaging/config.js');
    const { AppModule } = await import('../../messaging/app.module.js');
    const config = messagingSettings.parse(env);
    return { config, module: AppModule.forRoot(config) };
  },
  orders: async (env) => {
    const { ordersSettings } = await import('../../orders/config.js');
    const { AppModule } = await import('../../orders/app.module.js');
    const config = ordersSettings.parse(env);
    return { config, module: AppModule.forRoot(config, builtProgram('invoice-renderer')) };
  },
  projects: async (env) => {
    const { projectsSettings } = await import('../../projects/config.js');
    const { AppModule } = await import('../../projects/app.module.js');
    const config = projectsSettings.parse(env);
    const programs = [builtProgram('mail-reader'), builtProgram('preview-child')] as const;
    return { config, module: AppModule.forRoot(config, ...programs) };
  },
};

/** Starts a replica in the test's process. This is much cheaper than `startProcess`: all replicas of a service share its loaded modules. */
export async function startHere(name: ServiceName, env: Record<string, string>): Promise<Replica> {
  const { config, module } = await setUp[name]({ HEALTH_PORT: '0', HEALTH_HOST: '127.0.0.1', ...env });
  const log: Replica['log'] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger(name, config.LOG_LEVEL, { write });
  const running = await startService({ name, config, module, logger });
  return {
    log,
    health: (path) => fetch(`http://127.0.0.1:${running.healthPort}${path}`),
    kill: async () => {
      throw new Error(
        `${name} runs in the test's process; to kill it, list it in the option 'processes' of 'startSite'`,
      );
    },
    stop: () => running.close(),
  };
}

export async function startProcess(name: ServiceName, env: Record<string, string>): Promise<Replica> {
  const { process, end } = await startUntilReady(name, env);
  const { log, health } = process;
  return { log, health, process, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

export async function startRenderer(publicUrl: string): Promise<{ url: string; kill(): Promise<void> }> {
  const port = await freePort();
  const { end } = await startUntilReady('web', {
    ...{ NODE_ENV: 'production', HEALTH_PORT: '0', HEALTH_HOST: '127.0.0.1' },
    ...{ PUBLIC_URL: publicUrl, WEB_PORT: String(port) },
  });
  return { url: `http://127.0.0.1:${port}`, kill: () => end('SIGKILL') };
}

async function startUntilReady(name: ServiceName | 'web', env: Record<string, string>) {
  const process = startBuiltProcess(name, env);
  const end = async (signal: NodeJS.Signals) => {
    process.child.kill(signal);
    await process.exited;
  };
  try {
    await process.ready();
  } catch (error) {
    // Jest would wait for a process that still runs.
    await end('SIGKILL');
    throw error;
  }
  return { process, end };
}
