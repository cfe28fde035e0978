import { format } from 'node:util';
import { TestEnvironment } from 'jest-environment-jsdom';

const channels = new Set();

class Channel extends BroadcastChannel {
  constructor(name) {
    super(name);
    channels.add(this);
  }
}

/** Web APIs that jsdom lacks, taken from Node. */
const fromNode = { BroadcastChannel: Channel, Headers, Request, Response, TextDecoder, TextEncoder, fetch };

/**
 * A DOM for specs that begin with `@jest-environment ./web/dom-environment.mjs`. It uses React's development build, because the production build has
 * no `act`.
 */
export default class DomEnvironment extends TestEnvironment {
  actWarnings = [];

  async setup() {
    await super.setup();
    Object.assign(this.global, fromNode);
    this.global.process.env.NODE_ENV = 'test';
    const { HTMLDialogElement, Event } = this.global;
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true;
    };
    HTMLDialogElement.prototype.close = function () {
      if (!this.open) return;
      this.open = false;
      this.dispatchEvent(new Event('close'));
    };
  }

  /** Fails a test if React warns of an update outside `act`, because the test may then check the screen too early. */
  handleTestEvent({ name, test }, state) {
    if (name === 'run_start') this.collectActWarnings();
    if (name === 'test_done')
      test.errors.push(...this.actWarnings.splice(0).map((warning) => [warning, undefined]));
    if (name === 'run_finish') state.unhandledErrors.push(...this.actWarnings);
  }

  collectActWarnings() {
    const { console } = this.global;
    const printError = console.error;
    console.error = (...args) => {
      if (String(args[0]).includes('not wrapped in act(')) this.actWarnings.push(new Error(format(...args)));
      else printError.apply(console, args);
    };
  }

  async teardown() {
    // An open channel would receive messages of the next spec file.
    for (const channel of channels) channel.close();
    channels.clear();
    await super.teardown();
  }
}
