import { TestEnvironment } from 'jest-environment-jsdom';

/** The channels that the current spec file has opened. */
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
 * A DOM for specs that begin with `@jest-environment ./web/dom-environment.mjs`, with React's development build: the production build has no
 * `act`, by which tests wait for React.
 */
export default class DomEnvironment extends TestEnvironment {
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

  async teardown() {
    // An open channel would receive messages of the next spec file, after its own document is gone.
    for (const channel of channels) channel.close();
    channels.clear();
    await super.teardown();
  }
}
