import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { root } from './root.mjs';

/** The message shows the beginning and the end of the tool's output. */
export class ToolFailed extends Error {
  constructor(what, output) {
    const lines = output.trimEnd().split('\n');
    const shown = lines.length > 50 ? [...lines.slice(0, 25), '…', ...lines.slice(-25)] : lines;
    super(output ? `${what} failed:\n\n${shown.join('\n')}\n` : `${what} failed.`);
    this.output = output;
  }
}

/**
 * Resolves to the tool's output; rejects with ToolFailed. `priority` is one of `os.constants.priority`. Ctrl-C also stops the tool, because it is in
 * the same process group.
 */
export function runTool(what, command, args, { priority, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => reject(new ToolFailed(what, error.message)));
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new ToolFailed(what, output))));
  });
}
