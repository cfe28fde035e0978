// On a terminal, shows one live line with the running steps. Elsewhere, prints a line when an announced step begins. Each finished step gets a line.

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export const formatSeconds = (ms) => `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;

export class Progress {
  #active = new Map();
  #timer;
  #frame = 0;
  #abandoned = false;

  constructor(out = process.stdout) {
    this.out = out;
    this.live = out.isTTY === true && process.env.TERM !== 'dumb';
  }

  /** The line of a finished step shows its duration, or the text that `work` returns. Use `announce` for long steps. */
  async step(name, work, { announce } = {}) {
    const began = Date.now();
    this.#active.set(name, began);
    if (announce && !this.live) this.printLine(`… ${announce}`);
    this.#draw();
    try {
      const note = await work();
      this.#active.delete(name);
      const time = formatSeconds(Date.now() - began);
      if (!this.#abandoned) this.printLine(`✓ ${name.padEnd(12)} ${typeof note === 'string' ? note : time}`);
    } catch (error) {
      this.#active.delete(name);
      if (!this.#abandoned) this.printLine(`✗ ${name}`);
      throw error;
    } finally {
      if (this.#active.size === 0) this.#erase();
    }
  }

  /** Stops showing the running steps. How they end is not shown either. */
  abandon() {
    this.#abandoned = true;
    this.#active.clear();
    this.#erase();
  }

  printLine(text) {
    this.#erase();
    this.out.write(`${text}\n`);
    this.#draw();
  }

  #draw() {
    if (!this.live || this.#active.size === 0) return;
    this.#timer ??= setInterval(() => this.#draw(), 100);
    this.#timer.unref();
    const names = [...this.#active.keys()].join(', ');
    const oldest = Math.min(...this.#active.values());
    const text = `${frames[this.#frame++ % frames.length]} ${names}  ${formatSeconds(Date.now() - oldest)}`;
    this.out.write(`\r\x1b[K${text.slice(0, (this.out.columns ?? 80) - 1)}`);
  }

  #erase() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.live) this.out.write('\r\x1b[K');
  }
}
