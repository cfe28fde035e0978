import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Runs specs in the worker process itself, without a VM context, so that modules are loaded once. Restores environment variables, `process.exit`,
 * `console`, mocks and fake timers after each spec file.
 */
export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    // jest replaces these two for each file.
    process.exit = this.before.exit;
    globalThis.console = this.before.console;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
  }

  /** jest requires this method; ProcessRuntime does not call it. */
  getVmContext() {
    return null;
  }
}
