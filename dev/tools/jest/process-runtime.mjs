import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import { sourceMapOf } from '../compiled.mjs';
import { setGlobals } from './globals.mjs';
import ProcessEnvironment from './process-environment.mjs';

const require = createRequire(import.meta.url);

register('../swc-hooks.mjs', import.meta.url);
register('./spec-hooks.mjs', import.meta.url);

/** jest asks this Map for the source map of each file in a stack trace. */
class SourceMaps extends Map {
  get(url) {
    return /^file:.*\.tsx?$/.test(url) && !url.includes('/node_modules/')
      ? sourceMapOf(fileURLToPath(url))
      : undefined;
  }
}

/**
 * Loads modules with Node's own loader, which keeps them for the next spec files of the worker. jest's own runtime, which only specs with a DOM
 * use, creates a VM context for each spec file and loads all modules again in it. That takes 1 to 3 seconds of CPU time if the file imports
 * a service.
 */
export default class ProcessRuntime {
  constructor(config, environment, ...rest) {
    if (!(environment instanceof ProcessEnvironment)) return new JestRuntime(config, environment, ...rest);
    this.environment = environment;
  }

  /** Loads jest's test framework again for each spec file, because the framework stores the tests of the file in its module. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[path];
    return require(path);
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
