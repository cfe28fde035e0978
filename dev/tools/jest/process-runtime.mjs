import async_hooks from 'node:async_hooks';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import { sourceMapPath } from '../compile.mjs';
import { setGlobals } from './globals.mjs';
import ProcessEnvironment from './process-environment.mjs';

const require = createRequire(import.meta.url);

register('../swc-hooks.mjs', import.meta.url);
register('./spec-hooks.mjs', import.meta.url);

/** jest asks this Map for the source map of each file in a stack trace. */
class SourceMaps extends Map {
  get(url) {
    return /^file:.*\.tsx?$/.test(url) && !url.includes('/node_modules/')
      ? sourceMapPath(fileURLToPath(url))
      : undefined;
  }
}

/** Replaces jest's AsyncLocalStorage of the running test or hook. A plain property suffices, because tests and hooks run one after another. */
class CurrentContext {
  store;

  getStore() {
    return this.store;
  }

  run(store, callback) {
    const outer = this.store;
    this.store = store;
    return callback().finally(() => (this.store = outer));
  }
}

/**
 * Loads jest's test framework without its AsyncLocalStorage. The framework creates one for each spec file and never disables it, so every promise,
 * timer and socket gets a property for each earlier file. That took 29 % of the workers' CPU time.
 */
function loadFramework(load) {
  const { AsyncLocalStorage } = async_hooks;
  async_hooks.AsyncLocalStorage = CurrentContext;
  try {
    return load();
  } finally {
    async_hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/** jest's own runtime, for specs with a DOM: their environment is jsdom instead of ProcessEnvironment. */
class DomRuntime extends JestRuntime {
  requireInternalModule(...args) {
    return loadFramework(() => super.requireInternalModule(...args));
  }
}

/**
 * Loads modules with Node's own loader, which keeps them for the worker's next spec files. jest's own runtime loads all modules again in a VM context
 * for each file, which takes 1 to 3 seconds of CPU time for a service.
 */
export default class ProcessRuntime {
  constructor(config, environment, ...rest) {
    if (!(environment instanceof ProcessEnvironment)) return new DomRuntime(config, environment, ...rest);
    this.environment = environment;
  }

  /** Loads jest's test framework again for each spec file, because it keeps the tests in its module, and its event handlers in a global. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[path];
    return loadFramework(() => require(path));
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.environment;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: (options) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    };
    setGlobals({ ...globals, jest });
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return new SourceMaps();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {}
}
